package engine

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// outdateCommunities hides the communities of entities until they are summarised
// anew, and keeps them as they were in the history.
func outdateCommunities(ctx context.Context, q *db.Queries, groupID string, ids ...uuid.UUID) error {
	return q.CommunitiesOfHide(ctx, db.CommunitiesOfHideParams{GroupID: groupID, EntityIds: append([]uuid.UUID{}, ids...)})
}

// edit runs a change made by hand in one transaction under the group's lock. The
// action is what the record of edits says was done.
func (e *Engine) edit(ctx context.Context, groupID, action string, change func(*db.Queries) error) error {
	if err := graph.ValidateGroupID(groupID); err != nil {
		return err
	}
	return db.InTx(ctx, e.pool, func(q *db.Queries) error {
		if err := q.GroupLock(ctx, groupID); err != nil {
			return err
		}
		judged := action != "edit" && action != "add" // what moves or comes back says nothing new
		if _, err := q.EditBegin(ctx, db.EditBeginParams{GroupID: groupID, Origin: graph.OriginOf(ctx).Doing(action), Judged: judged}); err != nil {
			return err
		}
		if err := change(q); err != nil {
			return err
		}
		return q.NoteDone(ctx)
	})
}

func wrapEdit(err error, format string, args ...any) error {
	if refused := refusedByHand(err); refused != nil {
		return refused
	}
	if erased := db.RefusedText(err); erased != nil {
		return erased
	}
	if graph.CodeOf(err) != graph.CodeInternal {
		return err
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}

// heldNodes reads and locks those of some entities that are there.
func heldNodes(ctx context.Context, q *db.Queries, groupID string, ids []uuid.UUID) (map[uuid.UUID]*node, error) {
	if _, err := q.VersionsLock(ctx, db.VersionsLockParams{GroupID: groupID, EntityIds: ids}); err != nil {
		return nil, err
	}
	rows, err := q.EntitiesByIDs(ctx, db.EntitiesByIDsParams{GroupID: groupID, Ids: ids})
	nodes := map[uuid.UUID]*node{}
	for _, row := range rows {
		nodes[row.ID] = nodeOf(row)
	}
	return nodes, err
}

// nodeOf is a stored entity in hand.
func nodeOf(row db.EntityRow) *node { return &node{Entity: db.Entity(row), written: row.Written} }

// lockNodes reads and locks entities that are to be changed, which must all be there.
func lockNodes(ctx context.Context, q *db.Queries, groupID string, ids ...uuid.UUID) (map[uuid.UUID]*node, error) {
	nodes, err := heldNodes(ctx, q, groupID, ids)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if nodes[id] == nil {
			return nil, &graph.Error{
				Code: graph.CodeNotFound, Field: "entity",
				Message: fmt.Sprintf("group %s has no entity %s; 'annals entities' lists them", groupID, id),
			}
		}
		nodes[id].changed = true
	}
	return nodes, nil
}

// writeNode stores one entity by itself.
func (e *Engine) writeNode(ctx context.Context, q *db.Queries, n *node) error {
	return e.writeEntities(ctx, q, &draft{groupID: n.GroupID, extra: []*node{n}})
}
