package annals

import (
	"context"

	"github.com/annalsdb/annals/graph"
)

// Ontology lists the types of entities and facts that a group looks for. [graph.Ontology] has its
// fields and methods.
type Ontology = graph.Ontology

// Ontology returns the ontology of a group.
func (c *Client) Ontology(ctx context.Context, groupID string) (Ontology, error) {
	return read(ctx, c, groupID, func(ctx context.Context, from source) (Ontology, error) {
		return from.engine.Ontology(ctx, groupID)
	})
}

// SetOntology sets the ontology with which the group's next episodes are read. The graph so far
// stays as it is.
func (c *Client) SetOntology(ctx context.Context, groupID string, o Ontology) error {
	return c.change(groupID, func() error { return c.engine.SetOntology(ctx, groupID, o) })
}

// ReplaceOntology sets the ontology as [Client.SetOntology] does, but only if the present one
// equals old. Otherwise it fails with [CodeConflict] on "version".
func (c *Client) ReplaceOntology(ctx context.Context, groupID string, old, o Ontology) error {
	return c.change(groupID, func() error { return c.engine.ReplaceOntology(ctx, groupID, old, o) })
}
