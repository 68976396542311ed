package retrieval_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

// meanings is an embedder of a few meanings, each of some words. Unknown words are near to nothing.
type meanings struct{}

var synonyms = [][]string{{"physician", "doctor", "clinic"}, {"dog", "puppy", "poodle"}, {"sea", "harbour", "boat"}, {"ben", "nora"}}

func (meanings) Name() string { return "test:meanings" }

func (meanings) Dimensions() int { return 384 }

func (meanings) Embed(_ context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = make([]float32, 384)
		vectors[i][100+len(text)] = 0.1 // no two texts of different length are the same
		for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
			for meaning, words := range synonyms {
				if slices.Contains(words, word) {
					vectors[i][meaning]++
				}
			}
		}
	}
	return vectors, nil
}

// sayMeant stores messages of a conversation with their vectors.
func (w *world) sayMeant(thread string, messages ...string) {
	w.t.Helper()
	for _, m := range messages {
		speaker, text, _ := strings.Cut(m, ": ")
		id := w.say("g", thread, "", text)
		w.exec(`UPDATE annals.episodes SET actor = $2 WHERE group_id = 'g' AND id = $1`, id, speaker)
		w.exec(`INSERT INTO annals_internal.episode_embeddings (group_id, model, episode_id, embedding) VALUES ('g', $1, $2, $3)`,
			meanings{}.Name(), id, db.Vector(w.vectorOf(text)))
	}
	if err := db.New(w.pool).StatisticsRefresh(w.t.Context(), "g"); err != nil {
		w.t.Fatal(err)
	}
}

// The meaning of a message counts beside its words, and so do its speaker, its neighbours and the
// rest of its conversation.
func TestEpisodesFitByWordsAndMeaning(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.embedder = meanings{}
	w.search = retrieval.New(w.pool, w.embedder, nil)
	w.sayMeant("health", "Nora: Yesterday was tiring.", "Ben: Why, what happened?", "Nora: I saw a physician on Elm Street.", "Ben: I saw one last year, too.")
	w.sayMeant("animals", "Ben: We got a poodle.", "Nora: Lovely! What is it called?", "Ben: She is called Bella.")
	w.sayMeant("work", "Nora: The report is due on Friday.", "Ben: Nora, is the printer called Bella too?", "Nora: No, that is Max.")
	for _, tt := range []struct{ question, first string }{
		{"Which doctor did Nora see?", "I saw a physician on Elm Street."}, // no word in common
		{"Which puppy does Ben have?", "We got a poodle."},
		{"When is the report due?", "The report is due on Friday."},
	} {
		for _, scopes := range [][]graph.Kind{{graph.KindEpisode}, nil} {
			found, err := w.search.Search(t.Context(), retrieval.Query{GroupID: "g", Text: tt.question, Scopes: scopes, Explain: true})
			if err != nil {
				t.Fatal(err)
			}
			if len(found.Episodes) == 0 || found.Episodes[0].Content != tt.first {
				t.Errorf("%s found %v, want %q first", tt.question, contents(found), tt.first)
				continue
			}
			place := found.Explanation.Hits[0].Places[retrieval.MethodFit]
			if place.Rank != 1 {
				t.Errorf("%s: explained as %+v", tt.question, found.Explanation.Hits[0])
			}
		}
	}
	threads, err := w.search.Search(t.Context(), retrieval.Query{GroupID: "g", Text: "Is anybody seeing doctors at a clinic?", Scopes: []graph.Kind{graph.KindThread}})
	if err != nil || len(threads.Threads) == 0 || threads.Threads[0].ID != "health" {
		t.Errorf("%v; conversations %v", err, threads.Threads)
	}
}

// An embedder that knows no word of the question changes nothing.
func TestAnEmbedderThatKnowsNothingDoesNoHarm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.embedder = meanings{}
	w.search = retrieval.New(w.pool, w.embedder, nil)
	w.sayMeant("a", "Nora: The report is due on Friday.", "Ben: Which report?", "Nora: That of the budget.", "Ben: I see, the budget report.")
	w.sayMeant("b", "Ben: The budget was cut.", "Nora: On Friday?", "Ben: On Monday.")
	for _, question := range []string{"When is the budget report due?", "What was cut on Monday?"} {
		q := retrieval.Query{GroupID: "g", Text: question, Scopes: []graph.Kind{graph.KindEpisode}}
		both, err := w.search.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		q.Methods = []retrieval.Method{retrieval.MethodTerms}
		alone, err := w.search.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if contents(both)[0] != contents(alone)[0] {
			t.Errorf("%s: %q with vectors, %q without", question, contents(both), contents(alone))
		}
	}
}

func contents(r retrieval.Result) []string {
	var texts []string
	for _, e := range r.Episodes {
		texts = append(texts, e.Content)
	}
	return texts
}

// Something is known if hits of any kind fit. Messages that are only near do not hide a fact that
// fits, and a fact that does not fit does not let them be found.
func TestHitsOfAnyKindFit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, text := range []string{"The harbors at night.", "Nothing else."} {
		w.exec(`INSERT INTO annals.groups (group_id) VALUES ('g') ON CONFLICT DO NOTHING`)
		w.exec(`INSERT INTO annals_internal.episode_embeddings (group_id, model, episode_id, embedding) VALUES ('g', $1, $2, $3)`,
			w.embedder.Name(), w.say("g", "t", "", text), db.Vector(w.vectorOf(text)))
	}
	w.fact("g", "Somebody painted the harbour.", "[2020-01-01,)")
	for text, known := range map[string]bool{"Who painted the harbour?": true, "Which harborz?": false} {
		found, err := w.search.Search(t.Context(), retrieval.Query{GroupID: "g", Text: text, Scopes: []graph.Kind{graph.KindEpisode, graph.KindFact}})
		if err != nil || len(found.Episodes) == 0 || len(found.Facts) == 0 {
			t.Fatalf("%s: %v, %d episodes and %d facts lie near", text, err, len(found.Episodes), len(found.Facts))
		}
		found, err = w.search.Search(t.Context(), retrieval.Query{
			GroupID: "g", Text: text, Scopes: []graph.Kind{graph.KindEpisode, graph.KindFact}, MinFit: retrieval.NothingKnown,
		})
		if err != nil || len(found.Episodes) > 0 != known || len(found.Facts) > 0 != known {
			t.Errorf("%s: %v, %d episodes and %d facts fit", text, err, len(found.Episodes), len(found.Facts))
		}
	}
}
