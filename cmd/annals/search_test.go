package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/slow"
)

type foundJSON struct {
	Facts []struct {
		GroupID string `json:"group_id"`
		Fact    string
		Score   float64
	}
	Entities []struct {
		GroupID string `json:"group_id"`
		Name    string
	}
	Episodes    []struct{ Content string }
	Communities []struct{ Name string }
	Explanation *struct {
		Steps []struct {
			Step    string
			Seconds float64
		}
		Hits []struct {
			Kind   string
			Score  float64
			Places map[string]struct {
				Rank  int
				Score float64
			}
		}
	}
}

// facts returns the sentences that a search finds, the best first.
func (m *memory) facts(args ...string) []string {
	m.t.Helper()
	var found foundJSON
	m.read(&found, append([]string{"search", "-g", "t", "--scope", "fact"}, args...)...)
	sentences := []string{}
	for _, f := range found.Facts {
		sentences = append(sentences, f.Fact)
	}
	return sentences
}

// aMove makes a memory in which Alice moves from Paris to Lisbon.
func aMove(t *testing.T) *memory {
	t.Helper()
	m := newMemory(t)
	m.must("add", "-g", "t", "--actor", "Alice", "--occurred-at", "2023-01-10", "I live in Paris.")
	m.must("add", "-g", "t", "--actor", "Alice", "--occurred-at", "2024-03-15", "I moved to Lisbon last week.")
	return m
}

func TestSearchFlags(t *testing.T) {
	t.Parallel()
	m := aMove(t)
	paris, lisbon := "Alice lives in Paris.", "Alice moved to Lisbon last week."
	for _, tt := range []struct {
		args []string
		want []string
	}{
		{[]string{"Where does Alice live?"}, []string{lisbon}},
		{[]string{"--as-of", "2023-06-01", "Where does Alice live?"}, []string{paris}},
		{[]string{"--known-at", "2020-01-01", "Where does Alice live?"}, []string{}},
		{[]string{"--include-ended", "--filter", `{"valid": [[{"op": "lt", "at": "2024-01-01T00:00:00Z"}]]}`, "Alice"}, []string{paris}},
		{[]string{"--filter", `{"predicates": ["WORKS_AT"]}`, "Alice"}, []string{}},
		{[]string{"--min-score", "0.9", "Bob"}, []string{}},
		{[]string{"--min-score", "0.9", `"Alice moved"`}, []string{lisbon}},
		{[]string{"--asked-at", "2024-06-01", "Where did Alice live last year?"}, []string{paris, lisbon}},
		{[]string{"--limit", "1", "--asked-at", "2024-06-01", "Where did Alice live last year?"}, []string{paris}},
		{[]string{"--recency", "30d", "--mention-boost", "0.5", "Alice"}, []string{lisbon}},
		{[]string{"--rerank", "salience,mmr", "--lambda", "0.7", "Alice"}, []string{lisbon}},
		{[]string{"--method", "bfs", "--seed", "Lisbon", "--hops", "1", "anything"}, []string{lisbon}},
		{[]string{"--method", "bfs", "--seed", "Paris", "--hops", "1", "anything"}, []string{}},
	} {
		if got := m.facts(tt.args...); !slices.Equal(got, tt.want) {
			t.Errorf("search %q: %q, want %q", tt.args, got, tt.want)
		}
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--recipe", "magic"}, "there is none called"},
		{[]string{"--filter", "{"}, "annals search --help"},
		{[]string{"--filter", `{"predicate": ["X"]}`}, "predicate"},
		{[]string{"--recency", "soon"}, "recency"},
		{[]string{"--recency", "-3d"}, "recency"},
		{[]string{"--mention-boost", "11"}, "mention_boost"},
		{[]string{"--asked-at", "soon"}, "asked-at"},
		{[]string{"--also", "no spaces"}, "group"},
		{[]string{"--rerank", "best"}, "salience"},
		{[]string{"--lambda", "2"}, "lambda"},
		{[]string{"--hops", "5"}, "hops"},
		{[]string{"--seed", "Nobody"}, "Nobody"},
		{[]string{"--recipe", "facts_hybrid_cross_encoder"}, "ANNALS_RERANKER"},
		{[]string{"--recipe", "facts_hybrid_node_distance"}, "center"},
	} {
		m.run("", append([]string{"search", "-g", "t", "Alice"}, tt.args...)...).failsWith(t, tt.want)
	}
}

func TestSearchRecipesAndExplanation(t *testing.T) {
	t.Parallel()
	m := aMove(t)
	var found foundJSON
	m.read(&found, "search", "-g", "t", "--recipe", "facts_graph_rrf", "--explain", `Where did "Alice move" to?`)
	if len(found.Facts) != 1 || len(found.Entities)+len(found.Episodes)+len(found.Communities) != 0 {
		t.Fatalf("found %+v, want one fact", found)
	}
	if found.Facts[0].GroupID != "t" {
		t.Errorf("the fact is of group %q", found.Facts[0].GroupID)
	}
	hit := found.Explanation.Hits[0]
	if hit.Kind != "fact" || hit.Score != found.Facts[0].Score {
		t.Errorf("explained %+v", hit)
	}
	for _, method := range []string{"bm25", "cosine", "bfs", "phrase"} {
		if p := hit.Places[method]; p.Rank != 1 || p.Score <= 0 {
			t.Errorf("%s is said to rank it %+v", method, p)
		}
	}
	var steps []string
	for _, s := range found.Explanation.Steps {
		steps = append(steps, s.Step)
	}
	if want := []string{"embed the query", "look the group up, and rank", "look around", "fact relation", "bfs", "read"}; !slices.Equal(steps, want) {
		t.Errorf("steps %q, want %q", steps, want)
	}
	text := m.must("search", "-g", "t", "--recipe", "facts_graph_rrf", "--explain", "Alice")
	for _, want := range []string{
		`SCORE +FACT +WHEN +FOUND BY\n`, `1\.2492 +Alice moved to Lisbon in the week of 4 March 2024\. +since the week of 4 March 2024 +bfs 1\. \(1\.000\), bm25 1\. \(0\.\d{3}\), cosine 1\..* relation 1\.`,
		`\nSTEP +MS\n`, `\nlook the group up, and rank +\d+\.\d\n`,
	} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("the explanation has no %s:\n%s", want, text)
		}
	}
	var entities foundJSON
	m.read(&entities, "search", "-g", "t", "--recipe", "facts_hybrid_mmr", "--scope", "entity", "Alice")
	if len(entities.Facts) != 0 || len(entities.Entities) == 0 {
		t.Errorf("found %+v, want entities, as the flag says, and no facts, as the recipe does", entities)
	}
	nearest := m.must("search", "-g", "t", "--recipe", "entities_hybrid_node_distance", "--center", "Lisbon", "Alice Lisbon Paris")
	if i, j := strings.Index(nearest, "1.0000  Lisbon"), strings.Index(nearest, "0.5000  Alice"); i < 0 || j < i {
		t.Errorf("by distance from Lisbon:\n%s", nearest)
	}
}

func TestSearchSeveralGroups(t *testing.T) {
	t.Parallel()
	m := aMove(t)
	m.must("add", "-g", "team", "--actor", "Bob", "--occurred-at", "2024-02-01", "I live in Rome.")
	var found foundJSON
	m.read(&found, "search", "-g", "t", "--also", "team", "--scope", "fact", "Who lives where?")
	var groups []string
	for _, f := range found.Facts {
		groups = append(groups, f.GroupID)
	}
	slices.Sort(groups)
	m.run("", "search", "-g", "t", "--also", "team,teem", "Who lives where?").failsWith(t, `there is no group "teem"; did you mean "team"?`)
	if !slices.Equal(groups, []string{"t", "team"}) {
		t.Errorf("facts of %q, want one of each group", groups)
	}
	if text := m.must("search", "-g", "t", "--also", "team", "Bob in Rome"); !regexp.MustCompile(`GROUP +SCORE +FACT(?s:.*)team +0\.\d+ +Bob lives in Rome\.`).MatchString(text) {
		t.Errorf("the table names no group:\n%s", text)
	}
	if text := m.must("context", "-g", "t", "--also", "team", "Where does Bob live?"); !strings.Contains(text, "Bob lives in Rome.") {
		t.Errorf("the context has nothing of the other group:\n%s", text)
	}
}

func TestBenchSearch(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	var report struct {
		Measurements []struct {
			Method  string
			Queries int
		}
	}
	o := m.run("", "bench", "search", "--facts", "300", "--queries", "2", "--budget", "1ms", "--json")
	if o.code != exitOK {
		t.Fatalf("exit %d: %s", o.code, o.stderr)
	}
	if err := json.Unmarshal([]byte(o.stdout), &report); err != nil {
		t.Fatal(err)
	}
	var methods []string
	for _, measured := range report.Measurements {
		if measured.Queries == 0 {
			t.Errorf("%s was measured with no query", measured.Method)
		}
		methods = append(methods, measured.Method)
	}
	for _, want := range []string{"exact vectors", "bm25", "cosine", "bfs, 2 hops", "hybrid of facts", "hybrid of all scopes"} {
		if !slices.Contains(methods, want) {
			t.Errorf("%s was not measured, only %q", want, methods)
		}
	}
}

// A long text is found by a word far inside. Neither the search nor the context shows all of it.
func TestSearchShowsPassagesOfLongTexts(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	m := newMemory(t)
	text := strings.Repeat("The harbour has cranes and ships of every size. ", 12_000) + "The zirconium vault opens at dawn. "
	if got := m.run(text, "add", "--group", "g", "--occurred-at", "2024-03-15", "-"); got.code != 0 {
		t.Fatal(got)
	}
	for _, command := range [][]string{{"search", "--json", "--group", "g", "zirconium vault"}, {"context", "--group", "g", "zirconium vault"}} {
		if got := m.must(command...); !strings.Contains(got, "zirconium") || len(got) > 6000 {
			t.Errorf("%s prints %d bytes: %.300s", command, len(got), got)
		}
	}
}
