package retrieval

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// passes caches which rows pass a filter.
type passes map[graph.Kind]map[uuid.UUID]bool

// passing returns which rows pass the filter. It asks the database once for each row.
func (v *view) passing(ctx context.Context, kind graph.Kind, ids []uuid.UUID) (map[uuid.UUID]bool, error) {
	if v.passes[kind] == nil {
		v.passes[kind] = make(map[uuid.UUID]bool, len(ids))
	}
	passes := v.passes[kind]
	ids = notIn(passes, ids)
	if len(ids) == 0 {
		return passes, nil
	}
	group := v.query.GroupID
	var passing []uuid.UUID
	var err error
	switch {
	case kind == graph.KindFact:
		passing, err = v.queries.FactsPassing(ctx, db.FactsPassingParams{
			GroupID: group, Ids: ids, Filter: v.filterOf(kind), ValidAt: v.validAt(), IncludeEnded: v.query.IncludeEnded,
		})
	case kind == graph.KindEntity && v.asKnown(kind):
		passing, err = v.queries.EntitiesPassingKnown(ctx, db.EntitiesPassingKnownParams{GroupID: group, Ids: ids, Filter: v.filterOf(kind)})
	case kind == graph.KindEntity:
		passing, err = v.queries.EntitiesPassing(ctx, db.EntitiesPassingParams{GroupID: group, Ids: ids, Filter: v.filterOf(kind)})
	case kind == graph.KindEpisode:
		passing, err = v.queries.EpisodesPassing(ctx, db.EpisodesPassingParams{GroupID: group, Ids: ids, Filter: v.filterOf(kind)})
	}
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		passes[id] = false
	}
	for _, id := range passing {
		passes[id] = true
	}
	return passes, nil
}

// thatPass keeps the hits that pass the filter.
func (v *view) thatPass(ctx context.Context, kind graph.Kind, hits []scored) ([]scored, error) {
	passes, err := v.passing(ctx, kind, idsOf(hits))
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(hits, func(s scored) bool { return !passes[s.ID] }), nil
}

// notIn returns the ids that are no keys of noted.
func notIn[T any](noted map[uuid.UUID]T, ids []uuid.UUID) []uuid.UUID {
	return each.Where(ids, func(id uuid.UUID) bool {
		_, is := noted[id]
		return !is
	})
}
