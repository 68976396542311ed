package annals_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
)

// saidIn returns a message in a thread, so many minutes after its beginning.
func saidIn(thread, actor, content string, minute int) annals.Episode {
	e := clienttest.Alice(content, "2024-03-15")
	e.ThreadID, e.Actor, e.OccurredAt = thread, actor, e.OccurredAt.Add(9*time.Hour+time.Duration(minute)*time.Minute)
	return e
}

// A short answer is shown with the question before it in the same thread. A narrowed search finds
// only what it is narrowed to.
func TestContextShowsWhatIsAnswered(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	clienttest.AddAndProcess(t, client,
		saidIn("a", "Ben", "I am back. Since when do you keep bees, Alice? I forgot.", 0),
		saidIn("b", "Cem", "Did you see the film?", 1),
		saidIn("a", "Alice", "Last autumn.", 2),
		saidIn("a", "Ben", "I have a dog.", 3),
		saidIn("a", "Alice", "Oh, nice!", 4),
	)
	q := annals.Query{GroupID: "t", Text: "autumn", Replies: true}
	found, err := client.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for _, hit := range found.Episodes {
		if answered := hit.Content == "Last autumn."; answered != (hit.ReplyTo != nil) || answered && !strings.HasPrefix(hit.ReplyTo.Content, "I am back.") {
			t.Errorf("%q answers %v", hit.Content, hit.ReplyTo)
		}
	}
	text, err := client.ContextAs(t.Context(), annals.Query{
		GroupID: "t", Text: "autumn", Scopes: []graph.Kind{graph.KindEpisode},
	}, annals.Construction{Hits: 1})
	if err != nil || !strings.Contains(text, "2024-03-15 09:00:\n- Ben: … Since when do you keep bees, Alice? …\n- Alice: Last autumn.\n") {
		t.Errorf("the question is not shown (%v):\n%s", err, text)
	}
	q.Filter = annals.Filter{Actors: []string{"Alice"}}
	found, err = client.Search(t.Context(), q)
	if err != nil || len(found.Episodes) == 0 || found.Episodes[0].ReplyTo != nil {
		t.Errorf("narrowed to Alice, with what Ben said: %v, %+v", err, found.Episodes)
	}
}

// An expired episode is hidden, but the questions of others are not.
func TestAnExpiredEpisodeHidesNoOtherQuestion(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	clienttest.AddAndProcess(t, client,
		saidIn("a", "Ben", "Since when do you keep bees, Alice?", 0), saidIn("a", "Alice", "Last autumn.", 1), saidIn("b", "Cem", "Did you see the film?", 2))
	episodes, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "t"})
	if err != nil || len(episodes) != 3 {
		t.Fatalf("%d episodes, %v", len(episodes), err)
	}
	for _, tt := range []struct {
		expires annals.Episode
		shown   bool
	}{{episodes[0], true}, {episodes[2], false}} {
		at := time.Now().Add(300 * time.Millisecond)
		if _, err := service.New(client).Mark(t.Context(), "t", service.MarkChange{IDs: []uuid.UUID{tt.expires.ID}, Mark: graph.MarkExpires, ExpiresAt: at}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Until(at.Add(20 * time.Millisecond)))
		found, err := client.Search(t.Context(), annals.Query{GroupID: "t", Text: "autumn", Replies: true})
		if err != nil || len(found.Episodes) == 0 || (found.Episodes[0].ReplyTo != nil) != tt.shown {
			t.Errorf("after %q expired: the question is shown: not %v (%v, %+v)", tt.expires.Content, tt.shown, err, found.Episodes)
		}
	}
}

// A context shows no threads: if nothing else is searched, it says so, rather than that nothing is
// known.
func TestContextOfThreadsAlone(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	clienttest.AddAndProcess(t, client, saidIn("a", "Alice", "I keep bees.", 0))
	_, err := client.Context(t.Context(), annals.Query{GroupID: "t", Text: "bees", Scopes: []graph.Kind{graph.KindThread}})
	if graph.CodeOf(err) != graph.CodeInvalid || !strings.Contains(err.Error(), "a context shows nothing") {
		t.Errorf("got %v, want that threads alone make no context", err)
	}
	text, err := client.Context(t.Context(), annals.Query{GroupID: "t", Text: "bees", Scopes: []graph.Kind{graph.KindThread, graph.KindEpisode}})
	if err != nil || !strings.Contains(text, "Alice: I keep bees.") {
		t.Errorf("beside threads the episodes are %q, %v", text, err)
	}
}

func TestContextOfNothing(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	for _, tokens := range []int{0, 100} {
		text, err := client.ContextAs(t.Context(), annals.Query{GroupID: "t", Text: "Who is Alice?"}, annals.Construction{Tokens: tokens})
		if err != nil || text != "Nothing is known about this.\n" {
			t.Errorf("%q, %v", text, err)
		}
	}
}

// A filtered question about the past also finds what was believed at a time.
func TestFormerFactsAreFoundAsKnown(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2023-01-10"))
	clienttest.AddAndProcess(t, client, clienttest.Alice("I moved to Lisbon.", "2024-03-15"))
	for _, knownAt := range []time.Time{{}, time.Now().Add(time.Hour)} {
		found, err := client.Search(t.Context(), annals.Query{
			GroupID: "t", Text: "Where does Alice live?", KnownAt: knownAt, Former: true, Scopes: []graph.Kind{graph.KindFact},
			Filter: annals.Filter{Predicates: []string{"LIVES_IN"}},
		})
		if err != nil || len(found.Facts) != 2 {
			t.Errorf("known at %v: %d facts, want Paris and Lisbon (%v)", knownAt, len(found.Facts), err)
		}
	}
}
