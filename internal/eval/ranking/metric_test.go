package ranking_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/annalsdb/annals/internal/eval/ranking"
)

func ExampleRecall() {
	ranked := []string{"D1:3", "D2:1", "D1:7"}
	gold := []string{"D1:7", "D2:1", "D9:9"}
	fmt.Printf("%.2f %.2f %.2f\n", ranking.Recall(ranked, gold, 1), ranking.Recall(ranked, gold, 2), ranking.Recall(ranked, gold, 50))
	// Output: 0.00 0.33 0.67
}

// The expected numbers are calculated by hand.
func TestMetrics(t *testing.T) {
	t.Parallel()
	log2 := math.Log2
	for _, tt := range []struct {
		name         string
		ranked, gold []string
		k            int
		recall, any  float64
		all, mrr     float64
		ndcg, theirs float64 // usual and LongMemEval's
	}{
		{"nothing found", nil, []string{"a"}, 5, 0, 0, 0, 0, 0, 0},
		{"at the top", []string{"a", "b"}, []string{"a"}, 5, 1, 1, 1, 1, 1, 1},
		{"second", []string{"b", "a"}, []string{"a"}, 5, 1, 1, 1, 0.5, 1 / log2(3), 1},
		{"third", []string{"b", "c", "a"}, []string{"a"}, 5, 1, 1, 1, 1.0 / 3, 1 / log2(4), 1 / log2(3)},
		{"behind k", []string{"b", "c", "a"}, []string{"a"}, 2, 0, 0, 0, 1.0 / 3, 0, 0},
		{
			"one of two, third",
			[]string{"x", "y", "b", "a"},
			[]string{"a", "b"},
			3, 0.5, 1, 0, 1.0 / 3,
			(1 / log2(4)) / (1 + 1/log2(3)), (1 / log2(3)) / 2,
		},
		{
			"all of three",
			[]string{"a", "x", "b", "c"},
			[]string{"a", "b", "c"},
			4, 1, 1, 1, 1,
			(1 + 1/log2(4) + 1/log2(5)) / (1 + 1/log2(3) + 1/log2(4)), (1 + 1/log2(3) + 1/log2(4)) / (2 + 1/log2(3)),
		},
		{
			"more gold than k",
			[]string{"a", "b", "c"},
			[]string{"a", "b", "c"},
			2, 2.0 / 3, 1, 0, 1,
			1, 1,
		},
	} {
		for name, pair := range map[string][2]float64{
			"recall": {ranking.Recall(tt.ranked, tt.gold, tt.k), tt.recall},
			"any":    {ranking.Any(tt.ranked, tt.gold, tt.k), tt.any},
			"all":    {ranking.All(tt.ranked, tt.gold, tt.k), tt.all},
			"MRR":    {ranking.ReciprocalRank(tt.ranked, tt.gold), tt.mrr},
			"NDCG":   {ranking.NDCG(tt.ranked, tt.gold, tt.k), tt.ndcg},
			"theirs": {ranking.LongMemEvalNDCG(tt.ranked, tt.gold, tt.k), tt.theirs},
		} {
			if math.Abs(pair[0]-pair[1]) > 1e-12 {
				t.Errorf("%s: %s is %v, want %v", tt.name, name, pair[0], pair[1])
			}
		}
	}
}

func TestMetricsHold(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.Permutation(slices.Collect(func(yield func(string) bool) {
			for i := range 20 {
				if !yield(fmt.Sprint(i)) {
					return
				}
			}
		})).Draw(t, "ids")
		ranked := ids[:rapid.IntRange(0, 20).Draw(t, "ranked")]
		gold := rapid.Permutation(ids).Draw(t, "gold")[:rapid.IntRange(1, 6).Draw(t, "of gold")]
		before := 0.0
		for k := 1; k <= 25; k++ {
			recall := ranking.Recall(ranked, gold, k)
			if recall < before || recall > 1 {
				t.Fatalf("recall@%d is %v after %v", k, recall, before)
			}
			before = recall
			if all := ranking.All(ranked, gold, k); (all == 1) != (recall == 1) {
				t.Fatalf("all@%d is %v with a recall of %v", k, all, recall)
			}
			if some := ranking.Any(ranked, gold, k); (some == 1) != (recall > 0) {
				t.Fatalf("any@%d is %v with a recall of %v", k, some, recall)
			}
			for _, gain := range []float64{ranking.NDCG(ranked, gold, k), ranking.LongMemEvalNDCG(ranked, gold, k)} {
				if gain < 0 || gain > 1+1e-12 || (gain > 0) != (recall > 0) {
					t.Fatalf("NDCG@%d is %v with a recall of %v", k, gain, recall)
				}
			}
		}
		best := slices.Concat(gold, slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(gold, id) }))
		if got := ranking.NDCG(best, gold, 10); math.Abs(got-1) > 1e-12 {
			t.Fatalf("the best ranking has an NDCG of %v", got)
		}
	})
}
