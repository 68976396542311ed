package worker_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/lock"
	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/worker"
)

const (
	done   = "SELECT count(*) FROM annals.episodes WHERE state = 'done'"
	failed = "SELECT count(*) FROM annals.episodes WHERE state = 'failed'"
	jobs   = "SELECT count(*) FROM annals_internal.river_job WHERE kind = 'drain' AND state = $1"
)

// Two workers read several groups while more is added: each group in order, and no episode twice.
func TestWorkersKeepTheOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const groups, episodes = 5, 24
	for range 2 {
		w.start(worker.Settings{Options: worker.Options{Workers: 3}, Portion: 50 * time.Millisecond}, w.note)
	}
	want := map[string][]string{}
	for i := range episodes {
		for g := range groups {
			group := fmt.Sprintf("group%d", g)
			content := fmt.Sprintf("%s I live in Town%d.", group, i)
			want[group] = append(want[group], content)
			w.add(group, content)
		}
	}
	w.until(groups*episodes, done)
	w.mu.Lock()
	defer w.mu.Unlock()
	if diff := cmp.Diff(want, w.read); diff != "" {
		t.Errorf("what was read (-added +read):\n%s", diff)
	}
}

// An unreadable episode is put aside, and the next ones are read.
func TestAPoisonedEpisodeFailsAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.add("g", "I live in Paris.", "poison", "I live in Lisbon.")
	w.start(worker.Settings{}, func(_ context.Context, in prompts.ExtractEntities) error {
		if in.Episode.Content == "poison" {
			return errors.New("it cannot be read")
		}
		return nil
	})
	w.until(2, done)
	if n := w.count(failed + " AND content = 'poison' AND error LIKE '%cannot be read%' AND attempts = 1"); n != 1 {
		t.Error("the poisoned episode is not put aside, with why")
	}
}

// A panic counts as the failure of its episode: the episode is put aside at once and the worker
// goes on. A retry reads it once the defect is mended.
func TestAPanicFailsItsEpisodeAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var mended atomic.Bool
	w.add("g", "I live in Paris.", "defect", "I live in Lisbon.")
	w.start(worker.Settings{}, func(_ context.Context, in prompts.ExtractEntities) error {
		if in.Episode.Content == "defect" && !mended.Load() {
			var entities []string
			_ = entities[len(in.Episode.Content)]
		}
		return nil
	})
	w.until(2, done)
	if n := w.count(failed + " AND content = 'defect' AND error LIKE 'extract entities: %index out of range%' AND attempts = 1"); n != 1 {
		t.Error("the episode that panics is not put aside, with why")
	}
	mended.Store(true)
	embedder, err := model.NewHashEmbedder(384)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := engine.New(w.pool, offline.New(), embedder, engine.Options{}).Retry(t.Context(), "g"); err != nil || n != 1 {
		t.Fatalf("%d episodes are tried again (%v), want 1", n, err)
	}
	w.until(3, done)
}

// An episode that ended several processes is put aside. Those behind it, claimed as often but never
// begun, are read.
func TestWhatEndsProcessesIsPutAside(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.add("g", "exhausts the memory", "I live in Paris.", "I live in Lisbon.")
	w.add("h", "I live in Rome.")
	if _, err := w.pool.Exec(t.Context(), `UPDATE annals.episodes SET state = 'processing', attempts = 3`); err != nil {
		t.Fatal(err)
	}
	if _, err := w.pool.Exec(t.Context(), `UPDATE annals.episodes SET attempts = 2 WHERE group_id = 'h'`); err != nil {
		t.Fatal(err)
	}
	w.start(worker.Settings{Attempts: 3}, func(_ context.Context, in prompts.ExtractEntities) error {
		if in.Episode.Content == "exhausts the memory" {
			t.Error("it is begun once more")
		}
		return nil
	})
	w.until(3, done)
	if n := w.count(failed + " AND content = 'exhausts the memory' AND error LIKE '%begun 3 times%'"); n != 1 {
		t.Error("what ended the processes is not put aside, with why")
	}
}

// Episodes wait while the model does not answer. After the allowed number of attempts they are put
// aside.
func TestEpisodesWaitForTheModel(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	w := newWorld(t)
	w.add("late", "I live in Paris.", "I live in Lisbon.")
	w.add("never", "I live in Rome.", "I live in Oslo.")
	var mu sync.Mutex
	tries := map[string]int{}
	w.start(worker.Settings{Attempts: 2}, func(_ context.Context, in prompts.ExtractEntities) error {
		mu.Lock()
		defer mu.Unlock()
		tries[in.Episode.Content]++
		if in.Episode.Content == "I live in Rome." || in.Episode.Content == "I live in Paris." && tries[in.Episode.Content] < 2 {
			return &model.CallError{Provider: "model", Status: 503, Message: "busy"}
		}
		return nil
	})
	w.until(3, done)
	if n := w.count(failed + " AND content = 'I live in Rome.' AND attempts = 2"); n != 1 {
		t.Error("what is never answered is not put aside after the second try")
	}
	if n := w.count(done + " AND content = 'I live in Paris.' AND attempts = 2"); n != 1 {
		t.Error("what was answered the second time does not have two attempts")
	}
	if n := w.count(done + " AND content IN ('I live in Lisbon.', 'I live in Oslo.') AND attempts = 1"); n != 2 {
		t.Error("what waited behind it counts as tried")
	}
}

// The pauses grow while the model does not answer: one second, two.
func TestThePausesForTheModelGrow(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	w := newWorld(t)
	w.add("g", "I live in Paris.")
	var mu sync.Mutex
	var at []time.Time
	w.start(worker.Settings{Attempts: 3}, func(context.Context, prompts.ExtractEntities) error {
		mu.Lock()
		defer mu.Unlock()
		at = append(at, time.Now())
		return &model.CallError{Provider: "model", Status: 503, Message: "busy"}
	})
	w.until(1, failed)
	mu.Lock()
	defer mu.Unlock()
	for i := range at[1:] {
		if wait, least := at[i+1].Sub(at[i]), time.Second<<i; wait < least {
			t.Errorf("try %d comes %s after the one before, want at least %s", i+2, wait.Round(time.Millisecond), least)
		}
	}
}

// Retried episodes wait for the model as long as new ones: earlier attempts do not count.
func TestRetriedEpisodesWaitForTheModel(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	w := newWorld(t)
	w.add("g", "I live in Paris.")
	var mu sync.Mutex
	tries := 0
	w.start(worker.Settings{Attempts: 2}, func(context.Context, prompts.ExtractEntities) error {
		mu.Lock()
		defer mu.Unlock()
		if tries++; tries <= 3 {
			return &model.CallError{Provider: "model", Status: 503, Message: "busy"}
		}
		return nil
	})
	w.until(1, failed)
	if _, err := db.New(w.pool).EpisodesRetry(t.Context(), "g"); err != nil {
		t.Fatal(err)
	}
	w.until(1, done+" AND attempts = 2")
	if n := w.count(failed); n != 0 {
		t.Error("it failed at the first try")
	}
}

// An episode that is added while a job takes its last look is read without a sweep: the job does
// not end while a transaction that adds is open.
func TestWhatIsAddedLateIsRead(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	w := newWorld(t)
	tx, err := w.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w.add("g", "I live in Paris.")
	if err := store(t.Context(), tx, "g", "I live in Lisbon."); err != nil { // adds no job, since there is one
		t.Fatal(err)
	}
	w.start(worker.Settings{}, nothing)
	w.until(1, done)
	w.until(1, "SELECT count(*) FROM annals_internal.river_job WHERE kind = 'drain' AND state = 'completed' AND id > (SELECT min(id) FROM annals_internal.river_job WHERE kind = 'drain')")
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.until(2, done)
	w.until(0, jobs, "available")
}

// The sweep finds episodes without a job.
func TestTheSweepFindsTheStranded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.add("a", "I live in Paris.")
	w.add("b", "I live in Lisbon.")
	if _, err := w.pool.Exec(t.Context(), `UPDATE annals.episodes SET state = 'processing' WHERE group_id = 'a'; DELETE FROM annals_internal.river_job`); err != nil {
		t.Fatal(err)
	}
	w.start(worker.Settings{Sweep: 100 * time.Millisecond}, nothing)
	w.until(2, done)
}

// What a process put back before it died is found by the sweep: putting back adds no job.
func TestTheSweepFindsWhatWasPutBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.add("g", "I live in Paris.")
	if _, err := w.pool.Exec(t.Context(), `UPDATE annals.episodes SET state = 'processing', attempts = 1; UPDATE annals_internal.river_job SET state = 'running', attempted_at = now(), attempt = 1`); err != nil {
		t.Fatal(err)
	}
	put := db.EpisodesReleaseParams{GroupID: "g"}
	if err := w.pool.QueryRow(t.Context(), "SELECT array_agg(id) FROM annals.episodes").Scan(&put.Ids); err != nil {
		t.Fatal(err)
	}
	if err := db.New(w.pool).EpisodesRelease(t.Context(), put); err != nil {
		t.Fatal(err)
	}
	if n := w.count(jobs, "available"); n != 0 {
		t.Fatalf("%d jobs wait, want none that would try again at once", n)
	}
	w.start(worker.Settings{Sweep: 100 * time.Millisecond}, nothing)
	w.until(1, done)
}

// Who finds the group busy neither forgets how often it failed nor hastens a job that waits.
func TestABusyGroupKeepsItsPause(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.add("g", "I live in Paris.")
	if _, err := w.pool.Exec(t.Context(), `UPDATE annals_internal.river_job SET metadata = '{"failures": 3}'`); err != nil {
		t.Fatal(err)
	}
	err := lock.New(w.pool).Hold(t.Context(), "g", func() error {
		stop := w.start(worker.Settings{}, nothing)
		w.until(1, jobs+" AND metadata->>'failures' = '3' AND scheduled_at > now() + interval '4 seconds'", "available")
		return stop()
	})
	if err != nil {
		t.Fatal(err)
	}
	q := db.New(w.pool)
	for _, tried := range []db.QueueHandOnParams{{GroupID: "g", WaitSeconds: 64, Failures: 7}, {GroupID: "g", WaitSeconds: 5}} {
		if err := q.QueueHandOn(t.Context(), tried); err != nil {
			t.Fatal(err)
		}
	}
	if n := w.count(jobs+" AND metadata->>'failures' = '7' AND scheduled_at > now() + interval '1 minute'", "available"); n != 1 {
		t.Error("the pause after the seventh failure is cut short")
	}
}

// A stopping worker finishes the episode that it has begun and puts back the rest, and another
// worker takes that up at once.
func TestStoppingFinishesWhatWasBegun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.add("g", "I live in Paris.", "I live in Lisbon.", "I live in Rome.")
	begun, goOn := make(chan struct{}), make(chan struct{})
	log := slog.New(&hearing{Handler: slog.DiscardHandler, word: worker.Stopping, heard: func() { close(goOn) }})
	stop := w.start(worker.Settings{Log: log}, func(context.Context, prompts.ExtractEntities) error {
		close(begun)
		<-goOn
		return nil
	})
	<-begun
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if n := w.count("SELECT count(*) FROM annals.episodes WHERE state = 'pending' AND attempts = 0"); n != 2 {
		t.Errorf("%d episodes wait untried, want the 2 that were not begun", n)
	}
	if n := w.count(jobs, "available"); n != 1 {
		t.Errorf("%d jobs wait, want 1 for the rest", n)
	}
	w.start(worker.Settings{}, nothing)
	w.until(3, done)
}

// hearing calls heard when the log gets the message word.
type hearing struct {
	slog.Handler
	word  string
	heard func()
}

func (*hearing) Enabled(context.Context, slog.Level) bool { return true }

func (h *hearing) Handle(_ context.Context, r slog.Record) error {
	if r.Message == h.word {
		h.heard()
	}
	return nil
}

func (h *hearing) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h *hearing) WithGroup(string) slog.Handler      { return h }

// Work that takes too long to finish at a stop is given up, and another worker begins it again at
// once.
func TestStoppingGivesUpWhatTakesLong(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.add("g", "I live in Paris.", "I live in Lisbon.")
	begun := make(chan struct{})
	stop := w.start(worker.Settings{Grace: 50 * time.Millisecond}, func(ctx context.Context, _ prompts.ExtractEntities) error {
		close(begun)
		<-ctx.Done()
		return ctx.Err()
	})
	<-begun
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if n := w.count(done); n != 0 {
		t.Fatalf("%d episodes are done", n)
	}
	w.start(worker.Settings{}, nothing)
	w.until(2, done)
}

// Each way to add an episode leaves one job for its group, also for a tenant.
func TestEveryAdditionIsEnqueued(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	groups := func() []string {
		rows, err := w.pool.Query(t.Context(), "SELECT args->>'group_id' FROM annals_internal.river_job WHERE state = 'available' ORDER BY 1")
		if err != nil {
			t.Fatal(err)
		}
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	exec := func(statements ...string) {
		t.Helper()
		err := pgx.BeginFunc(t.Context(), w.pool, func(tx pgx.Tx) error {
			for _, statement := range statements {
				if _, err := tx.Exec(t.Context(), statement); err != nil {
					return fmt.Errorf("%s: %w", statement, err)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	w.add("library", "One.", "Two.")
	w.add("library", "Three.")
	exec("SELECT annals.add_episode('sql', 'Hello.')")
	exec("SET LOCAL ROLE annals_tenant", "SET LOCAL annals.group_id = 'tenant'", "SELECT annals.add_episode('tenant', 'Hello.')")
	exec("INSERT INTO annals.groups (group_id) VALUES ('copied'), ('failed'), ('read')",
		`INSERT INTO annals.episodes (group_id, id, content, state, error)
			SELECT g, gen_random_uuid(), 'Hello.', s::annals.episode_state, e
			FROM (VALUES ('copied', 'pending', NULL), ('failed', 'failed', 'no'), ('read', 'done', NULL)) v (g, s, e)`)
	want := []string{"copied", "library", "sql", "tenant"}
	if diff := cmp.Diff(want, groups()); diff != "" {
		t.Errorf("groups in the queue (-want +got):\n%s", diff)
	}
	exec("UPDATE annals.episodes SET state = 'pending', error = NULL WHERE state = 'failed'")
	want = slices.Insert(want, 1, "failed")
	if diff := cmp.Diff(want, groups()); diff != "" {
		t.Errorf("groups in the queue after a retry (-want +got):\n%s", diff)
	}
	exec("DELETE FROM annals.groups WHERE group_id = 'sql'")
	want = slices.DeleteFunc(want, func(g string) bool { return g == "sql" })
	if diff := cmp.Diff(want, groups()); diff != "" {
		t.Errorf("groups in the queue after one went (-want +got):\n%s", diff)
	}
	err := pgx.BeginFunc(t.Context(), w.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), "SET LOCAL ROLE annals_tenant"); err != nil {
			return err
		}
		_, err := tx.Exec(t.Context(), "SELECT annals_internal.enqueue_group('other')")
		return err
	})
	if err == nil {
		t.Error("a tenant puts groups into the queue by hand")
	}
}

// A worker that is stopped before it has begun ends without an error.
func TestStoppingBeforeItBegan(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	made, err := worker.New(worker.Settings{Pool: w.pool})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := made.Run(ctx); err != nil {
		t.Error(err)
	}
}

func TestTooManyWorkers(t *testing.T) {
	t.Parallel()
	for _, n := range []int{-1, worker.MaxWorkers + 1} {
		if _, err := worker.New(worker.Settings{Options: worker.Options{Workers: n}}); graph.CodeOf(err) != graph.CodeInvalid {
			t.Errorf("%d workers: %v, want them refused", n, err)
		}
	}
}
