package retrieval

import (
	"math"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"
)

// Fusion equals the formula of the paper worked out row by row.
func TestFuseEqualsTheFormula(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		universe := make([]uuid.UUID, 12)
		for i := range universe {
			universe[i] = uuid.UUID{15: byte(i)}
		}
		draw := func(name string) []scored {
			var ranking []scored
			for _, id := range rapid.Permutation(universe).Draw(t, name)[:rapid.IntRange(0, 12).Draw(t, name+" length")] {
				ranking = append(ranking, scored{ID: id})
			}
			return ranking
		}
		a, b := draw("a"), draw("b")
		fused := fuse(100, a, b)
		for i, got := range fused {
			want := reciprocalRank(a, got.ID) + reciprocalRank(b, got.ID)
			if math.Abs(got.Score-want) > 1e-12 {
				t.Fatalf("score %v, want %v", got.Score, want)
			}
			if i > 0 && bestFirst(fused[i-1], got) >= 0 {
				t.Fatalf("%v is placed before %v", fused[i-1], got)
			}
		}
		distinct := map[uuid.UUID]bool{}
		for _, s := range append(a, b...) {
			distinct[s.ID] = true
		}
		if len(fused) != len(distinct) {
			t.Fatalf("%d rows fused, want %d", len(fused), len(distinct))
		}
	})
}

func reciprocalRank(ranking []scored, id uuid.UUID) float64 {
	for i, s := range ranking {
		if s.ID == id {
			return 1 / (60 + float64(i) + 1)
		}
	}
	return 0
}

func TestFuseKeepsTheLimit(t *testing.T) {
	t.Parallel()
	ranking := []scored{{ID: uuid.UUID{1}}, {ID: uuid.UUID{2}}, {ID: uuid.UUID{3}}}
	if got := fuse(2, ranking); len(got) != 2 || got[0].ID != ranking[0].ID {
		t.Errorf("fuse = %v", got)
	}
}
