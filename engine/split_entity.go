package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// SplitEntity splits an entity that was two: the listed facts become facts of a
// new one. An alias of the old one that is the new one's name goes with it.
func (e *Engine) SplitEntity(ctx context.Context, groupID string, from uuid.UUID, name string, factIDs []uuid.UUID) (graph.Entity, error) {
	name, err := validName(name)
	if err != nil {
		return graph.Entity{}, err
	}
	if len(factIDs) == 0 {
		return graph.Entity{}, graph.Invalid("facts", "is empty; name the facts that belong to %s", name)
	}
	vector, err := e.embedName(ctx, groupID, name)
	if err != nil {
		return graph.Entity{}, err
	}
	part := &node{
		Entity: graph.Entity{GroupID: groupID, ID: newID(), Name: name, Aliases: []string{}}, isNew: true, vector: vector,
	}
	err = e.edit(ctx, groupID, "split", func(q *db.Queries) error {
		if err := mayChangeAll(ctx, q, groupID, from); err != nil {
			return err
		}
		nodes, err := lockNodes(ctx, q, groupID, from)
		if err != nil {
			return err
		}
		whole := nodes[from]
		if err := mustHave(ctx, q, whole, factIDs); err != nil {
			return err
		}
		if err := outdateCommunities(ctx, q, groupID, from); err != nil {
			return err
		}
		part.Labels = whole.Labels
		whole.Aliases = slices.DeleteFunc(slices.Clone(whole.Aliases), func(a string) bool { return strings.EqualFold(a, part.Name) })
		if err := e.writeNode(ctx, q, whole); err != nil {
			return err
		}
		if err := e.writeNode(ctx, q, part); err != nil {
			return err
		}
		_, err = q.FactsMove(ctx, db.FactsMoveParams{GroupID: groupID, FromID: from, ToID: part.ID, Ids: factIDs})
		if err != nil {
			return err
		}
		return errors.Join(
			q.MentionsMove(ctx, db.MentionsMoveParams{GroupID: groupID, FactIds: factIDs, FromID: from, ToID: part.ID}),
			e.retellNode(ctx, q, whole), e.retellNode(ctx, q, part))
	})
	if err != nil {
		return graph.Entity{}, wrapEdit(err, "split %q off entity %s", name, from)
	}
	return part.Entity, nil
}

// mustHave fails unless all facts are of one entity.
func mustHave(ctx context.Context, q *db.Queries, n *node, ids []uuid.UUID) error {
	own, err := q.FactsOfEntity(ctx, db.FactsOfEntityParams{GroupID: n.GroupID, Ids: ids, EntityID: n.ID})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if !slices.Contains(own, id) {
			return &graph.Error{
				Code: graph.CodeNotFound, Field: "facts",
				Message: fmt.Sprintf("%s has no current fact %s; 'annals facts --entity %s' lists them", n.Name, id, n.ID),
			}
		}
	}
	return nil
}
