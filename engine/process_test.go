package engine_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/prompts"
)

// put stores episodes in the groups that they name.
func (w *world) put(episodes ...graph.Episode) error {
	return pgx.BeginFunc(w.t.Context(), w.pool, func(tx pgx.Tx) error {
		_, err := intake.Store(w.t.Context(), tx, episodes)
		return err
	})
}

// Ten writers mention a new person at once, and each processes: the graph gets one entity, and the
// episodes are read in the order in which they were stored.
func TestTenWritersOneNewPerson(t *testing.T) {
	t.Parallel()
	w := newLLMWorld(t, engine.Options{})
	w.script["extract_entities"] = says(entities("Zelda Zimmermann"))
	var order []string
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range 10 {
		all.Go(func() {
			if err := w.put(graph.Episode{GroupID: "g", Content: fmt.Sprintf("Zelda Zimmermann called %d times.", i)}); err != nil {
				t.Error(err)
			}
			err := w.engine.Process(t.Context(), "g", func(p engine.Processed) {
				mu.Lock()
				defer mu.Unlock()
				order = append(order, p.Episode.ID.String())
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := w.count(`SELECT count(*) FROM annals.entities`); n != 1 {
		t.Errorf("%d entities, want 1", n)
	}
	if n := w.count(`SELECT count(*) FROM annals.mentions`); n != 10 || len(order) != 10 {
		t.Errorf("%d mentions by %d episodes read, want 10", n, len(order))
	}
}

// Groups do not wait for each other: one gets through while the model holds up another.
func TestGroupsAreProcessedSideBySide(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	held, release := make(chan struct{}), make(chan struct{})
	w.analyst.entities = func(in prompts.ExtractEntities) (prompts.ExtractedEntities, error) {
		if in.Episode.Content == "slow" {
			close(held)
			<-release
		}
		return names("Zelda")(in)
	}
	for _, group := range []string{"slow", "quick"} {
		if err := w.put(graph.Episode{GroupID: group, Content: group}); err != nil {
			t.Fatal(err)
		}
	}
	finished := make(chan error)
	go func() { finished <- w.engine.Process(t.Context(), "slow", func(engine.Processed) {}) }()
	<-held
	if err := w.engine.Process(t.Context(), "quick", func(engine.Processed) {}); err != nil {
		t.Error(err)
	}
	if n := w.count(`SELECT count(*) FROM annals.entities WHERE group_id = 'quick'`); n != 1 {
		t.Errorf("%d entities in the quick group, want 1", n)
	}
	close(release)
	if err := <-finished; err != nil {
		t.Error(err)
	}
	if n := w.count(`SELECT count(*) FROM annals.entities`); n != 2 {
		t.Errorf("%d entities, want one a group", n)
	}
}

// A deferred episode is found by its words and its vector, and is read once a retry asks for it.
func TestADeferredEpisodeWaitsForARetry(t *testing.T) {
	t.Parallel()
	w := newLLMWorld(t, engine.Options{})
	if err := w.put(graph.Episode{GroupID: "g", Content: "The launch code is 1234.", Deferred: true}); err != nil {
		t.Fatal(err)
	}
	if done := w.process(); len(done) != 0 || w.server.Chats() != 0 {
		t.Errorf("processed %+v with %d calls, want nothing", done, w.server.Chats())
	}
	if n := w.count(`SELECT count(*) FROM annals_internal.episode_embeddings`); n != 1 {
		t.Errorf("%d vectors, want the episode's", n)
	}
	if n := w.count(`SELECT count(*) FROM annals_internal.all_postings WHERE term = 'launch'`); n != 1 {
		t.Errorf("%d postings, want the episode's", n)
	}
	if n, err := w.engine.Retry(t.Context(), "g"); err != nil || n != 1 {
		t.Errorf("Retry = %d, %v", n, err)
	}
	if done := w.process(); len(done) != 1 || done[0].Err != nil || w.server.Chats() == 0 {
		t.Errorf("processed %+v with %d calls after the retry", done, w.server.Chats())
	}
}

func TestEarlierMessagesAreShown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		options engine.Options
		own     *int
		want    int
	}{
		"by default":         {want: engine.DefaultPrevious},
		"as set":             {options: engine.Options{Previous: 2}, want: 2},
		"none":               {options: engine.Options{Previous: -1}, want: 0},
		"as the caller says": {own: new(int), want: 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.engine = engine.New(w.pool, w.analyst, hashEmbedder(t), c.options)
			shown := -1
			w.analyst.entities = func(in prompts.ExtractEntities) (prompts.ExtractedEntities, error) {
				shown = len(in.Episode.Previous)
				return prompts.ExtractedEntities{}, nil
			}
			for i := range 7 {
				e := graph.Episode{GroupID: "g", ThreadID: "t", Content: "hello", OccurredAt: date("2024-01-01").AddDate(0, 0, i)}
				if i == 6 {
					e.Previous = c.own
				}
				if err := w.put(e); err != nil {
					t.Fatal(err)
				}
				w.process()
			}
			if shown != c.want {
				t.Errorf("%d earlier messages were shown, want %d", shown, c.want)
			}
		})
	}
}

// A summary that the model refuses is asked for once for every twenty messages.
func TestARefusedSummaryIsNotAskedForWithEachMessage(t *testing.T) {
	t.Parallel()
	w := newLLMWorld(t, engine.Options{})
	asked := 0
	w.script["summarise_thread"] = func(modeltest.Request) modeltest.Reply {
		asked++
		return modeltest.Reply{Status: 400, Text: "no"}
	}
	for i := range 45 {
		w.storeAll(fmt.Sprintf("Alice: message number %d", i))
		w.process()
	}
	if asked != 2 {
		t.Errorf("the summary was asked for %d times, want 2", asked)
	}
}

// What is stored together and read in portions is summarised as soon as twenty messages are read.
func TestASummaryDoesNotWaitForMoreToBeStored(t *testing.T) {
	t.Parallel()
	w := newLLMWorld(t, engine.Options{Window: 8})
	asked := 0
	w.script["summarise_thread"] = func(modeltest.Request) modeltest.Reply {
		asked++
		return modeltest.Reply{JSON: prompts.ThreadSummary{Summary: "They talked."}}
	}
	var said []string
	for i := range 39 {
		said = append(said, fmt.Sprintf("Alice: message number %d", i))
	}
	w.storeAll(said...)
	for left := true; left; {
		until := time.Now().Add(200 * time.Millisecond)
		var err error
		left, err = w.engine.Drain(t.Context(), "g", engine.Portion{Until: until}, func(engine.Processed) { time.Sleep(time.Until(until)) })
		if err != nil {
			t.Fatal(err)
		}
	}
	if asked != 1 {
		t.Errorf("the summary was asked for %d times, want once", asked)
	}
}

// An answer that is always empty fails its episode, and the next one is read.
func TestAnEmptyAnswerHoldsUpNobody(t *testing.T) {
	t.Parallel()
	w := newLLMWorld(t, engine.Options{})
	w.script["extract_entities"] = func(r modeltest.Request) modeltest.Reply {
		if !strings.Contains(r.User, "hello") {
			return modeltest.Reply{Empty: true}
		}
		return modeltest.Reply{JSON: entities("Alice")}
	}
	w.storeAll("Alice: poison", "Alice: hello")
	if left, err := w.engine.Drain(t.Context(), "g", engine.Portion{Attempts: 12}, func(engine.Processed) {}); err != nil || left {
		t.Errorf("left %t, %v", left, err)
	}
	if n := w.count("SELECT count(*) FROM annals.episodes WHERE (state = 'failed') = (content = 'poison')"); n != 2 {
		t.Error("the one is not failed, or the other not read")
	}
}

// A thread is summarised on its own, a few messages at a time, and no message is read twice for it.
func TestThreadsAreSummarisedAsTheyGrow(t *testing.T) {
	t.Parallel()
	w := newLLMWorld(t, engine.Options{Window: 8})
	var messages []string
	for i := range 45 {
		messages = append(messages, fmt.Sprintf("Alice: message number %d", i))
	}
	w.storeAll(messages...)
	w.process()
	asked, read := 0, 0
	for _, r := range w.server.Calls() {
		if r.Prompt == "summarise_thread" {
			asked++
			read += strings.Count(r.User, "</message>")
		}
	}
	if asked != 2 || read != 40 {
		t.Errorf("%d questions about %d messages, want 2 about 40: the last five are too few", asked, read)
	}
	threads, err := w.engine.Threads(t.Context(), "g", nil, 10)
	if err != nil || len(threads) != 1 || threads[0].Summary != "They talked." || threads[0].Unsummarised != 5 {
		t.Errorf("Threads = %+v, %v", threads, err)
	}
	if err := w.put(graph.Episode{GroupID: "g", ThreadID: "chat", Content: "one more", OccurredAt: date("2024-06-01")}); err != nil {
		t.Fatal(err)
	}
	chats, _ := w.asked(func() { w.process() })
	if chats != 1 {
		t.Errorf("%d calls for one more message: the thread was summarised again", chats)
	}
	var summary string
	chats, _ = w.asked(func() { summary, err = w.engine.SummariseThread(t.Context(), "g", "chat") })
	if err != nil || summary != "They talked." || chats != 1 {
		t.Errorf("SummariseThread = %q, %v with %d calls, want one about the last six messages", summary, err, chats)
	}
}
