package retrieval

import (
	"math"
	"slices"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"
)

// naiveMMR follows the definition word by word.
func naiveMMR(query []float32, hits []scored, vectors map[uuid.UUID][]float32, lambda float64) []uuid.UUID {
	var taken []uuid.UUID
	for len(taken) < len(hits) {
		best, choice := math.Inf(-1), uuid.Nil
		for _, h := range hits {
			if slices.Contains(taken, h.ID) {
				continue
			}
			value := lambda * cosine(query, vectors[h.ID])
			redundancy := math.Inf(-1)
			for _, t := range taken {
				redundancy = max(redundancy, cosine(vectors[h.ID], vectors[t]))
			}
			if len(taken) > 0 {
				value -= (1 - lambda) * redundancy
			}
			if value > best {
				best, choice = value, h.ID
			}
		}
		taken = append(taken, choice)
	}
	return taken
}

func TestMarginalRelevanceIsGreedy(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		vector := rapid.SliceOfN(rapid.Float32Range(-1, 1), 3, 3)
		var hits []scored
		vectors := map[uuid.UUID][]float32{}
		for i := range rapid.IntRange(0, 12).Draw(t, "hits") {
			id := uuid.UUID{byte(i + 1)}
			hits = append(hits, scored{id, 1})
			if rapid.IntRange(0, 9).Draw(t, "has a vector") > 0 {
				vectors[id] = vector.Draw(t, "vector")
			}
		}
		query, lambda := vector.Draw(t, "query"), rapid.Float64Range(0, 1).Draw(t, "lambda")
		got := marginalRelevance(query, hits, vectors, lambda)
		if want := naiveMMR(query, hits, vectors, lambda); !slices.Equal(idsOf(got), want) {
			t.Fatalf("order %v, want %v", idsOf(got), want)
		}
		for i := 2; i < len(got); i++ {
			if got[i].Score > got[i-1].Score+1e-9 {
				t.Fatalf("the value rises from %v to %v", got[i-1].Score, got[i].Score)
			}
		}
	})
}
