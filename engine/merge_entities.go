package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// MergeEntities makes two entities one: into takes over the names, types,
// attributes, facts and mentions of from, which is removed. Facts between the two
// have lost their meaning and are removed too. The history keeps all as it was,
// and from's id goes on standing for into.
func (e *Engine) MergeEntities(ctx context.Context, groupID string, from, into uuid.UUID) (graph.Entity, error) {
	if from == into {
		return graph.Entity{}, graph.Invalid("entity", "%s cannot be merged into itself", from)
	}
	var merged *node
	err := e.edit(ctx, groupID, "merge", func(q *db.Queries) error {
		if err := mayChangeAll(ctx, q, groupID, from, into); err != nil {
			return err
		}
		nodes, err := lockNodes(ctx, q, groupID, from, into)
		if err != nil {
			return err
		}
		merged = nodes[into]
		merged.absorb(nodes[from])
		for _, write := range []func() error{
			func() error { return outdateCommunities(ctx, q, groupID, from, into) },
			func() error { return e.writeNode(ctx, q, merged) },
			func() error { return moveEverything(ctx, q, groupID, from, into) },
			func() error {
				return q.EntityMergeInsert(ctx, db.EntityMergeInsertParams{GroupID: groupID, ID: from, MergedInto: into})
			},
			func() error {
				_, err := q.EntitiesDelete(ctx, db.EntitiesDeleteParams{GroupID: groupID, Ids: []uuid.UUID{from}})
				return err
			},
			func() error { return e.retellNode(ctx, q, merged) },
		} {
			if err := write(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return graph.Entity{}, wrapEdit(err, "merge entity %s into %s", from, into)
	}
	return merged.Entity, nil
}

// absorb adds the names and attributes of another entity. Where the two differ,
// what was there stays.
func (n *node) absorb(other *node) {
	for _, name := range append([]string{other.Name}, other.Aliases...) {
		if !n.goesUnder(name) {
			n.Aliases = append(slices.Clone(n.Aliases), name)
		}
	}
	for _, label := range other.Labels {
		if !containsFold(n.Labels, label) {
			n.Labels = append(slices.Clone(n.Labels), label)
		}
	}
	n.Attributes = graph.MergeAttributes(other.Attributes, n.Attributes)
	n.written = strings.TrimSpace(n.written + " " + other.written)
}

// moveEverything gives one entity's facts and mentions to another.
func moveEverything(ctx context.Context, q *db.Queries, groupID string, from, into uuid.UUID) error {
	between, err := q.FactsBetween(ctx, db.FactsBetweenParams{GroupID: groupID, One: from, Other: into})
	if err != nil {
		return err
	}
	if err := expire(ctx, q, groupID, between); err != nil {
		return err
	}
	_, err = q.FactsMove(ctx, db.FactsMoveParams{GroupID: groupID, FromID: from, ToID: into, EveryFact: true, Ids: []uuid.UUID{}})
	if err != nil {
		return err
	}
	folded, err := q.FactsFold(ctx, db.FactsFoldParams{GroupID: groupID, EntityID: into})
	if err != nil {
		return err
	}
	if err := expire(ctx, q, groupID, folded); err != nil {
		return err
	}
	if err := q.RejectionsMove(ctx, db.RejectionsMoveParams{GroupID: groupID, FromID: from, IntoID: into}); err != nil {
		return err
	}
	return q.MentionsCopy(ctx, db.MentionsCopyParams{GroupID: groupID, FromID: from, ToID: into})
}
