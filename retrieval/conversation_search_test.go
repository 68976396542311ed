package retrieval_test

import (
	"testing"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

// Messages name times and quote others without asking for them.
func TestAConversationIsNoQuestion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("g", "Alice lives by the harbour of Lisbon.", "[2023-03-08,)")
	w.fact("g", "Alice lives in Oslo.", "[2015-02-01,2019-04-01)")
	w.fact("g", "Bob often says see you.", "[2021-05-20,)")
	for _, tt := range []struct{ text, asked, said string }{
		{
			`"see you" at the harbour of Lisbon, where Alice lives`,
			"Bob often says see you.", "Alice lives by the harbour of Lisbon.",
		},
		{
			"Alice lives by the harbour of Lisbon since Bob says see you",
			"Alice lives by the harbour of Lisbon.", "Alice lives by the harbour of Lisbon.",
		},
		{
			"In 2017 Alice dreamt of the harbour of Lisbon, lives there now",
			"Alice lives in Oslo.", "Alice lives by the harbour of Lisbon.",
		},
	} {
		q := retrieval.Query{GroupID: "g", Text: tt.text, Scopes: []graph.Kind{graph.KindFact}, IncludeEnded: true}
		if got := w.find(q); len(got) == 0 || got[0] != tt.asked {
			t.Errorf("%s\nasked: %q, want %q first", tt.text, got, tt.asked)
		}
		q.Conversation = true
		if got := w.find(q); len(got) == 0 || got[0] != tt.said {
			t.Errorf("%s\nsaid: %q, want %q first", tt.text, got, tt.said)
		}
	}
}

// Episodes are found in a conversation too, beside all else and alone.
func TestEpisodesOfAConversation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.episode("g", "We saw the harbour of Lisbon.")
	w.episode("g", "It rained all day.")
	w.fact("g", "Alice lives in Oslo.", "[2015-02-01,)")
	for _, scopes := range [][]graph.Kind{nil, {graph.KindEpisode}, {graph.KindEpisode, graph.KindFact}} {
		found, err := w.search.Search(t.Context(), retrieval.Query{GroupID: "g", Text: "Lisbon has a harbour", Conversation: true, Scopes: scopes})
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Episodes) == 0 || found.Episodes[0].Content != "We saw the harbour of Lisbon." {
			t.Errorf("among %v found %v", scopes, found.Episodes)
		}
	}
}
