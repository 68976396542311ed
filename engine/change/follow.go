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
)

// How many entities are summarised at once.
const retoldAtOnce = 500

// Retell makes the summaries of entities anew, after their facts were changed in the
// same transaction: gone are those that are not to be told any more. Entities that are
// not there any more are passed over. It returns those whose summary is another now.
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

// RetellEntity is [Tx.Retell] of an entity in hand.
func (t *Tx) RetellEntity(ctx context.Context, e *Entity) error {
	retold, err := t.Retell(ctx, []uuid.UUID{e.ID})
	if now := retold[e.ID]; now != nil {
		e.Summary = now.Summary
	}
	return err
}

// summarise gives entities summaries made of their facts as they are stored.
func (t *Tx) summarise(ctx context.Context, entities map[uuid.UUID]*Entity) error {
	at := time.Now()
	rows, err := t.FactsToTell(ctx, db.FactsToTellParams{
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

// writeRetold stores new summaries. Nobody edited their entities, so no edit is noted.
// Their communities are hidden, which may tell what the old ones said.
func (t *Tx) writeRetold(ctx context.Context, entities []*Entity) error {
	if len(entities) == 0 {
		return nil
	}
	return errors.Join(
		t.Weighing(ctx, true), t.WriteEntities(ctx, entities...), t.Weighing(ctx, false),
		t.HideCommunities(ctx, Each(entities, func(e *Entity) uuid.UUID { return e.ID })...))
}

// Keys lists the keys of a map, which are never nil.
func Keys[V any](m map[uuid.UUID]V) []uuid.UUID {
	return slices.AppendSeq(make([]uuid.UUID, 0, len(m)), maps.Keys(m))
}

// Weigh brings the trust of facts to what follows now, and makes anew what is made of
// those that changed: summaries and communities. ids may be nil: all facts of the group.
func (t *Tx) Weigh(ctx context.Context, ids []uuid.UUID) error {
	if ids != nil && len(ids) == 0 {
		return nil
	}
	changed, err := t.FactsWeigh(ctx, db.FactsWeighParams{GroupID: t.GroupID, Ids: ids})
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
		t.ObservationsOfWeighed(ctx, db.ObservationsOfWeighedParams{GroupID: t.GroupID, Ids: changed}))
}

// WeighAll weighs all facts after their links were written anew: their trust is no more
// than these tell. Summaries as they were once may tell what is to expire now: they are
// made anew.
func (t *Tx) WeighAll(ctx context.Context) error {
	if err := errors.Join(t.Weigh(ctx, nil), t.WeighLater(ctx, false)); err != nil {
		return err
	}
	ids, err := t.EntitiesOfExpiring(ctx, t.GroupID)
	if err != nil {
		return err
	}
	_, err = t.Retell(ctx, ids)
	return err
}
