package retrieval

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"
)

// naiveFusion picks the best of what is left, time and again.
func naiveFusion(limit int, rankings [][]scored) []scored {
	score := func(id uuid.UUID) float64 {
		sum := 0.0
		for _, ranking := range rankings {
			for i, s := range ranking {
				if s.ID == id {
					sum += 1 / float64(60+i+1)
				}
			}
		}
		return sum
	}
	var fused []scored
	for len(fused) < limit {
		best := scored{Score: math.Inf(-1)}
		for _, ranking := range rankings {
			for _, s := range ranking {
				taken := slices.ContainsFunc(fused, func(f scored) bool { return f.ID == s.ID })
				value := score(s.ID)
				if !taken && (value > best.Score || value == best.Score && bytes.Compare(s.ID[:], best.ID[:]) < 0) {
					best = scored{s.ID, value}
				}
			}
		}
		if math.IsInf(best.Score, -1) {
			break
		}
		fused = append(fused, best)
	}
	return fused
}

// Any number of rankings, fused up to any limit, give the result of the naive fusion.
func TestFuseEqualsNaiveFusion(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		universe := make([]uuid.UUID, 10)
		for i := range universe {
			universe[i] = uuid.UUID{byte(i * 37), byte(i)}
		}
		var rankings [][]scored
		for range rapid.IntRange(0, 5).Draw(t, "rankings") {
			var ranking []scored
			for _, id := range rapid.Permutation(universe).Draw(t, "order")[:rapid.IntRange(0, 10).Draw(t, "length")] {
				ranking = append(ranking, scored{id, rapid.Float64().Draw(t, "score")})
			}
			rankings = append(rankings, ranking)
		}
		limit := rapid.IntRange(0, 12).Draw(t, "limit")
		got, want := fuse(limit, rankings...), naiveFusion(limit, rankings)
		if !slices.Equal(got, want) {
			t.Fatalf("fused %v, want %v", got, want)
		}
	})
}

// drawVectors draws vectors of few values: many are equal, and some are missing.
func drawVectors(t *rapid.T) (hits []scored, vectors map[uuid.UUID][]float32) {
	vectors = map[uuid.UUID][]float32{}
	for i := range rapid.IntRange(0, 10).Draw(t, "hits") {
		id := uuid.UUID{15: byte(i + 1)}
		hits = append(hits, scored{id, 1})
		if rapid.IntRange(0, 5).Draw(t, "has a vector") > 0 {
			vectors[id] = drawVector(t)
		}
	}
	return hits, vectors
}

func drawVector(t *rapid.T) []float32 {
	return rapid.SliceOfN(rapid.SampledFrom([]float32{-1, 0, 0.5, 1}), 3, 3).Draw(t, "vector")
}

// Equal hits keep their order, and the value of each is the one of the definition, also at the
// bounds of lambda.
func TestMarginalRelevanceOfEqualHits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		hits, vectors := drawVectors(t)
		query, lambda := drawVector(t), rapid.SampledFrom([]float64{0, 0.3, 0.5, 1}).Draw(t, "lambda")
		got := marginalRelevance(query, hits, vectors, lambda)
		if want := naiveMMR(query, hits, vectors, lambda); !slices.Equal(idsOf(got), want) {
			t.Fatalf("order %v, want %v", idsOf(got), want)
		}
		for i, h := range got {
			value := lambda * cosine(query, vectors[h.ID])
			nearest := math.Inf(-1)
			for _, taken := range got[:i] {
				nearest = max(nearest, cosine(vectors[h.ID], vectors[taken.ID]))
			}
			if i > 0 {
				value -= (1 - lambda) * nearest
			}
			if math.Abs(h.Score-value) > 1e-12 {
				t.Fatalf("hit %d has the value %v, want %v", i, h.Score, value)
			}
		}
	})
}

func TestCosine(t *testing.T) {
	t.Parallel()
	vector := rapid.SliceOfN(rapid.Float32Range(-1e3, 1e3), 0, 8)
	rapid.Check(t, func(t *rapid.T) {
		a, b := vector.Draw(t, "a"), vector.Draw(t, "b")
		c := cosine(a, b)
		if other := cosine(b, a); c != other {
			t.Fatalf("%v one way, %v the other", c, other)
		}
		if math.IsNaN(c) || math.Abs(c) > 1+1e-9 {
			t.Fatalf("a similarity of %v", c)
		}
		if self := cosine(a, a); self != 0 && math.Abs(self-1) > 1e-9 {
			t.Fatalf("a vector is %v like itself", self)
		}
		double := make([]float32, len(a))
		for i, x := range a {
			double[i] = -2 * x
		}
		if opposite := cosine(double, b); math.Abs(opposite+c) > 1e-9 {
			t.Fatalf("its opposite is %v like what it is %v like", opposite, c)
		}
	})
}
