package annals

import (
	"context"

	"github.com/annalsdb/annals/graph"
)

// Ontology says which kinds of entities and facts a group looks for.
// [graph.Ontology] has its fields and methods.
type Ontology = graph.Ontology

// Ontology returns the kinds of entities and facts that a group was given.
func (c *Client) Ontology(ctx context.Context, groupID string) (Ontology, error) {
	return read(ctx, c, groupID, func(ctx context.Context, from source) (Ontology, error) {
		return from.engine.Ontology(ctx, groupID)
	})
}

// SetOntology gives a group the kinds of entities and facts that its next
// episodes are read for. What is in the graph already stays as it is.
func (c *Client) SetOntology(ctx context.Context, groupID string, o Ontology) error {
	return c.change(groupID, func() error { return c.engine.SetOntology(ctx, groupID, o) })
}

// ReplaceOntology is [Client.SetOntology] where the group still has the old
// one; else it fails with [CodeConflict] on "version".
func (c *Client) ReplaceOntology(ctx context.Context, groupID string, old, o Ontology) error {
	return c.change(groupID, func() error { return c.engine.ReplaceOntology(ctx, groupID, old, o) })
}
