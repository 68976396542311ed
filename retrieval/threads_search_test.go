package retrieval_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

// say stores a message of a conversation.
func (w *world) say(group, thread, role, content string) uuid.UUID {
	w.t.Helper()
	id := uuid.Must(uuid.NewV7())
	w.exec(`INSERT INTO annals.groups (group_id) VALUES ($1) ON CONFLICT DO NOTHING`, group)
	w.exec(`INSERT INTO annals.episodes (group_id, id, thread_id, role, content) VALUES ($1, $2, $3, $4, $5)`, group, id, thread, role, content)
	if err := db.New(w.pool).StatisticsRefresh(w.t.Context(), group); err != nil {
		w.t.Fatal(err)
	}
	return id
}

// Conversations are scored as documents of all their messages, by Okapi BM25.
func TestThreadsAreRankedByOkapiBM25(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	words := strings.Fields("river harbour lamp garden music train letter winter copper bread window silver forest morn paper")
	random := rand.New(rand.NewPCG(5, 6))
	documents := map[uuid.UUID][]string{} // by a thread's id, which is a uuid here
	var ids []uuid.UUID
	for range 12 {
		thread := uuid.New()
		for range 1 + random.IntN(5) {
			message := make([]string, 2+random.IntN(8))
			for i := range message {
				message[i] = words[min(random.IntN(len(words)), random.IntN(len(words)))]
			}
			ids = append(ids, w.say("g", thread.String(), "user", strings.Join(message, " ")))
			documents[thread] = append(documents[thread], message...)
		}
	}
	w.say("other", "t", "user", "river harbour lamp")
	for range 20 {
		query := []string{words[random.IntN(len(words))], words[random.IntN(len(words))], "unheard"}
		want, got := okapi(documents, query), w.fitsOfThreads("g", strings.Join(query, " "), "", ids)
		if len(got) != len(want) {
			t.Fatalf("%q: %d threads, want %d", query, len(got), len(want))
		}
		for thread, score := range got {
			if id := uuid.MustParse(thread); math.Abs(score-want[id]) > 1e-9 {
				t.Errorf("%q: %s scores %v, want %v", query, id, score, want[id])
			}
		}
	}
}

// fitsOfThreads scores the conversations of episodes by statements of the database.
func (w *world) fitsOfThreads(group, query, lesser string, ids []uuid.UUID) map[string]float64 {
	w.t.Helper()
	words, err := db.New(w.pool).EpisodeWords(w.t.Context(), db.EpisodeWordsParams{GroupID: group, Query: query, Lesser: lesser, Ids: ids})
	if err != nil {
		w.t.Fatal(err)
	}
	threads, err := db.New(w.pool).ThreadsOfEpisodes(w.t.Context(), db.ThreadsOfEpisodesParams{
		GroupID: group, Ids: ids, AssistantWeight: retrieval.AssistantWeight, MostMessages: retrieval.MostOfThread,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	var episodes int64
	if err := w.pool.QueryRow(w.t.Context(), `SELECT count(*) FROM annals.episodes WHERE group_id = $1`, group).Scan(&episodes); err != nil {
		w.t.Fatal(err)
	}
	return retrieval.OkapiOfThreads(words, threads, episodes)
}

// A search ranks conversations if asked to, and only those of its group.
func TestSearchFindsThreads(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.say("g", "trip", "user", "I am planning a trip to Denver.")
	w.say("g", "trip", "assistant", "Denver has fine museums. Denver also has parks, and Denver has music.")
	w.say("g", "trip", "user", "Which hotel in Denver is near the museums?")
	w.say("g", "food", "user", "What did they cook in Denver?")
	w.say("g", "food", "user", "I like bread.")
	w.say("g", "work", "user", "The report is due on Monday.")
	w.say("g", "", "user", "Denver belongs to no conversation here.")
	w.say("other", "secret", "user", "My trip to Denver.")
	result, err := w.search.Search(t.Context(), retrieval.Query{
		GroupID: "g", Text: "Where do I stay in Denver?", Scopes: []graph.Kind{graph.KindEpisode, graph.KindThread},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(namesOf(result.Threads)); got != "[trip food]" {
		t.Errorf("threads %s, want the trip, then the food", got)
	}
	for _, tt := range []struct {
		name string
		q    retrieval.Query
		want []string
	}{
		{"limit", retrieval.Query{Limit: 1}, []string{"trip"}},
		{"filter", retrieval.Query{Filter: retrieval.Filter{Threads: []string{"food"}}}, []string{"food"}},
		{"not asked for", retrieval.Query{Scopes: []graph.Kind{graph.KindEpisode}}, nil},
		{"no words", retrieval.Query{Methods: []retrieval.Method{retrieval.MethodVector}}, nil},
	} {
		tt.q.GroupID, tt.q.Text = "g", "Where do I stay in Denver?"
		if tt.q.Scopes == nil {
			tt.q.Scopes = []graph.Kind{graph.KindThread}
		}
		result, err := w.search.Search(t.Context(), tt.q)
		if err != nil {
			t.Fatal(err)
		}
		if got := namesOf(result.Threads); !slices.Equal(got, tt.want) {
			t.Errorf("%s: threads %v, want %v", tt.name, got, tt.want)
		}
	}
}

// The words of a time in a question count less than its other words.
func TestWordsOfTimeCountLess(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lecture := w.say("g", "a", "user", "I went to a lecture at the library.")
	w.say("g", "b", "user", "The past three months were cold.")
	for i := range 5 {
		w.say("g", fmt.Sprint(i), "user", "The lecture went on.")
	}
	result, err := w.search.Search(t.Context(), retrieval.Query{GroupID: "g", Text: "Which library lecture did I hear in the past three months?"})
	if err != nil {
		t.Fatal(err)
	}
	if result.Episodes[0].ID != lecture {
		t.Errorf("first %q, want the lecture", result.Episodes[0].Content)
	}
}

func namesOf(threads []retrieval.ThreadHit) []string {
	var names []string
	for _, thread := range threads {
		names = append(names, thread.ID)
	}
	return names
}

// In a small group the words are counted from the rows that were read to rank its messages, in a
// large one by a statement. Both counts are the same.
func TestThreadsAreCountedAlike(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 120 {
		role := []string{"user", "assistant"}[i%2]
		w.say("g", []string{"", "one", "two", "three"}[i%7%4], role, strings.Repeat("river ", i%5)+strings.Repeat("lamp ", i%3)+"and so on")
	}
	w.say("g", "four", "user", "nothing of it")
	const query = "the river by the lamp"
	var shape db.Shape
	var found []db.WordsFound
	var episodes []db.EpisodesAroundRow
	err := db.InSnapshot(t.Context(), w.pool, "g", func(queries *db.Queries) error {
		together := queries.Together()
		together.Shape(db.ShapeParams{GroupID: "g", MaxActors: 1}, &shape)
		together.Words("g", nil, []db.Words{{Kind: graph.KindEpisode, Text: query, Lesser: "lamp", Whole: true}}, &found)
		db.Ask(together, (*db.Queries).EpisodesAround, db.EpisodesAroundParams{GroupID: "g", Most: db.Few}, &episodes)
		return together.SendLast(t.Context())
	})
	if err != nil {
		t.Fatal(err)
	}
	said := map[uuid.UUID]bool{}
	for _, posting := range found[0].Postings {
		for _, id := range posting.IDs {
			said[id] = true
		}
	}
	documents, _ := shape.Size(graph.KindEpisode)
	ids := slices.Collect(maps.Keys(said))
	got := retrieval.OkapiOfThreads(retrieval.WordsOfPostings(found[0].Postings), retrieval.ThreadsOf(ids, episodes), documents)
	want := w.fitsOfThreads("g", query, "lamp", ids)
	if len(got) != 3 || len(want) != 3 {
		t.Fatalf("%d and %d conversations, want 3", len(got), len(want))
	}
	for thread, score := range got {
		if math.Abs(score-want[thread]) > 1e-9 {
			t.Errorf("%s scores %v here, %v there", thread, score, want[thread])
		}
	}
}
