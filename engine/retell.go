package engine

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// How many entities are summarised at once.
const retoldAtOnce = 500

// retell makes the summaries of entities anew, after their facts were changed in the
// same transaction: gone are those that are not to be told any more. Entities that are
// not there any more are passed over. It returns those whose summary is another now.
func (e *Engine) retell(ctx context.Context, q *db.Queries, groupID string, ids []uuid.UUID, gone ...graph.Fact) (map[uuid.UUID]*node, error) {
	retold := map[uuid.UUID]*node{}
	ids = slices.Clone(ids)
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	for some := range slices.Chunk(slices.Compact(ids), retoldAtOnce) {
		nodes, err := heldNodes(ctx, q, groupID, some)
		if err != nil {
			return nil, err
		}
		for _, f := range gone {
			for _, id := range []uuid.UUID{f.SourceID, f.TargetID} {
				if n := nodes[id]; n != nil {
					n.forget(f)
				}
			}
		}
		if err := summariseAnew(ctx, q, groupID, nodes); err != nil {
			return nil, err
		}
		maps.DeleteFunc(nodes, func(_ uuid.UUID, n *node) bool { return !n.changed })
		maps.Copy(retold, nodes)
	}
	return retold, e.writeRetold(ctx, q, groupID, slices.Collect(maps.Values(retold)))
}

// retellNode is [Engine.retell] of an entity in hand.
func (e *Engine) retellNode(ctx context.Context, q *db.Queries, n *node) error {
	retold, err := e.retell(ctx, q, n.GroupID, []uuid.UUID{n.ID})
	if now := retold[n.ID]; now != nil {
		n.Summary = now.Summary
	}
	return err
}

// summariseAnew gives entities summaries made of their facts as they are stored.
func summariseAnew(ctx context.Context, q *db.Queries, groupID string, nodes map[uuid.UUID]*node) error {
	at := time.Now()
	rows, err := q.FactsToTell(ctx, db.FactsToTellParams{
		GroupID: groupID, EntityIds: keys(nodes), At: at, MaxRows: maxTold, ChangedIds: []uuid.UUID{}, FirmIds: []uuid.UUID{},
	})
	facts := map[uuid.UUID][]graph.Fact{}
	for _, row := range rows {
		f := db.Fact(row)
		facts[f.SourceID], facts[f.TargetID] = append(facts[f.SourceID], f), append(facts[f.TargetID], f)
	}
	for id, n := range nodes {
		n.setSummary(accountOf(n.written, facts[id], at).shortened().text())
	}
	return err
}

// writeRetold stores new summaries. Nobody edited their entities, so no edit is noted.
// Their communities are hidden, which may tell what the old ones said.
func (e *Engine) writeRetold(ctx context.Context, q *db.Queries, groupID string, nodes []*node) error {
	if len(nodes) == 0 {
		return nil
	}
	return errors.Join(
		q.Weighing(ctx, true),
		e.writeEntities(ctx, q, &draft{groupID: groupID, extra: nodes}),
		q.Weighing(ctx, false),
		outdateCommunities(ctx, q, groupID, idsOf(nodes, nodeID)...))
}

func nodeID(n *node) uuid.UUID { return n.ID }

// endsOf are the entities at the ends of facts.
func endsOf(facts ...graph.Fact) []uuid.UUID {
	var ids []uuid.UUID
	for _, f := range facts {
		ids = append(ids, f.SourceID, f.TargetID)
	}
	return ids
}
