package retrieval

import (
	"context"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// rankings are what the methods found in one scope.
type rankings map[Method][]scored

// lists are the rankings in a fixed order.
func (r rankings) lists() [][]scored {
	var lists [][]scored
	for _, m := range []Method{MethodTerms, MethodVector, MethodGraph, MethodPhrase, MethodDates} {
		if len(r[m]) > 0 {
			lists = append(lists, r[m])
		}
	}
	return lists
}

// rank has the methods that need no other hits rank a scope.
func (v *view) rank(ctx context.Context, kind graph.Kind) (rankings, error) {
	found := rankings{}
	var err error
	if v.uses(MethodTerms) {
		stop := v.explanation.timed(string(kind) + " " + string(MethodTerms))
		found[MethodTerms], err = v.byTerms(ctx, kind)
		stop()
		if err != nil {
			return nil, err
		}
		if err := v.findPhrases(ctx, kind, found); err != nil {
			return nil, err
		}
	}
	if v.uses(MethodVector) {
		stop := v.explanation.timed(string(kind) + " " + string(MethodVector))
		found[MethodVector], err = v.byVector(ctx, kind)
		stop()
	}
	if kind == graph.KindEpisode && v.lexical() && len(found[MethodTerms]) > 0 {
		delete(found, MethodVector) // it knows the same words, and less of them
	}
	return found, err
}

// lexical reports whether the vectors are of spellings, not of meanings.
func (v *view) lexical() bool {
	e, ok := v.searcher.embedder.(interface{ Lexical() bool })
	return ok && e.Lexical()
}

func (v *view) byTerms(ctx context.Context, kind graph.Kind) ([]scored, error) {
	if kind == graph.KindEpisode {
		return v.episodesByTerms(ctx)
	}
	if v.asKnown(kind) {
		return v.knownByTerms(ctx, kind)
	}
	return rankingOf(v.queries.RankByTerms(ctx, db.RankByTermsParams{
		GroupID: v.query.GroupID, Query: v.query.Text, Kind: kind, Narrowed: v.narrowed, Filter: v.filter, ValidAt: v.validAt(),
		KnownAt: v.knownAt(), IncludeEnded: v.query.IncludeEnded, MaxRows: v.maxRows(),
	}))
}

func (v *view) byVector(ctx context.Context, kind graph.Kind) ([]scored, error) {
	if v.asKnown(kind) {
		return v.knownByVector(ctx, kind)
	}
	near, err := v.queries.NearestRows(ctx, db.Nearest{
		Kind: kind, GroupID: v.query.GroupID, Model: v.model, Vector: v.vector, Limit: int(v.maxRows()), Narrowed: v.narrowed,
		Filter: v.filter, ValidAt: v.validAt(), KnownAt: v.knownAt(), IncludeEnded: v.query.IncludeEnded, Indexes: v.indexes,
	})
	ranking := make([]scored, len(near))
	for i, n := range near {
		ranking[i] = scored(n)
	}
	return ranking, err
}

// Of a scope, whose entities a walk starts from.
const seedHits = 5

// walk adds the rankings by distance from the seeds: breadth-first search.
func (v *view) walk(ctx context.Context, found map[graph.Kind]rankings) error {
	defer v.explanation.timed(string(MethodGraph))()
	seeds, err := v.seeds(ctx, found)
	if err != nil || len(seeds) == 0 {
		return err
	}
	reached, err := v.queries.Neighborhood(ctx, db.NeighborhoodParams{
		GroupID: v.query.GroupID, SeedIds: seeds, Hops: int32(v.query.Hops), ValidAt: v.validAt(), KnownAt: v.knownAt(), MaxRows: v.maxRows(),
	})
	if err != nil {
		return err
	}
	if v.wants(graph.KindEntity) {
		found[graph.KindEntity][MethodGraph] = v.nearEntities(reached)
	}
	if !v.wants(graph.KindFact) {
		return nil
	}
	ids := make([]uuid.UUID, len(reached))
	for i, r := range reached {
		ids[i] = r.ID
	}
	if v.asKnown(graph.KindFact) {
		found[graph.KindFact][MethodGraph], err = v.knownAround(ctx, ids)
		return err
	}
	found[graph.KindFact][MethodGraph], err = rankingOf(v.queries.FactsAround(ctx, db.FactsAroundParams{
		GroupID: v.query.GroupID, EntityIds: ids, Narrowed: v.narrowed, Filter: v.filter, ValidAt: v.validAt(), KnownAt: v.knownAt(),
		IncludeEnded: v.query.IncludeEnded, MaxRows: v.maxRows(),
	}))
	return err
}

func (v *view) nearEntities(reached []db.NeighborhoodRow) []scored {
	var near []scored
	for _, r := range reached[:min(len(reached), v.candidates())] {
		near = append(near, scored{r.ID, 1 / float64(1+r.Distance)})
	}
	return near
}

// seeds are the entities that the query names, else those of its first hits
// and, where it asks for them, of the latest episodes.
func (v *view) seeds(ctx context.Context, found map[graph.Kind]rankings) ([]uuid.UUID, error) {
	seeds := v.query.Seeds
	if v.query.SeedRecent > 0 {
		recent, err := v.queries.EntitiesRecent(ctx, db.EntitiesRecentParams{
			GroupID: v.query.GroupID, Episodes: int32(v.query.SeedRecent), MaxRows: seedHits,
		})
		if err != nil {
			return nil, err
		}
		seeds = append(seeds[:len(seeds):len(seeds)], recent...)
	}
	if len(v.query.Seeds) > 0 {
		return seeds, nil
	}
	seeds = append(seeds, topIDs(found[graph.KindEntity])...)
	facts, err := v.readFacts(ctx, topIDs(found[graph.KindFact]))
	for _, f := range facts {
		seeds = append(seeds, f.SourceID, f.TargetID)
	}
	if len(seeds) > 0 || err != nil {
		return seeds, err
	}
	mentioned, err := v.queries.EntitiesOfEpisodes(ctx, db.EntitiesOfEpisodesParams{
		GroupID: v.query.GroupID, EpisodeIds: topIDs(found[graph.KindEpisode]), MaxRows: seedHits,
	})
	for _, m := range mentioned {
		seeds = append(seeds, m.ID)
	}
	return seeds, err
}

func topIDs(found rankings) []uuid.UUID {
	ids := []uuid.UUID{}
	for _, s := range fuse(seedHits, found.lists()...) {
		ids = append(ids, s.ID)
	}
	return ids
}
