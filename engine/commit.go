package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
)

var (
	// errStale says that rows the draft rests on changed while it was worked out.
	errStale = errors.New("the graph changed while the episode was being resolved")

	// errGone says that the episode was removed while it was worked on.
	errGone = errors.New("the episode was removed while it was being processed")
)

// commit writes the draft in one transaction under the group's lock. It writes
// nothing and returns errStale when a row it rests on has changed since it was read.
func (e *Engine) commit(ctx context.Context, d *draft) error {
	err := db.InTx(ctx, e.pool, func(q *db.Queries) error {
		if err := q.GroupLock(ctx, d.groupID); err != nil {
			return err
		}
		if _, err := q.WriteBegin(ctx); err != nil {
			return err
		}
		for _, write := range []func(context.Context, *db.Queries, *draft) error{
			checkFresh, e.writeEpisodes, e.writeEntities, e.writeFacts, writeProvenance, writeTrace, e.joinNew,
		} {
			if err := write(ctx, q, d); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, errStale) && !errors.Is(err, errGone) {
		return fmt.Errorf("commit: %w", err)
	}
	return err
}

// joinNew puts new entities into the communities of their neighbours, where
// the engine is set to.
func (e *Engine) joinNew(ctx context.Context, q *db.Queries, d *draft) error {
	if !e.options.Communities {
		return nil
	}
	var arrived []uuid.UUID
	for _, n := range d.touched() {
		if n.isNew {
			arrived = append(arrived, n.ID)
		}
	}
	if len(arrived) == 0 {
		return nil
	}
	_, err := e.joinCommunities(ctx, q, d.groupID, arrived)
	return err
}

// checkFresh locks the stored rows that the draft rests on and compares their versions.
func checkFresh(ctx context.Context, q *db.Queries, d *draft) error {
	entities := map[uuid.UUID]*node{}
	for _, n := range d.touched() {
		if !n.isNew {
			entities[n.ID] = n
		}
	}
	locked, err := q.EntitiesLock(ctx, db.EntitiesLockParams{GroupID: d.groupID, Ids: keys(entities)})
	if err != nil {
		return err
	}
	for _, row := range locked {
		if !db.Interval(row.Recorded).Equal(entities[row.ID].Recorded) {
			return errStale
		}
	}
	if len(locked) != len(entities) {
		return errStale
	}
	return checkFactsFresh(ctx, q, d)
}

func checkFactsFresh(ctx context.Context, q *db.Queries, d *draft) error {
	facts := map[uuid.UUID]*knownFact{}
	for _, k := range d.closings() {
		facts[k.ID] = k
	}
	for _, f := range d.facts {
		if k := f.duplicateOf; k != nil && k.sibling == nil {
			facts[k.ID] = k
		}
	}
	if len(facts) == 0 {
		return nil
	}
	locked, err := q.FactsLock(ctx, db.FactsLockParams{GroupID: d.groupID, Ids: keys(facts)})
	if err != nil {
		return err
	}
	for _, row := range locked {
		if !db.Interval(row.Recorded).Equal(facts[row.ID].Recorded) {
			return errStale
		}
	}
	if len(locked) != len(facts) {
		return errStale
	}
	return nil
}

func keys[V any](m map[uuid.UUID]V) []uuid.UUID {
	ids := make([]uuid.UUID, 0, len(m))
	for id := range m {
		ids = append(ids, id)
	}
	return ids
}
