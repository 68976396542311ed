package worker_test

import (
	"testing"
	"time"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/worker"
)

// Behind a pooler, which delivers no notifications, workers find jobs all the same. One worker
// leads and sweeps; when it ends, another takes over.
func TestWorkersBehindAPooler(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	pool, err := db.Open(t.Context(), pgtest.Bouncer(t, pgtest.New(t)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	w := &world{t: t, pool: pool, read: map[string][]string{}}
	sweeping := worker.Settings{Sweep: 100 * time.Millisecond}
	stop := w.start(sweeping, nothing)
	w.add("a", "I live in Paris.")
	w.until(1, done)
	w.start(sweeping, nothing)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	w.add("b", "I live in Lisbon.")
	if _, err := pool.Exec(t.Context(), `DELETE FROM annals_internal.river_job WHERE kind = 'drain'`); err != nil {
		t.Fatal(err)
	}
	w.until(2, done)
}
