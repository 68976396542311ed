package worker_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/worker"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world is a database with workers.
type world struct {
	t    *testing.T
	pool *pgxpool.Pool

	mu   sync.Mutex
	read map[string][]string // the episodes read of each group, in order
}

func newWorld(t *testing.T) *world {
	t.Helper()
	pool, err := db.Open(t.Context(), pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return &world{t: t, pool: pool, read: map[string][]string{}}
}

// analyst reads by the offline rules, and calls before first.
type analyst struct {
	*offline.Analyst
	before func(context.Context, prompts.ExtractEntities) error
}

func (a analyst) ExtractEntities(ctx context.Context, in prompts.ExtractEntities) (prompts.ExtractedEntities, error) {
	if err := a.before(ctx, in); err != nil {
		return prompts.ExtractedEntities{}, err
	}
	return a.Analyst.ExtractEntities(ctx, in)
}

// start runs a worker with an engine of its own until stop is called, or the
// test ends.
func (w *world) start(o worker.Settings, before func(context.Context, prompts.ExtractEntities) error) (stop func() error) {
	w.t.Helper()
	embedder, err := model.NewHashEmbedder(384)
	if err != nil {
		w.t.Fatal(err)
	}
	o.Pool, o.Engine = w.pool, engine.New(w.pool, analyst{offline.New(), before}, embedder, engine.Options{})
	if o.Sweep == 0 {
		o.Sweep = time.Hour // tests find their jobs without a sweep
	}
	made, err := worker.New(o)
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(w.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- made.Run(ctx) }()
	stop = sync.OnceValue(func() error { cancel(); return <-ended })
	w.t.Cleanup(func() {
		if err := stop(); err != nil {
			w.t.Error(err)
		}
	})
	return stop
}

func nothing(context.Context, prompts.ExtractEntities) error { return nil }

func (w *world) add(group string, contents ...string) {
	w.t.Helper()
	err := pgx.BeginFunc(w.t.Context(), w.pool, func(tx pgx.Tx) error { return store(w.t.Context(), tx, group, contents...) })
	if err != nil {
		w.t.Fatal(err)
	}
}

func store(ctx context.Context, tx pgx.Tx, group string, contents ...string) error {
	episodes := make([]graph.Episode, len(contents))
	for i, content := range contents {
		episodes[i] = graph.Episode{GroupID: group, Actor: "Alice", Content: content}
	}
	_, err := intake.Store(ctx, tx, episodes)
	return err
}

func (w *world) count(query string, args ...any) (n int) {
	w.t.Helper()
	if err := w.pool.QueryRow(w.t.Context(), query, args...).Scan(&n); err != nil {
		w.t.Fatal(err)
	}
	return n
}

// until waits until a query counts exactly want.
func (w *world) until(want int, query string, args ...any) {
	w.t.Helper()
	for range time.Tick(20 * time.Millisecond) { // until the test's own time is up
		if w.count(query, args...) == want {
			return
		}
	}
}

// note records the content that is read, by group.
func (w *world) note(_ context.Context, in prompts.ExtractEntities) error {
	content := in.Episode.Content
	group, _, _ := strings.Cut(content, " ")
	w.mu.Lock()
	defer w.mu.Unlock()
	w.read[group] = append(w.read[group], content)
	return nil
}
