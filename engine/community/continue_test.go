package community

import (
	"slices"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"
)

func TestContinuations(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		found, stored := partition(t, "found"), partition(t, "stored")
		continues, gone := continuations(found, stored)
		taken := map[int]bool{}
		for i, j := range continues {
			if j < 0 {
				continue
			}
			if taken[j] {
				t.Errorf("community %d is continued twice", j)
			}
			taken[j] = true
			if jaccard(found[i], stored[j]) < 0.5 {
				t.Errorf("%v continues %v", found[i], stored[j])
			}
		}
		if len(gone)+len(taken) != len(stored) {
			t.Errorf("%d continued and %d gone of %d", len(taken), len(gone), len(stored))
		}
		for _, j := range gone {
			for i := range found {
				if continues[i] < 0 && jaccard(found[i], stored[j]) >= 0.5 {
					t.Errorf("%v should continue %v", found[i], stored[j])
				}
			}
		}
		self, none := continuations(stored, stored)
		for i, j := range self {
			if i != j || len(none) != 0 {
				t.Fatalf("communities that did not change continue as %v", self)
			}
		}
	})
}

// partition draws a partition of some of twelve entities.
func partition(t *rapid.T, label string) [][]uuid.UUID {
	parts := make([][]uuid.UUID, 4)
	for i := range byte(12) {
		if p := rapid.IntRange(0, 4).Draw(t, label); p < 4 {
			parts[p] = append(parts[p], uuid.UUID{15: i})
		}
	}
	return slices.DeleteFunc(parts, func(p []uuid.UUID) bool { return len(p) < 2 })
}

func jaccard(a, b []uuid.UUID) float64 {
	shared := 0
	for _, id := range a {
		if slices.Contains(b, id) {
			shared++
		}
	}
	return float64(shared) / float64(len(a)+len(b)-shared)
}
