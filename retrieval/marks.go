package retrieval

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

const (
	// mostPinned is how many pinned rows of a group come first in a context: the latest of
	// mostPinsLooked that are read.
	mostPinned     = 20
	mostPinsLooked = 1000

	// PinnedShare is the part of a context's budget that pinned rows may take before all others.
	PinnedShare = 4 // a quarter
)

// leaveOutExpired leaves out expired rows, if the group has any. Other groups are searched without
// that condition.
func (p *plan) leaveOutExpired() {
	if !p.shape.Expired {
		return
	}
	p.narrowed, p.filter, p.guarded = true, unexpired(p.filter), unexpired(p.guarded)
}

// unexpired adds the condition to a filter; an empty filter stays empty.
func unexpired(filter json.RawMessage) json.RawMessage {
	if len(filter) == 0 {
		return filter
	}
	parts := map[string]json.RawMessage{}
	if err := json.Unmarshal(filter, &parts); err != nil { // it was made by document
		panic("retrieval: " + err.Error())
	}
	parts["unexpired"] = json.RawMessage("true")
	narrower, err := json.Marshal(parts)
	if err != nil {
		panic("retrieval: " + err.Error())
	}
	return narrower
}

// weighedByJudgement weighs facts and episodes by whether they were found useful, wrong or
// outdated. It comes after all rerankers, so that it applies whichever ran.
func (o ordering) weighedByJudgement(ctx context.Context, hits []scored) ([]scored, error) {
	if !o.shape.Judged || o.kind != graph.KindFact && o.kind != graph.KindEpisode || len(hits) == 0 {
		return hits, nil
	}
	rows, err := o.queries.Regards(ctx, db.RegardsParams{GroupID: o.query.GroupID, Ids: idsOf(hits), ValidAt: o.validAt(), KnownAt: o.knownAt()})
	if err != nil {
		return nil, err
	}
	regards := each.Map(rows, func(row db.RegardsRow) (uuid.UUID, float64) { return row.ID, row.Regard })
	if !slices.ContainsFunc(hits, func(h scored) bool { return regards[h.ID] != 1 }) {
		return hits, nil
	}
	return reordered(hits, func(h scored) float64 { return h.weighed(regards[h.ID]) }), nil
}

// note sets the marks of the hits, and adds pinned rows if a context asks for them.
func (v *view) note(ctx context.Context, result *Result) error {
	if v.query.Pinned && v.shape.Pinned {
		if err := v.pin(ctx, result); err != nil {
			return err
		}
	}
	if !v.shape.Marked {
		return nil
	}
	ids := slices.Concat(
		each.Of(result.Facts, func(h FactHit) uuid.UUID { return h.ID }), each.Of(result.Entities, func(h EntityHit) uuid.UUID { return h.ID }),
		each.Of(result.Episodes, func(h EpisodeHit) uuid.UUID { return h.ID }))
	marks, err := v.queries.Marks(ctx, v.query.GroupID, v.knownAt(), ids)
	for i, h := range result.Facts {
		result.Facts[i].Marks = marks[h.ID]
	}
	for i, h := range result.Entities {
		result.Entities[i].Marks = marks[h.ID]
	}
	for i, h := range result.Episodes {
		result.Episodes[i].Marks = marks[h.ID]
		result.Episodes[i].ExpiresAt = marks[h.ID].ExpiresAt
	}
	return err
}

// pin puts pinned rows before the hits, if they are of a searched scope, pass the filter and hold
// at the time asked for.
func (v *view) pin(ctx context.Context, result *Result) error {
	rows, err := v.queries.Pinned(ctx, db.PinnedParams{GroupID: v.query.GroupID, KnownAt: v.knownAt(), MaxRows: mostPinsLooked})
	if err != nil {
		return err
	}
	if rows, err = v.pinnable(ctx, rows); err != nil {
		return err
	}
	pinned := pinnedBy(rows[:min(len(rows), mostPinned)])
	found := *result
	if err := v.read(ctx, pinned, result, false); err != nil {
		return err
	}
	result.Facts = before(result.Facts, found.Facts, len(pinned[graph.KindFact]) > 0, func(h FactHit) uuid.UUID { return h.ID })
	result.Entities = before(result.Entities, found.Entities, len(pinned[graph.KindEntity]) > 0, func(h EntityHit) uuid.UUID { return h.ID })
	result.Episodes = before(result.Episodes, found.Episodes, len(pinned[graph.KindEpisode]) > 0, func(h EpisodeHit) uuid.UUID { return h.ID })
	return nil
}

func pinnedBy(rows []db.PinnedRow) map[graph.Kind][]scored {
	return each.Groups(rows, func(row db.PinnedRow) (graph.Kind, scored) { return row.PinnedKind, scored{ID: row.PinnedID} })
}

// pinnable keeps the pinned rows that a search could find: of a searched kind, in force, and
// passing the filter.
func (v *view) pinnable(ctx context.Context, rows []db.PinnedRow) ([]db.PinnedRow, error) {
	could := map[uuid.UUID]bool{}
	pinned := pinnedBy(rows)
	for _, kind := range v.kinds() {
		if len(pinned[kind]) == 0 {
			continue
		}
		hits, err := v.thatCouldBeFound(ctx, kind, pinned[kind])
		if err != nil {
			return nil, err
		}
		maps.Copy(could, each.Set(idsOf(hits)))
	}
	return slices.DeleteFunc(rows, func(row db.PinnedRow) bool { return !could[row.PinnedID] }), nil
}

// thatCouldBeFound keeps the rows that the conditions of the search let pass.
func (v *view) thatCouldBeFound(ctx context.Context, kind graph.Kind, hits []scored) ([]scored, error) {
	if v.asKnown(kind) {
		ids, err := v.queries.MatchingKnown(ctx, db.MatchingKnownParams{
			GroupID: v.query.GroupID, Kind: kind, Filter: v.filterOf(kind), ValidAt: v.validAt(), KnownAt: v.query.KnownAt, IncludeEnded: v.query.IncludeEnded,
			Ids: idsOf(hits),
		})
		return slices.DeleteFunc(hits, func(h scored) bool { return !slices.Contains(ids, h.ID) }), err
	}
	return v.thatPass(ctx, kind, hits)
}

// before puts pinned rows before the others. A pinned row that was also found keeps its score.
func before[Hit any](pinned, found []Hit, any bool, id func(Hit) uuid.UUID) []Hit {
	if !any {
		return found
	}
	scores := each.Map(found, func(h Hit) (uuid.UUID, Hit) { return id(h), h })
	first := each.Set(each.Of(pinned, id))
	for i, h := range pinned {
		if hit, ok := scores[id(h)]; ok {
			pinned[i] = hit
		}
	}
	return append(pinned, slices.DeleteFunc(found, func(h Hit) bool { return first[id(h)] })...)
}
