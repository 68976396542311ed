package retrieval_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

// Facts of the time that a question names come first, also ended ones. Others are found as before.
func TestQuestionsAboutATime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("g", "Alice lives in Oslo.", "[2015-02-01,2019-04-01)")
	w.fact("g", "Alice lives in Paris.", "[2019-04-01,2023-03-08)")
	w.fact("g", "Alice lives in Lisbon.", "[2023-03-08,)")
	w.fact("g", "Alice married Bob.", "[2021-05-20,)")
	w.fact("g", "Alice likes to live by the sea.", "[2016-05-01,)")
	at := time.Date(2024, 6, 1, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		text, first string
		never       string
	}{
		{"Where does Alice live?", "Alice lives in Lisbon.", "Alice lives in Paris."},
		{"Where does Alice live now?", "Alice lives in Lisbon.", "Alice lives in Oslo."},
		{"Where did Alice live in 2017?", "Alice lives in Oslo.", "Alice lives in Paris."},
		{"Where did Alice live before 2018?", "Alice lives in Oslo.", "Alice lives in Paris."},
		{"Where did Alice live before she married Bob?", "Alice lives in Oslo.", ""},
		{"Where did Alice live when she married Bob?", "Alice married Bob.", ""},
		{"Where has Alice lived since she married?", "Alice married Bob.", "Alice lives in Oslo."},
		{"In which city did Alice live in April?", "Alice lives in Paris.", ""}, // from April on, and in Oslo until then
	} {
		got := w.find(retrieval.Query{GroupID: "g", Text: tt.text, AskedAt: at, Scopes: []graph.Kind{graph.KindFact}})
		if len(got) == 0 || got[0] != tt.first {
			t.Errorf("%s\nfound %q, want %q first", tt.text, got, tt.first)
		}
		if slices.Contains(got, tt.never) {
			t.Errorf("%s\nfound %q, among them %q", tt.text, got, tt.never)
		}
	}
	used := w.find(retrieval.Query{GroupID: "g", Text: "Where did Alice use to live?", AskedAt: at})
	if i, j := slices.Index(used, "Alice lives in Paris."), slices.Index(used, "Alice lives in Lisbon."); i < 0 || j < i {
		t.Errorf("used to: %q, want Paris before Lisbon", used)
	}
	day := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	if got := w.find(retrieval.Query{GroupID: "g", Text: "Where did Alice live in 2017?", ValidAt: day}); slices.Contains(got, "Alice lives in Oslo.") {
		t.Errorf("as of 2024: %q", got)
	}
}

// A walk continues past ended facts that do not fit the question's time, however many are near.
func TestWalksToTheTimeAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, _ := w.chain(1)
	far, seeds := n[1], []uuid.UUID{n[0]}
	for i := range 4 {
		next := w.node(fmt.Sprint("hub ", i))
		w.edge(n[0], next, fmt.Sprintf("hub %d is near", i), "[2024-01-01,)")
		for j := range 10 {
			w.edge(next, far, fmt.Sprintf("over and done with, %d of %d", j, i), "[2010-01-01,2011-01-01)")
		}
		seeds = append(seeds, next)
	}
	w.edge(far, w.node("there"), "held in 2017", "[2017-01-01,2018-01-01)")
	got := w.find(retrieval.Query{
		GroupID: "g", Text: "what was it in 2017?", Methods: []retrieval.Method{retrieval.MethodGraph}, Seeds: seeds,
		Scopes: []graph.Kind{graph.KindFact},
	})
	if len(got) == 0 || got[0] != "held in 2017" {
		t.Errorf("found %q, want what held in 2017 first", got)
	}
}

// Facts that ended too early do not hide those of the question's time, though they are many and fit
// the words better.
func TestLooksFurtherForTheTimeAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(`INSERT INTO annals.groups (group_id) VALUES ('g')`)
	alice, house := w.node("Alice"), w.node("the house")
	for i := range 90 {
		w.edge(alice, house, fmt.Sprintf("Alice lives at number %d.", i), "[2010-01-01,2011-01-01)")
	}
	w.edge(alice, house, "Alice lives, so all of her friends said who had come to see it, in a house by the sea.", "[2017-01-01,2018-01-01)")
	for _, counted := range []bool{false, true} {
		if counted && !w.count().HasFew(graph.KindFact) {
			t.Fatal("91 facts are not few")
		}
		got := w.find(retrieval.Query{
			GroupID: "g", Text: "Where did Alice live in 2017?", Methods: []retrieval.Method{retrieval.MethodTerms},
			Scopes: []graph.Kind{graph.KindFact},
		})
		if len(got) != 1 {
			t.Errorf("counted %t: found %q, want what held in 2017 alone", counted, got)
		}
	}
}
