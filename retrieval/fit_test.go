package retrieval

import (
	"math"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"
)

// Only the relative similarities count: an embedder with twice the differences, at another level,
// gives the same.
func TestNearnessKnowsNoScale(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		likenesses := rapid.SliceOfN(rapid.Float64Range(-0.2, 0.4), 1, 60).Draw(t, "likenesses")
		likenesses = append(likenesses, 0.4, -0.2) // far enough apart to count in full
		most := rapid.IntRange(2, 70).Draw(t, "most")
		near, other := ranked(likenesses, 1, 0), ranked(likenesses, 1.9, 0.1)
		if near[0].Score-near[min(most, len(near))-1].Score < leastSpread {
			return
		}
		here, there := nearness(near, most), nearness(other, most)
		for id, n := range here {
			if n < 0 || n > 1 || math.Abs(n-there[id]) > 1e-9 {
				t.Fatalf("%v, with the other embedder %v", n, there[id])
			}
		}
		if here[near[0].ID] != 1 {
			t.Fatalf("the nearest counts %v", here[near[0].ID])
		}
	})
}

// ranked is a ranking of rows by similarities, scaled by a factor and shifted.
func ranked(likenesses []float64, factor, by float64) []scored {
	scores := map[uuid.UUID]float64{}
	for i, likeness := range likenesses {
		scores[uuid.UUID{15: byte(i)}] = likeness*factor + by
	}
	return bestOf(len(scores), scores)
}

// If all texts are similar, their vectors say nothing, whatever the embedder.
func TestOfTextsAlikeNoneIsNear(t *testing.T) {
	t.Parallel()
	alike := nearness(ranked([]float64{0.81, 0.80, 0.80, 0.80}, 1, 0), 200)
	for id, n := range alike {
		if n > 0.06 {
			t.Errorf("%v counts %v", id, n)
		}
	}
	if only := nearness(ranked([]float64{0.9}, 1, 0), 200); only[uuid.UUID{}] != 0 {
		t.Errorf("the only row counts %v", only)
	}
	if none := nearness(nil, 200); len(none) != 0 {
		t.Errorf("of none: %v", none)
	}
}
