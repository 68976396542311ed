package retrieval_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

// Rows that contain a phrase come first, however many others fit the words better. The others are
// still found.
func TestPhrasesRankFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 60 {
		w.fact("g", fmt.Sprintf("Tea green tea, green: cup %d of the green.", i), "[2024-01-01,)")
	}
	w.fact("g", "In the long winter after the harvest Alice and her brother drank a lot of strong tea in the old house on the hill.", "[2024-01-01,)")
	w.fact("g", "Alice drank strong tea.", "[2020-01-01,2021-01-01)")
	w.fact("g", "小林住在东京。", "[2024-01-01,)")
	w.fact("g", "京东在北京。", "[2024-01-01,)")
	for _, tt := range []struct{ query, first string }{
		{`green "strong tea" green cup`, "In the long winter"},
		{`"strong tea"`, "In the long winter"},
		{`"drinking a lot of STRONG teas"`, "In the long winter"},
		{`"tea strong"`, ""},
		{`"住在东京"`, "小林住在东京。"},
		{`在北京 "东京"`, "小林住在东京。"},
		{`北京 "unbalanced`, "京东在北京。"},
		{`"green`, "Tea green"},
		{`"the of and" winter`, "In the long winter"},
	} {
		got := w.find(retrieval.Query{GroupID: "g", Text: tt.query, Methods: []retrieval.Method{retrieval.MethodTerms}})
		if len(got) == 0 || len(got[0]) < len(tt.first) || got[0][:len(tt.first)] != tt.first {
			t.Errorf("%s: found %.2q first, want %q", tt.query, got, tt.first)
		}
	}
	if got := w.find(retrieval.Query{GroupID: "g", Text: `"strong tea"`, IncludeEnded: true}); len(got) < 2 || got[0] != "Alice drank strong tea." {
		t.Errorf("with ended ones, found %.2q first", got)
	}
	filter := retrieval.Filter{Predicates: []string{"NEVER"}}
	if got := w.find(retrieval.Query{GroupID: "g", Text: `"strong tea"`, Filter: filter}); len(got) != 0 {
		t.Errorf("a filter lets pass %q", got)
	}
}

func TestPhrasesInEveryScope(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.entity("g", "Alice", "Alice likes strong tea.")
	w.entity("g", "Tea tea", "tea strong strong tea tea strong")
	w.episode("g", "I like strong tea.")
	w.episode("g", "tea is strong")
	w.exec(`INSERT INTO annals.communities (group_id, id, name, summary)
		VALUES ('g', gen_random_uuid(), 'Drinks', 'About strong tea.'), ('g', gen_random_uuid(), 'Tea', 'strong')`)
	result, err := w.search.Search(t.Context(), retrieval.Query{GroupID: "g", Text: `"likes strong tea" "about strong tea"`, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := result.Entities[0].Name; got != "Alice" {
		t.Errorf("first entity %q", got)
	}
	if got := result.Episodes[0].Content; got != "I like strong tea." {
		t.Errorf("first episode %q", got)
	}
	if got := result.Communities[0].Name; got != "Drinks" {
		t.Errorf("first community %q", got)
	}
	contains := func(h retrieval.ExplainedHit) bool { return h.Places[retrieval.MethodPhrase].Rank == 1 && h.Score > 1 }
	if n := len(slices.DeleteFunc(result.Explanation.Hits, func(h retrieval.ExplainedHit) bool { return !contains(h) })); n != 3 {
		t.Errorf("the explanation shows %d hits with a phrase, want 3", n)
	}
}

// Any bytes are a valid query, in every scope and by every method.
func TestAnyBytesAreAQueryInEveryScope(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("g", "Alice lives in Lisbon.", "[2024-03-08,)")
	w.entity("g", "Alice", "lives in 东京")
	w.episode("g", "I live in Lisbon since May.")
	syntax := rapid.SampledFrom([]string{
		`"`, `\`, `'`, `(`, `)`, `:*`, `&`, `|`, `!`, `<->`, `-`, ` OR `, `*`, `%`, `_`, "\x00", "\xff", "猫", "\u0301", "before ", "since May ", "“",
		" Alice", " lives", "2024-02-30", "\U0010ffff", "\ufffe", "ﷺ",
	})
	texts := rapid.OneOf(
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
		rapid.String(),
		rapid.Map(rapid.SliceOf(syntax), func(parts []string) string {
			text := ""
			for _, p := range parts {
				text += p
			}
			return text
		}),
	)
	rapid.Check(t, func(r *rapid.T) {
		q := retrieval.Query{
			GroupID: "g", Text: texts.Draw(r, "text"),
			Scopes:  []graph.Kind{graph.KindFact, graph.KindEntity, graph.KindEpisode, graph.KindCommunity},
			Methods: []retrieval.Method{retrieval.MethodTerms, retrieval.MethodVector, retrieval.MethodGraph},
		}
		if _, err := w.search.Search(t.Context(), q); err != nil {
			r.Fatalf("%q: %v", q.Text, err)
		}
	})
}
