package engine

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// EntityEdit is a change to an entity; a field that is nil changes nothing.
type EntityEdit struct {
	Name       *string // the old one stays as an alias
	Summary    *string
	Labels     []string        // nil: they stay
	Attributes json.RawMessage // merged into those it has; null removes one
}

// EditEntity changes an entity by hand. The history keeps what it was.
func (e *Engine) EditEntity(ctx context.Context, groupID string, id uuid.UUID, change EntityEdit) (graph.Entity, error) {
	var vector []float32
	if change.Name != nil {
		name, err := validName(*change.Name)
		if err != nil {
			return graph.Entity{}, err
		}
		if vector, err = e.embedName(ctx, groupID, name); err != nil {
			return graph.Entity{}, err
		}
		change.Name = &name
	}
	var changed *node
	err := e.edit(ctx, groupID, "edit", func(q *db.Queries) error {
		nodes, err := lockNodes(ctx, q, groupID, id)
		if err != nil {
			return err
		}
		changed = nodes[id]
		if err := change.apply(changed); err != nil {
			return err
		}
		changed.vector = vector
		if err := outdateCommunities(ctx, q, groupID, id); err != nil {
			return err
		}
		return e.writeNode(ctx, q, changed)
	})
	if err != nil {
		return graph.Entity{}, wrapEdit(err, "change entity %s", id)
	}
	return changed.Entity, nil
}

func (c EntityEdit) apply(n *node) error {
	if c.Name != nil && *c.Name != n.Name {
		n.Aliases = slices.DeleteFunc(slices.Clone(n.Aliases), func(a string) bool { return a == *c.Name })
		if !slices.Contains(n.Aliases, n.Name) {
			n.Aliases = append(n.Aliases, n.Name)
		}
		n.Name = *c.Name
	}
	if c.Summary != nil {
		if err := graph.ValidateText("summary", *c.Summary, graph.MaxMetadata); err != nil {
			return err
		}
		n.Summary = strings.TrimSpace(*c.Summary)
	}
	if c.Labels != nil {
		for _, label := range c.Labels {
			if err := graph.ValidateText("labels", label, graph.MaxName); err != nil {
				return err
			}
		}
		n.Labels = c.Labels
	}
	var err error
	n.Attributes, err = changeObject("attributes", n.Attributes, c.Attributes)
	return err
}

// AddEntities takes entities into the graph by hand. One whose name the group
// knows, of a single entity, adds to that one, and one with an id to the entity of
// that id, which must be there. It returns their ids, in order.
func (e *Engine) AddEntities(ctx context.Context, groupID string, entities []graph.Entity) ([]uuid.UUID, error) {
	if err := db.InTx(ctx, e.pool, func(q *db.Queries) error { return EnsureGroup(ctx, q, groupID) }); err != nil {
		return nil, err
	}
	names := make([]string, len(entities))
	for i, n := range entities {
		var err error
		if names[i], err = validName(n.Name); err != nil {
			return nil, err
		}
	}
	vectors, err := e.embed(ctx, names)
	if err != nil {
		return nil, err
	}
	ids := make([]uuid.UUID, len(entities))
	err = e.edit(ctx, groupID, "add", func(q *db.Queries) error {
		for i, n := range entities {
			node, err := e.nodeFor(ctx, q, groupID, n.ID, names[i])
			if err != nil {
				return err
			}
			if err := node.learn(n); err != nil {
				return err
			}
			if node.isNew {
				node.vector = vectors[i]
			}
			if err := e.writeNode(ctx, q, node); err != nil {
				return err
			}
			ids[i] = node.ID
		}
		return nil
	})
	if err != nil {
		return nil, wrapEdit(err, "add entities to %s", groupID)
	}
	return ids, db.RefreshStatistics(ctx, e.pool, groupID)
}

// nodeFor is the entity of an id, locked; without one, that of a name.
func (e *Engine) nodeFor(ctx context.Context, q *db.Queries, groupID string, id uuid.UUID, name string) (*node, error) {
	if id == uuid.Nil {
		return e.nodeCalled(ctx, q, groupID, name)
	}
	nodes, err := lockNodes(ctx, q, groupID, id)
	return nodes[id], err
}

// nodeCalled is the only entity of a name, locked, or a new one.
func (e *Engine) nodeCalled(ctx context.Context, q *db.Queries, groupID, name string) (*node, error) {
	rows, err := q.EntitiesByNames(ctx, db.EntitiesByNamesParams{GroupID: groupID, Names: []string{name}})
	if err != nil {
		return nil, err
	}
	if len(rows) == 1 && rows[0].EntityID != uuid.Nil {
		nodes, err := lockNodes(ctx, q, groupID, rows[0].EntityID)
		return nodes[rows[0].EntityID], err
	}
	return &node{Entity: graph.Entity{GroupID: groupID, ID: newID(), Name: name, Aliases: []string{}, Labels: []string{}}, isNew: true}, nil
}

// learn adds what a writer says of an entity.
func (n *node) learn(of graph.Entity) error {
	change := EntityEdit{Attributes: of.Attributes}
	if of.Summary != "" {
		change.Summary = &of.Summary
	}
	for _, label := range of.Labels {
		if !containsFold(n.Labels, label) {
			change.Labels = append(slices.Clone(n.Labels), label)
		}
	}
	return change.apply(n)
}

// DeleteEntity takes an entity and its facts out of the graph. The history
// keeps them; what was said stays, so that a later episode may bring it back.
func (e *Engine) DeleteEntity(ctx context.Context, groupID string, id uuid.UUID) error {
	err := e.edit(ctx, groupID, "remove", func(q *db.Queries) error {
		if err := mayChangeAll(ctx, q, groupID, id); err != nil {
			return err
		}
		if _, err := lockNodes(ctx, q, groupID, id); err != nil {
			return err
		}
		if err := outdateCommunities(ctx, q, groupID, id); err != nil {
			return err
		}
		facts, err := factsOf(ctx, q, groupID, id)
		if err != nil {
			return err
		}
		if _, err := q.EntitiesDelete(ctx, db.EntitiesDeleteParams{GroupID: groupID, Ids: []uuid.UUID{id}}); err != nil {
			return err
		}
		_, err = e.retell(ctx, q, groupID, endsOf(facts...), facts...)
		return err
	})
	return wrapFailed(err, "delete entity %s", id)
}

// factsOf reads all facts of an entity.
func factsOf(ctx context.Context, q *db.Queries, groupID string, id uuid.UUID) ([]graph.Fact, error) {
	ids, err := q.FactIDsOfEntities(ctx, db.FactIDsOfEntitiesParams{GroupID: groupID, EntityIds: []uuid.UUID{id}})
	if err != nil {
		return nil, err
	}
	rows, err := q.FactsByIDs(ctx, db.FactsByIDsParams{GroupID: groupID, Ids: ids})
	return factsIn(rows), err
}

func factsIn(rows []db.FactRow) []graph.Fact {
	facts := make([]graph.Fact, len(rows))
	for i, row := range rows {
		facts[i] = db.Fact(row)
	}
	return facts
}
