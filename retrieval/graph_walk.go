package retrieval

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// How many hits of a scope a walk starts from.
const seedHits = 5

// seeds are the start of a walk: entities, and both ends of facts.
type seeds struct {
	entities []uuid.UUID
	facts    []uuid.UUID
}

// size is the number of seed entities, counting two for each fact.
func (s seeds) size() int { return len(s.entities) + 2*len(s.facts) }

// walk adds the rankings by distance from the seeds, a breadth-first search. If only facts are
// asked for and the seeds' own facts fill the ranking, it stops there: all others are farther away.
// With few seeds it reads their facts together with those of the entities around them, as their own
// seldom are enough.
func (v *view) walk(ctx context.Context, found map[graph.Kind]rankings) error {
	defer v.explanation.timed(string(MethodGraph))()
	from, err := v.seeds(ctx, found)
	if err != nil {
		return err
	}
	if v.wants(graph.KindFact) && !v.wants(graph.KindEntity) && (v.seeksEnded() || from.size()*toldFacts >= v.candidates()) {
		near, err := v.factsAround(ctx, from)
		if err != nil {
			return err
		}
		found[graph.KindFact][MethodGraph] = near
		if enough, err := v.enough(ctx, near); enough || err != nil {
			return err
		}
	}
	if from, err = v.withEnds(ctx, from); err != nil || len(from.entities) == 0 {
		return err
	}
	reached, err := v.queries.Neighborhood(ctx, db.NeighborhoodParams{
		GroupID: v.query.GroupID, SeedIds: from.entities, Hops: int32(v.query.Hops), ValidAt: v.validAt(), KnownAt: v.knownAt(), MaxRows: int32(v.reach()),
	})
	if err != nil {
		return err
	}
	if v.wants(graph.KindEntity) {
		if found[graph.KindEntity][MethodGraph], err = v.nearEntities(ctx, reached); err != nil {
			return err
		}
	}
	if !v.wants(graph.KindFact) {
		return nil
	}
	for _, r := range reached {
		if r.Distance > 0 {
			from.entities = append(from.entities, r.ID)
		}
	}
	found[graph.KindFact][MethodGraph], err = v.factsAround(ctx, from)
	return err
}

// enough reports whether the ranking is full. For a question about the past it counts only the
// facts that such a question may find.
func (v *view) enough(ctx context.Context, near []scored) (bool, error) {
	if len(near) == int(v.maxRows(graph.KindFact)) {
		return true, nil
	}
	if !v.seeksEnded() {
		return false, nil
	}
	return v.enoughLeft(ctx, near)
}

// toldFacts is how many facts of an entity a walk keeps in each direction. lookedAtFacts is how
// many it reads if a filter may reject some.
const (
	toldFacts     = 10
	lookedAtFacts = 50
)

// keepPassing keeps the facts that pass the filter, at most toldFacts for each entity and
// direction.
func (v *view) keepPassing(ctx context.Context, met []db.FactsAroundRow) ([]db.FactsAroundRow, error) {
	ids := each.Of(met, func(m db.FactsAroundRow) uuid.UUID { return m.ID })
	passes, err := v.passing(ctx, graph.KindFact, unique(ids))
	if err != nil {
		return nil, err
	}
	type side struct {
		place    int32
		outgoing bool
	}
	told := map[side]int{}
	return slices.DeleteFunc(met, func(m db.FactsAroundRow) bool {
		at := side{m.Place, m.Outgoing}
		if !passes[m.ID] || told[at] == toldFacts {
			return true
		}
		told[at]++
		return false
	}), nil
}

// factsAround returns the facts of the seeds, in the order of the seeds.
func (v *view) factsAround(ctx context.Context, from seeds) ([]scored, error) {
	if v.asKnown(graph.KindFact) {
		from, err := v.withEnds(ctx, from)
		if err != nil {
			return nil, err
		}
		return v.knownAround(ctx, from.entities)
	}
	params := db.FactsAroundParams{
		GroupID: v.query.GroupID, EntityIds: from.entities, FactIds: from.facts, ValidAt: v.validAt(), IncludeEnded: v.query.IncludeEnded,
		Trust: v.trusted(), Told: toldFacts, MaxRows: int32(2 * v.maxRows(graph.KindFact)), // each may be met twice
	}
	if v.narrows(graph.KindFact) {
		params.Told = lookedAtFacts
		params.MaxRows = int32(2 * lookedAtFacts * (len(from.entities) + 2*len(from.facts))) // all
	}
	met, err := v.queries.FactsAround(ctx, params)
	if err == nil && v.narrows(graph.KindFact) {
		met, err = v.keepPassing(ctx, met)
	}
	near := nearestFirst(met)
	return near[:min(len(near), int(v.maxRows(graph.KindFact)))], err
}

// nearestFirst ranks facts by the nearest entity that they touch, and those of one entity newest
// first.
func nearestFirst(met []db.FactsAroundRow) []scored {
	slices.SortFunc(met, func(a, b db.FactsAroundRow) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place), bytes.Compare(b.ID[:], a.ID[:]))
	})
	near, seen := make([]scored, 0, len(met)), make(map[uuid.UUID]bool, len(met))
	for _, m := range met {
		if !seen[m.ID] {
			seen[m.ID] = true
			near = append(near, scored{m.ID, 1 / float64(m.Place)})
		}
	}
	return near
}

// reachNarrowed is the least number of entities that a walk reaches if a filter may reject most of
// them.
const reachNarrowed = 300

func (p *plan) reach() int {
	if p.narrowed || p.withholds(graph.KindEntity) {
		return max(p.maxRows(graph.KindFact), reachNarrowed)
	}
	return p.maxRows(graph.KindFact)
}

// nearEntities ranks the reached entities that pass the filter.
func (v *view) nearEntities(ctx context.Context, reached []db.NeighborhoodRow) ([]scored, error) {
	near := each.Of(reached, func(r db.NeighborhoodRow) scored { return scored{r.ID, 1 / float64(1+r.Distance)} })
	if v.narrows(graph.KindEntity) {
		var err error
		if near, err = v.thatPass(ctx, graph.KindEntity, near); err != nil {
			return nil, err
		}
	}
	return near[:min(len(near), v.candidates())], nil
}

// seeds returns the seeds of the query, or else those of its first hits. SeedRecent adds the
// entities of the latest episodes.
func (v *view) seeds(ctx context.Context, found map[graph.Kind]rankings) (seeds, error) {
	from := seeds{entities: slices.Clone(v.query.Seeds), facts: []uuid.UUID{}}
	if v.query.SeedRecent > 0 {
		recent, err := v.queries.EntitiesRecent(ctx, db.EntitiesRecentParams{
			GroupID: v.query.GroupID, Episodes: int32(v.query.SeedRecent), MaxRows: seedHits,
		})
		if err != nil {
			return seeds{}, err
		}
		from.entities = append(from.entities, recent...)
	}
	if len(v.query.Seeds) > 0 {
		return from, nil
	}
	from.entities = unique(append(from.entities, topIDs(found[graph.KindEntity])...))
	from.facts = topIDs(found[graph.KindFact])
	if len(from.entities)+len(from.facts) > 0 {
		return from, nil
	}
	mentioned, err := v.queries.EntitiesOfEpisodes(ctx, db.EntitiesOfEpisodesParams{
		GroupID: v.query.GroupID, EpisodeIds: topIDs(found[graph.KindEpisode]), MaxRows: seedHits,
	})
	from.entities = append(from.entities, each.Of(mentioned, func(m db.EntitiesOfEpisodesRow) uuid.UUID { return m.ID })...)
	return from, err
}

// withEnds replaces the facts of seeds by the entities at their ends.
func (v *view) withEnds(ctx context.Context, from seeds) (seeds, error) {
	if len(from.facts) == 0 {
		return from, nil
	}
	ends, err := v.endsOf(ctx, from.facts)
	return seeds{entities: unique(append(slices.Clone(from.entities), ends...)), facts: []uuid.UUID{}}, err
}

// endsOf returns both entities of each fact, in the order of the facts.
func (v *view) endsOf(ctx context.Context, facts []uuid.UUID) ([]uuid.UUID, error) {
	ends := make(map[uuid.UUID][2]uuid.UUID, len(facts))
	if v.asKnown(graph.KindFact) {
		known, err := v.readFacts(ctx, facts)
		if err != nil {
			return nil, err
		}
		for id, f := range known {
			ends[id] = [2]uuid.UUID{f.SourceID, f.TargetID}
		}
	} else {
		rows, err := v.queries.FactEnds(ctx, db.FactEndsParams{GroupID: v.query.GroupID, Ids: facts})
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			ends[row.ID] = [2]uuid.UUID{row.SourceID, row.TargetID}
		}
	}
	var entities []uuid.UUID
	for _, id := range facts {
		if e, ok := ends[id]; ok {
			entities = append(entities, e[0], e[1])
		}
	}
	return entities, nil
}

// unique keeps the first of equal items.
func unique[T comparable](items []T) []T {
	seen := make(map[T]bool, len(items))
	kept := make([]T, 0, len(items))
	for _, item := range items {
		if !seen[item] {
			seen[item] = true
			kept = append(kept, item)
		}
	}
	return kept
}

func topIDs(found rankings) []uuid.UUID {
	return idsOf(fuse(seedHits, found.lists()...))
}
