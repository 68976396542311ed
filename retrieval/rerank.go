package retrieval

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/retrieval/prose"
)

func (o ordering) rerank(ctx context.Context, r Rerank, hits []scored) ([]scored, error) {
	if len(hits) == 0 {
		return hits, nil
	}
	switch r {
	case RerankMMR:
		return o.byMarginalRelevance(ctx, hits)
	case RerankMentions:
		return o.byMentions(ctx, hits)
	case RerankSalience:
		return o.bySalience(ctx, hits)
	case RerankDistance:
		return o.byDistance(ctx, hits)
	}
	return o.byModel(ctx, hits)
}

func idsOf(hits []scored) []uuid.UUID {
	return each.Of(hits, func(h scored) uuid.UUID { return h.ID })
}

func (o ordering) byMarginalRelevance(ctx context.Context, hits []scored) ([]scored, error) {
	vectors, err := o.readVectors(ctx, idsOf(hits))
	if err != nil {
		return nil, err
	}
	return marginalRelevance(o.vector, hits, vectors, o.query.Lambda), nil
}

// marginalRelevance orders hits by maximal marginal relevance (Carbonell and Goldstein, SIGIR
// 1998). It takes in turn the hit that is nearest to the query and farthest from those taken
// before, by λ·sim(query, hit) − (1−λ)·max sim(hit, taken). A hit without a vector is similar to
// nothing. Ties keep their former order.
func marginalRelevance(query []float32, hits []scored, vectors map[uuid.UUID][]float32, lambda float64) []scored {
	nearest := make([]float64, len(hits)) // similarity to the nearest that was taken
	for i := range nearest {
		nearest[i] = math.Inf(-1)
	}
	left := make([]int, len(hits))
	for i := range left {
		left[i] = i
	}
	ordered := make([]scored, 0, len(hits))
	for len(left) > 0 {
		best, at := math.Inf(-1), 0
		for place, i := range left {
			value := lambda * cosine(query, vectors[hits[i].ID])
			if len(ordered) > 0 {
				value -= (1 - lambda) * nearest[i]
			}
			if value > best {
				best, at = value, place
			}
		}
		taken := left[at]
		ordered = append(ordered, scored{hits[taken].ID, best})
		left = slices.Delete(left, at, at+1)
		for _, i := range left {
			nearest[i] = max(nearest[i], cosine(vectors[hits[i].ID], vectors[hits[taken].ID]))
		}
	}
	return ordered
}

// cosine is the similarity of two vectors; 0 where one is missing.
func cosine(a, b []float32) float64 {
	if len(a) != len(b) || len(a) == 0 {
		return 0
	}
	var dot, x, y float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		x += float64(a[i]) * float64(a[i])
		y += float64(b[i]) * float64(b[i])
	}
	if x == 0 || y == 0 {
		return 0
	}
	return dot / math.Sqrt(x*y)
}

// byMentions orders facts by how many episodes state them and entities by how
// many mention them, the most first. Other scopes stay as they are.
func (o ordering) byMentions(ctx context.Context, hits []scored) ([]scored, error) {
	if o.kind != graph.KindFact && o.kind != graph.KindEntity {
		return hits, nil
	}
	counts, err := o.mentionsOf(ctx, idsOf(hits))
	if err != nil {
		return nil, err
	}
	return reordered(hits, func(h scored) float64 { return counts[h.ID] }), nil
}

// mentionsOf counts the episodes that state facts or mention entities.
func (o ordering) mentionsOf(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]float64, error) {
	counts := make(map[uuid.UUID]float64, len(ids))
	switch o.kind {
	case graph.KindFact:
		facts, err := o.readFacts(ctx, ids)
		for id, f := range facts {
			counts[id] = float64(len(f.Episodes))
		}
		return counts, err
	case graph.KindEntity:
		rows, err := o.queries.EntityMentions(ctx, db.EntityMentionsParams{GroupID: o.query.GroupID, Ids: ids})
		for _, row := range rows {
			counts[row.EntityID] = float64(row.Mentions)
		}
		return counts, err
	}
	return counts, nil
}

// The most entities whose distance from the center is looked up.
const maxMeasured = 3000

// byDistance orders entities by how far they are from the center, and facts
// by their nearer end. The score is 1/(1+hops), 0 beyond MaxHops. Other scopes
// stay as they are.
func (o ordering) byDistance(ctx context.Context, hits []scored) ([]scored, error) {
	if o.kind != graph.KindFact && o.kind != graph.KindEntity {
		return hits, nil
	}
	reached, err := o.queries.Neighborhood(ctx, db.NeighborhoodParams{
		GroupID: o.query.GroupID, SeedIds: []uuid.UUID{o.query.Center}, Hops: MaxHops, ValidAt: o.validAt(), KnownAt: o.knownAt(),
		MaxRows: maxMeasured,
	})
	if err != nil {
		return nil, err
	}
	nearness := each.Map(reached, func(r db.NeighborhoodRow) (uuid.UUID, float64) { return r.ID, 1 / float64(1+r.Distance) })
	if o.kind == graph.KindEntity {
		return reordered(hits, func(h scored) float64 { return nearness[h.ID] }), nil
	}
	facts, err := o.readFacts(ctx, idsOf(hits))
	if err != nil {
		return nil, err
	}
	return reordered(hits, func(h scored) float64 {
		f := facts[h.ID]
		return max(nearness[f.SourceID], nearness[f.TargetID])
	}), nil
}

// The most hits of a scope that a model reads, as each adds to the cost.
const maxRead = 50

// byModel has a model read the query with the text of each of the first hits. The other hits are
// left out.
func (o ordering) byModel(ctx context.Context, hits []scored) ([]scored, error) {
	hits = hits[:min(len(hits), maxRead)]
	texts, err := o.texts(ctx, hits)
	if err != nil {
		return nil, err
	}
	scores, err := o.searcher.reranker.Rerank(ctx, o.query.Text, texts)
	if err == nil && len(scores) != len(texts) {
		err = fmt.Errorf("%s answered with %s for %s", o.searcher.reranker.Name(), each.Count(len(scores), "score"), each.Count(len(texts), "text"))
	}
	if err != nil {
		return nil, &rerankFailure{err}
	}
	byID := make(map[uuid.UUID]float64, len(hits))
	for i, h := range hits {
		byID[h.ID] = scores[i]
	}
	return reordered(hits, func(h scored) float64 { return byID[h.ID] }), nil
}

// rerankFailure is the error of a reranking model.
type rerankFailure struct{ err error }

func (f *rerankFailure) Error() string { return "rerank: " + f.err.Error() }
func (f *rerankFailure) Unwrap() error { return f.err }

// texts returns the texts of the hits for a model.
func (o ordering) texts(ctx context.Context, hits []scored) ([]string, error) {
	rows, err := o.rowsOf(ctx, o.kind, idsOf(hits))
	text := make(map[uuid.UUID]string, len(hits))
	for id, f := range factsOf(rows) {
		text[id] = f.Fact
	}
	for id, e := range entitiesOf(rows) {
		text[id] = prose.Named(e.Name, e.Summary)
	}
	for id, e := range episodesOf(rows) {
		text[id] = prose.Named(e.Speaker(), e.Content)
	}
	for id, c := range communitiesOf(rows) {
		text[id] = prose.Named(c.Name, c.Summary)
	}
	return each.Of(hits, func(h scored) string { return text[h.ID] }), err
}

// reordered gives hits new scores, the best first; equal ones keep their order.
func reordered(hits []scored, score func(scored) float64) []scored {
	out := make([]scored, len(hits))
	for i, h := range hits {
		out[i] = scored{h.ID, score(h)}
	}
	slices.SortStableFunc(out, func(a, b scored) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	return out
}
