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
	// So many observations of a group are looked through, those with most proof.
	mostObservations = 2000

	// How far proof lifts an observation: each doubling by a twentieth, and a fifth at
	// the most, so that it decides between what fits about as well and no more.
	proofStep, proofMost = 0.05, 0.2
)

// observations ranks observations by the words that they share with the query, as
// they were believed and held at the times asked for.
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

// proofWeight is what an observation's score is multiplied by for its proof, less what
// speaks against it: 1 to 1 + proofMost.
func proofWeight(o graph.Observation) float64 {
	return 1 + min(proofStep*math.Log2(float64(max(o.Proof-o.Against, 1))), proofMost)
}

// wordScores ranks texts by Okapi BM25 for the words, forms of one word taken as one.
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
