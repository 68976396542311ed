package engine_test

import (
	"testing"

	"github.com/annalsdb/annals/graph"
)

// triple adds a triple and returns its fact as stored.
func (w *world) triple(t graph.Triple) (fact graph.Fact, repeated bool) {
	w.t.Helper()
	t.GroupID = "g"
	added, err := w.engine.AddTriple(w.t.Context(), t)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, f := range w.facts() {
		if f.ID == added.FactID {
			fact = f
		}
	}
	return fact, added.Repeated
}

func TestATripleIsResolvedLikeAnythingElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.analyst.judge = contradictsAll
	f, _ := w.triple(graph.Triple{
		Source: graph.TripleEnd{Name: "Alice", Label: "Person", Attributes: []byte(`{"age": 30}`)}, Target: graph.TripleEnd{Name: "Paris"},
		Predicate: "lives in", Fact: "Alice lives in Paris.", ValidAt: date("2020-01-01"), Attributes: []byte(`{"sure": true}`),
	})
	if f.Predicate != "LIVES_IN" || !f.Valid.Start.Equal(date("2020-01-01")) || len(f.Episodes) != 1 || !same(f.Attributes, `{"sure": true}`) {
		t.Errorf("added %+v", f)
	}
	again, repeated := w.triple(graph.Triple{
		Source: graph.TripleEnd{Name: "ALICE"}, Target: graph.TripleEnd{Name: "paris"}, Predicate: "LIVES_IN", Fact: "alice lives in paris",
		ValidAt: date("2021-01-01"),
	})
	if !repeated || len(again.Episodes) != 2 || !same(again.Attributes, `{"sure": true}`) {
		t.Errorf("said again: %+v", again)
	}
	w.triple(graph.Triple{
		Source: graph.TripleEnd{Name: "Alice"}, Target: graph.TripleEnd{Name: "Lisbon"}, Predicate: "LIVES_IN",
		Fact: "Alice has lived in Lisbon since March 2024.", OccurredAt: date("2024-05-01"),
	})
	got := w.facts()
	if paris := got["Alice lives in Paris."]; !paris.Valid.End.Equal(date("2024-03-01")) {
		t.Errorf("Paris holds %v, want it to end when Lisbon begins by its own words", paris.Valid)
	}
	if n := w.count(`SELECT count(*) FROM annals.entities WHERE name = 'Alice' AND labels = '{Person}' AND attributes = '{"age": 30}'`); n != 1 {
		t.Error("Alice lost her label or attributes")
	}
	if n := w.count(`SELECT count(*) FROM annals.episodes WHERE state = 'done'`); n != 3 {
		t.Errorf("%d episodes are done, want one for each triple", n)
	}
}

func TestABadTripleIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	good := graph.Triple{
		GroupID: "g", Source: graph.TripleEnd{Name: "Alice"}, Target: graph.TripleEnd{Name: "Paris"}, Predicate: "LIKES",
	}
	for name, spoil := range map[string]func(*graph.Triple){
		"no source":            func(t *graph.Triple) { t.Source.Name = "" },
		"no group":             func(t *graph.Triple) { t.GroupID = "" },
		"the same ends":        func(t *graph.Triple) { t.Target.Name = "alice" },
		"no predicate":         func(t *graph.Triple) { t.Predicate = "--" },
		"attributes no object": func(t *graph.Triple) { t.Attributes = []byte(`[1]`) },
		"ends before it begins": func(t *graph.Triple) {
			t.ValidAt, t.InvalidAt = date("2024-01-02"), date("2024-01-01")
		},
	} {
		bad := good
		spoil(&bad)
		if _, err := w.engine.AddTriple(t.Context(), bad); graph.CodeOf(err) != graph.CodeInvalid {
			t.Errorf("%s: %v, want it refused", name, err)
		}
	}
	good.ExternalID = "one"
	first, err := w.engine.AddTriple(t.Context(), good)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := w.engine.AddTriple(t.Context(), good); err != nil || !again.Repeated || again.FactID != first.FactID {
		t.Errorf("the same external id again: %+v, %v, want the fact %s", again, err, first.FactID)
	}
	if n := w.count(`SELECT count(*) FROM annals.episodes`); n != 1 {
		t.Errorf("%d episodes, want 1", n)
	}
}
