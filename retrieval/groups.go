package retrieval

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/guard"
)

// groupsAtOnce is how many groups of one search are searched at the same time;
// each needs a connection.
const groupsAtOnce = 4

// searchGroups searches each group and fuses what it finds.
func (v *view) searchGroups(ctx context.Context, groups []string) (Result, error) {
	results := make([]Result, len(groups))
	tasks, ctx := errgroup.WithContext(ctx)
	tasks.SetLimit(groupsAtOnce)
	for i, group := range groups {
		tasks.Go(guard.Runs(func() error {
			one := *v
			one.query.GroupID = group
			one.explanation = newExplanation(v.query.Explain)
			var err error
			results[i], err = one.searchGroup(ctx)
			return err
		}))
	}
	if err := tasks.Wait(); err != nil {
		return Result{}, err
	}
	merged := mergeResults(results, v.query.Limit)
	merged.AsOf, merged.ValidAt, merged.Asked = v.query.readAt(), v.query.ValidAt, v.query.Text
	if v.explanation != nil {
		merged.Explanation = v.explanation
		v.explanation.merge(groups, results, merged)
	}
	return merged, nil
}

func mergeResults(results []Result, limit int) Result {
	results, knownOf := withKnownOf(results)
	return Result{
		KnownOf: knownOf,
		Facts:   mergeHits(results, limit, func(r Result) []FactHit { return r.Facts }, func(h *FactHit) *float64 { return &h.Score }),
		Entities: mergeHits(results, limit, func(r Result) []EntityHit { return r.Entities },
			func(h *EntityHit) *float64 { return &h.Score }),
		Episodes: mergeHits(results, limit, func(r Result) []EpisodeHit { return r.Episodes },
			func(h *EpisodeHit) *float64 { return &h.Score }),
		Communities: mergeHits(results, limit, func(r Result) []CommunityHit { return r.Communities },
			func(h *CommunityHit) *float64 { return &h.Score }),
		Observations: mergeHits(results, limit, func(r Result) []ObservationHit { return r.Observations },
			func(h *ObservationHit) *float64 { return &h.Score }),
		Threads: mergeHits(results, limit, func(r Result) []ThreadHit { return r.Threads }, func(h *ThreadHit) *float64 { return &h.Score }),
	}
}

// withKnownOf keeps the results of groups that know something of what is asked. If none does, it
// returns all of them, with the names of the entities whose other facts they hold.
func withKnownOf(results []Result) (telling []Result, names []string) {
	for _, r := range results {
		if names = append(names, r.KnownOf...); len(r.KnownOf) == 0 {
			telling = append(telling, r)
		}
	}
	if slices.ContainsFunc(telling, func(r Result) bool { return !r.IsEmpty() }) {
		return telling, nil
	}
	return results, names
}

// mergeHits fuses the rankings of groups by reciprocal rank fusion. A row is of one group, so its
// score is 1/(k + rank). Ties are broken by the score within the group, then by the order of the
// groups.
func mergeHits[Hit any](results []Result, limit int, hits func(Result) []Hit, score func(*Hit) *float64) []Hit {
	type ranked struct {
		hit   Hit
		rank  int
		score float64 // in its own group
	}
	var all []ranked
	for _, r := range results {
		for i, h := range hits(r) {
			all = append(all, ranked{h, i, *score(&h)})
		}
	}
	each.Sort(all, func(a, b ranked) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.score, a.score)) })
	merged := make([]Hit, min(limit, len(all)))
	for i := range merged {
		merged[i] = all[i].hit
		*score(&merged[i]) = 1 / float64(rankConstant+all[i].rank+1)
	}
	return merged
}

// merge adds the steps of each group's search, and the hits that are left, with their new order and
// score.
func (e *Explanation) merge(groups []string, results []Result, merged Result) {
	type key struct {
		group string
		kind  graph.Kind
		id    uuid.UUID
	}
	hits := map[key]ExplainedHit{}
	for i, r := range results {
		for _, step := range r.Explanation.Steps {
			step.Step = groups[i] + ": " + step.Step
			e.Steps = append(e.Steps, step)
		}
		for _, h := range r.Explanation.Hits {
			hits[key{h.GroupID, h.Kind, h.ID}] = h
		}
	}
	keep := func(group string, kind graph.Kind, id uuid.UUID, score float64) {
		hit := hits[key{group, kind, id}]
		hit.Score = score
		e.Hits = append(e.Hits, hit)
	}
	for _, h := range merged.Facts {
		keep(h.GroupID, graph.KindFact, h.ID, h.Score)
	}
	for _, h := range merged.Entities {
		keep(h.GroupID, graph.KindEntity, h.ID, h.Score)
	}
	for _, h := range merged.Episodes {
		keep(h.GroupID, graph.KindEpisode, h.ID, h.Score)
	}
	for _, h := range merged.Communities {
		keep(h.GroupID, graph.KindCommunity, h.ID, h.Score)
	}
}
