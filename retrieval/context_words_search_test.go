package retrieval_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

// A message is found by the words of the two messages before it and of the one after it. Each word
// of a question counts once, wherever in the conversation it is.
func TestAMessageIsReadWithThoseAroundIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.say("g", "art", "user", "My sister paints harbours.")
	w.say("g", "art", "user", "How lovely.")
	w.say("g", "art", "user", "She sells them in Porto.")
	w.say("g", "pets", "user", "We have a dog.")
	w.say("g", "pets", "user", "He is called Bello.")
	w.say("g", "weather", "user", "It rained.")
	w.say("g", "weather", "user", "It snowed.")
	for question, want := range map[string]string{"Who paints harbours?": "She sells them in Porto.", "Tell me about the dog": "He is called Bello."} {
		found, err := w.search.Search(t.Context(), retrieval.Query{GroupID: "g", Text: question, Scopes: []graph.Kind{graph.KindEpisode}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(found.Episodes, func(h retrieval.EpisodeHit) bool { return h.Content == want }) {
			t.Errorf("%s finds %d episodes, but not %q", question, len(found.Episodes), want)
		}
	}
}

// Words that many episodes hold are counted like others.
func TestWordsOfEpisodesAreCounted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.said(600, "the harbour")
	id := w.say("g", "t", "user", "From harbour to harbour with a lantern, yesterday.")
	w.say("other", "t", "user", "A lantern at the harbour.")
	counts := func() []db.EpisodeWordsRow {
		rows, err := db.New(w.pool).EpisodeWords(t.Context(), db.EpisodeWordsParams{
			GroupID: "g", Query: "lantern harbours yesterday ship", Lesser: "yesterday", Ids: []uuid.UUID{id},
		})
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(rows, func(a, b db.EpisodeWordsRow) int { return int(a.Holders-b.Holders)*2 + int(10*(a.Weight-b.Weight)) })
		return rows
	}
	want := []db.EpisodeWordsRow{
		{Weight: 0.3, Holders: 1, Ids: []uuid.UUID{id}, Tf: []int32{1}},
		{Weight: 1, Holders: 1, Ids: []uuid.UUID{id}, Tf: []int32{1}},
		{Weight: 1, Holders: 601, Ids: []uuid.UUID{id}, Tf: []int32{2}},
	}
	if diff := cmp.Diff(want, counts()); diff != "" {
		t.Errorf("before frequent words are counted (-want +got):\n%s", diff)
	}
	if err := db.New(w.pool).FrequentTermsRefresh(t.Context(), "g"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, counts()); diff != "" {
		t.Errorf("after (-want +got):\n%s", diff)
	}
}
