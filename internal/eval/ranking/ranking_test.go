package ranking_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/eval/ranking"
)

func hit(tokens int, sources ...string) ranking.Hit {
	h := ranking.Hit{Tokens: tokens}
	for _, turn := range sources {
		h.Sources = append(h.Sources, ranking.Source{Turn: turn, Session: turn[:1]})
	}
	return h
}

// A fact from two turns, one of which is also a hit of its own.
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
	if got := ranking.SessionAny(1).Of(whole, gold); got != 1 {
		t.Errorf("sessions have any@1 of %v, want 1", got)
	}
}

// The hits within 30 and within 65 tokens.
func TestContexts(t *testing.T) {
	t.Parallel()
	gold := ranking.Gold{Turns: []string{"a2", "b1"}}
	shown := ranking.Ranking{found.Within(30).Joined(33), found.Within(65).Joined(70)}
	want := map[string]float64{
		"evidence in 30 tokens": 0.5, "evidence in 65 tokens": 1, "all of it in 30": 0, "all of it in 65": 1, "tokens of 30": 33, "tokens of 65": 70,
	}
	for _, m := range ranking.OfContexts([]int{30, 65}) {
		if got := m.Of(shown, gold); got != want[m.Name] {
			t.Errorf("%s is %v, want %v", m.Name, got, want[m.Name])
		}
		if got := m.Of(make(ranking.Ranking, 2), gold); got != 0 {
			t.Errorf("%s of empty contexts is %v, want 0", m.Name, got)
		}
		if got := m.Of(shown, ranking.Gold{}); math.IsNaN(got) != !strings.HasPrefix(m.Name, "tokens") {
			t.Errorf("%s without gold is %v", m.Name, got)
		}
		delete(want, m.Name)
	}
	if len(want) != 0 {
		t.Errorf("nothing measures %v", want)
	}
	if n := found.Tokens(); n != 65 {
		t.Errorf("the lines take %d tokens, want 65", n)
	}
}
