package retrieval_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

func TestSeveralGroups(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("alice", "Alice drinks tea.", "[2024-01-01,)")
	w.fact("alice", "Alice drinks tea in the morning and reads the paper.", "[2024-01-01,)")
	w.fact("bob", "Bob drinks tea.", "[2024-01-01,)")
	w.fact("eve", "Eve drinks tea.", "[2024-01-01,)")
	query := retrieval.Query{
		GroupID: "alice", AlsoIn: []string{"bob", "alice", "nobody", "bob"}, Text: "who drinks tea", Explain: true,
		Scopes: []graph.Kind{graph.KindFact},
	}
	result, err := w.search.Search(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, h := range result.Facts {
		got = append(got, fmt.Sprintf("%s: %s %.5f", h.GroupID, h.Fact.Fact, h.Score))
		if e := result.Explanation.Hits[i]; e.ID != h.ID || e.Score != h.Score || e.GroupID != h.GroupID || e.Places[retrieval.MethodTerms].Rank == 0 {
			t.Errorf("hit %d is explained by %+v", i, e)
		}
	}
	want := []string{"Alice drinks tea. 0.01639", "Bob drinks tea. 0.01639", "Alice drinks tea in the morning and reads the paper. 0.01613"}
	slices.Sort(got[:2]) // the order of the first of each group depends on their scores
	for i := range want {
		if len(got) != len(want) || !strings.HasSuffix(got[i], want[i]) || !strings.HasPrefix(strings.ToLower(want[i]), strings.Split(got[i], ":")[0]) {
			t.Fatalf("found %q, want %q", got, want)
		}
	}
	if !slices.ContainsFunc(result.Explanation.Steps, func(s retrieval.Timing) bool { return s.Step == "bob: look the group up, and rank" }) {
		t.Errorf("no step of bob's in %v", result.Explanation.Steps)
	}
	query.Limit = 2
	if got := w.find(query); len(got) != 2 {
		t.Errorf("with a limit of 2: %q", got)
	}
}

func TestTooManyGroups(t *testing.T) {
	t.Parallel()
	search := retrieval.New(nil, nil, nil)
	many := make([]string, retrieval.MaxGroups)
	for i := range many {
		many[i] = fmt.Sprintf("g%d", i)
	}
	for _, q := range []retrieval.Query{
		{GroupID: "g", Text: "x", AlsoIn: many},
		{GroupID: "g", Text: "x", AlsoIn: []string{"no spaces please"}},
		{GroupID: "g", Text: "x", Recency: -1},
		{GroupID: "g", Text: "x", MentionBoost: -0.1},
		{GroupID: "g", Text: "x", MentionBoost: retrieval.MaxMentionBoost + 1},
	} {
		if _, err := search.Search(t.Context(), q); graph.CodeOf(err) != graph.CodeInvalid {
			t.Errorf("%+v: %v; want it refused", q, err)
		}
	}
}
