package change

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/summary"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// retoldAtOnce is how many entities are summarised at a time.
const retoldAtOnce = 500

// Retell remakes the summaries of entities after their facts changed in this transaction; gone are
// the facts that no longer hold. Missing entities are skipped. It returns the entities whose
// summaries changed.
func (t *Tx) Retell(ctx context.Context, ids []uuid.UUID, gone ...graph.Fact) (map[uuid.UUID]*Entity, error) {
	retold := map[uuid.UUID]*Entity{}
	ids = slices.Clone(ids)
	slices.SortFunc(ids, CompareIDs)
	for some := range slices.Chunk(slices.Compact(ids), retoldAtOnce) {
		entities, err := t.held(ctx, some)
		if err != nil {
			return nil, err
		}
		for _, f := range gone {
			for _, id := range EndsOf(f) {
				if e := entities[id]; e != nil {
					e.Forget(f)
				}
			}
		}
		if err := t.summarise(ctx, entities); err != nil {
			return nil, err
		}
		maps.DeleteFunc(entities, func(_ uuid.UUID, e *Entity) bool { return !e.Changed })
		maps.Copy(retold, entities)
	}
	return retold, t.writeRetold(ctx, slices.Collect(maps.Values(retold)))
}

// CompareIDs orders ids by their bytes.
func CompareIDs(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }

// RetellEntity is [Tx.Retell] for an entity in memory, which gets the new summary.
func (t *Tx) RetellEntity(ctx context.Context, e *Entity) error {
	retold, err := t.Retell(ctx, []uuid.UUID{e.ID})
	if now := retold[e.ID]; now != nil {
		e.Summary = now.Summary
	}
	return err
}

func (t *Tx) summarise(ctx context.Context, entities map[uuid.UUID]*Entity) error {
	at := time.Now()
	rows, err := t.Queries.FactsToTell(ctx, db.FactsToTellParams{
		GroupID: t.GroupID, EntityIds: Keys(entities), At: at, MaxRows: summary.MaxFacts, ChangedIds: []uuid.UUID{}, FirmIds: []uuid.UUID{},
	})
	facts := map[uuid.UUID][]graph.Fact{}
	for _, f := range FactsIn(rows) {
		facts[f.SourceID], facts[f.TargetID] = append(facts[f.SourceID], f), append(facts[f.TargetID], f)
	}
	for id, e := range entities {
		e.SetSummary(summary.Of(e.Written, facts[id], at).Shortened().Text())
	}
	return err
}

// writeRetold stores new summaries, which are no edits, and hides communities whose texts may tell
// the old ones.
func (t *Tx) writeRetold(ctx context.Context, entities []*Entity) error {
	if len(entities) == 0 {
		return nil
	}
	return errors.Join(
		t.Queries.Weighing(ctx, true), t.WriteEntities(ctx, entities...), t.Queries.Weighing(ctx, false),
		t.HideCommunities(ctx, each.Of(entities, func(e *Entity) uuid.UUID { return e.ID })...))
}

// Keys returns the keys of a map. The slice is never nil.
func Keys[V any](m map[uuid.UUID]V) []uuid.UUID {
	return slices.AppendSeq(make([]uuid.UUID, 0, len(m)), maps.Keys(m))
}

// Weigh updates the trust of facts, and the summaries and communities of those whose trust changes.
// nil: all facts of the group.
func (t *Tx) Weigh(ctx context.Context, ids []uuid.UUID) error {
	if ids != nil && len(ids) == 0 {
		return nil
	}
	changed, err := t.Queries.FactsWeigh(ctx, db.FactsWeighParams{GroupID: t.GroupID, Ids: ids})
	if err != nil || len(changed) == 0 {
		return err
	}
	facts, err := t.Facts(ctx, changed)
	if err != nil {
		return err
	}
	doubted := slices.DeleteFunc(slices.Clone(facts), func(f graph.Fact) bool { return f.Trust == graph.TrustBelieved })
	if _, err := t.Retell(ctx, EndsOf(facts...), doubted...); err != nil {
		return err
	}
	return errors.Join(t.HideCommunities(ctx, EndsOf(facts...)...),
		t.Queries.ObservationsOfWeighed(ctx, db.ObservationsOfWeighedParams{GroupID: t.GroupID, Ids: changed}))
}

// WeighAll weighs all facts after their links were rewritten, and remakes the summaries of entities
// with expiring facts.
func (t *Tx) WeighAll(ctx context.Context) error {
	if err := errors.Join(t.Weigh(ctx, nil), t.Queries.WeighLater(ctx, false)); err != nil {
		return err
	}
	ids, err := t.Queries.EntitiesOfExpiring(ctx, t.GroupID)
	if err != nil {
		return err
	}
	_, err = t.Retell(ctx, ids)
	return err
}
