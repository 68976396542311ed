package retrieval

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/retrieval/bm25"
	"github.com/annalsdb/annals/retrieval/prose"
)

const (
	// mostObservations is how many observations of a group are scored: those with most proof.
	mostObservations = 2000

	// Each doubling of the proof adds proofStep to the weight, up to proofMost, so that proof only
	// decides between observations that fit about equally.
	proofStep, proofMost = 0.05, 0.2
)

// observations ranks observations by the words that they share with the query, as they were
// believed and held at the times asked for.
func (v *view) observations(ctx context.Context) ([]ObservationHit, error) {
	defer v.explanation.timed(string(graph.KindObservation))()
	rows, err := v.queries.ObservationList(ctx, db.ObservationListParams{
		GroupID: v.query.GroupID, KnownAt: v.knownAt(), ValidAt: v.validAt(), Ended: v.query.IncludeEnded && v.query.ValidAt.IsZero(), MaxRows: mostObservations,
		ToldBy: v.query.Filter.ToldBy,
	})
	if err != nil {
		return nil, err
	}
	texts := make([][]string, len(rows))
	total := 0
	for i, row := range rows {
		texts[i] = prose.TellingWords(row.Subject + " " + row.Observation)
		total += len(texts[i])
	}
	hits := []ObservationHit{}
	for i, score := range wordScores(unique(prose.TellingWords(v.query.Text)), texts, total) {
		if score <= 0 {
			continue
		}
		o := db.Observation(v.query.GroupID, rows[i])
		hits = append(hits, ObservationHit{o, score * proofWeight(o)})
	}
	each.Sort(hits, func(a, b ObservationHit) int { return cmp.Compare(b.Score, a.Score) })
	hits = slices.DeleteFunc(hits, func(h ObservationHit) bool { return v.scoresTooLittle(h.Score) })
	return hits[:min(v.query.Limit, len(hits))], nil
}

// proofWeight is the factor for the proof of an observation, less what speaks against it: 1 to 1 +
// proofMost.
func proofWeight(o graph.Observation) float64 {
	return 1 + min(proofStep*math.Log2(float64(max(o.Proof-o.Against, 1))), proofMost)
}

// wordScores scores texts by Okapi BM25, counting the forms of a word as one.
func wordScores(words []string, texts [][]string, total int) []float64 {
	scores := make([]float64, len(texts))
	if total == 0 {
		return scores
	}
	mean := float64(total) / float64(len(texts))
	for _, word := range words {
		counts := make([]float64, len(texts))
		holders := 0.0
		for i, text := range texts {
			for _, other := range text {
				if prose.Alike(word, other) {
					counts[i]++
				}
			}
			if counts[i] > 0 {
				holders++
			}
		}
		for i, n := range counts {
			if n > 0 {
				scores[i] += bm25.IDF(float64(len(texts)), holders) * bm25.Saturated(n, float64(len(texts[i]))/mean)
			}
		}
	}
	return scores
}
