package ranking_test

import (
	"math"
	"slices"
	"testing"

	"github.com/annalsdb/annals/eval/ranking"
)

func hit(tokens int, sources ...string) ranking.Hit {
	h := ranking.Hit{Tokens: tokens}
	for _, turn := range sources {
		h.Sources = append(h.Sources, ranking.Source{Turn: turn, Session: turn[:1]})
	}
	return h
}

// A fact made from two turns, one of which comes up again by itself.
var found = ranking.Ranking{hit(10, "a1", "b1"), hit(20, "a1"), hit(30, "c1"), hit(5, "a2")}

func TestDistinctTurnsAndSessions(t *testing.T) {
	t.Parallel()
	if got, want := found.Turns(), []string{"a1", "b1", "c1", "a2"}; !slices.Equal(got, want) {
		t.Errorf("turns %q, want %q", got, want)
	}
	if got, want := found.Sessions(), []string{"a", "b", "c"}; !slices.Equal(got, want) {
		t.Errorf("sessions %q, want %q", got, want)
	}
}

func TestWithin(t *testing.T) {
	t.Parallel()
	for tokens, want := range map[int]int{0: 0, 9: 0, 10: 1, 29: 1, 30: 2, 59: 2, 60: 3, 64: 3, 65: 4, 1000: 4} {
		if got := len(found.Within(tokens)); got != want {
			t.Errorf("%d hits fit into %d tokens, want %d: a small one does not get past one that is too large", got, tokens, want)
		}
	}
}

func TestMeasures(t *testing.T) {
	t.Parallel()
	gold := ranking.Gold{Turns: []string{"a2", "b1"}, Sessions: []string{"a", "b"}}
	for _, tt := range []struct {
		measure ranking.Measure
		name    string
		want    float64
	}{
		{ranking.TurnRecall(1), "turn R@1", 0},
		{ranking.TurnRecall(2), "turn R@2", 0.5},
		{ranking.TurnReciprocalRank(), "turn MRR", 0.5},
		{ranking.TurnNDCG(10), "turn nDCG@10", (1/math.Log2(3) + 1/math.Log2(5)) / (1 + 1/math.Log2(3))},
		{ranking.SessionAny(1), "session any@1", 1},
		{ranking.SessionAll(1), "session all@1", 0},
		{ranking.SessionAll(2), "session all@2", 1},
		{ranking.SessionNDCG(5), "session NDCG@5", 1},
		{ranking.BudgetRecall(9), "turns in 9 tokens", 0},
		{ranking.BudgetRecall(30), "turns in 30 tokens", 0.5},
		{ranking.BudgetRecall(65), "turns in 65 tokens", 1},
	} {
		if tt.measure.Name != tt.name {
			t.Errorf("%s is called %s", tt.name, tt.measure.Name)
		}
		if got := tt.measure.Of(found, gold); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%s is %v, want %v", tt.name, got, tt.want)
		}
		if got := tt.measure.Of(nil, gold); got != 0 {
			t.Errorf("%s of nothing is %v, want 0", tt.name, got)
		}
		if got := tt.measure.Of(found, ranking.Gold{}); !math.IsNaN(got) {
			t.Errorf("%s without gold is %v, want none", tt.name, got)
		}
	}
	whole := ranking.Ranking{{Sources: []ranking.Source{{Session: "a"}}}}
	if got := ranking.TurnRecall(5).Of(whole, gold); !math.IsNaN(got) {
		t.Errorf("sessions have a turn recall of %v", got)
	}
	if got := ranking.BudgetRecall(5).Of(whole, gold); !math.IsNaN(got) {
		t.Errorf("sessions show turns: %v", got)
	}
	if got := ranking.SessionAny(1).Of(whole, gold); got != 1 {
		t.Errorf("sessions have any@1 of %v, want 1", got)
	}
}
