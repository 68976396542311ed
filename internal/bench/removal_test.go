package bench

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/internal/pgtest"
)

var groupFacts = flag.Int("facts", 10000, "how many facts BenchmarkRemoval's group has")

// BenchmarkRemoval measures PostgreSQL's processor time per fact to remove facts
// with packed postings: row by row, together, and without their postings.
func BenchmarkRemoval(b *testing.B) {
	o, err := open(b.Context(), Options{DatabaseURL: pgtest.New(b)})
	if err != nil {
		b.Fatal(err)
	}
	defer o.close()
	if _, err := o.group(b.Context(), "removal", *groupFacts); err != nil {
		b.Fatal(err)
	}
	if _, err := o.pool.Exec(b.Context(), `VACUUM (ANALYZE)`); err != nil {
		b.Fatal(err)
	}
	const rowByRow = `DELETE FROM annals.facts WHERE group_id = 'removal' AND id = ANY($1)`
	for _, gone := range []int{10, 100, 1000, 10000} {
		for _, way := range []struct{ name, before, statement string }{
			{"row by row", "", rowByRow},
			{"together", "", `SELECT annals_internal.remove_rows('removal', 'fact', $1)`},
			{"without their postings", `SET LOCAL annals.postings_taken = 'fact'`, rowByRow},
		} {
			b.Run(fmt.Sprintf("%d %s", gone, way.name), func(b *testing.B) { o.removal(b, way.before, way.statement, gone) })
		}
	}
}

// removal measures a way of removing facts, which exist again afterwards.
func (b *bench) removal(t *testing.B, before, statement string, gone int) {
	conn, err := b.pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	var spent time.Duration
	removed := 0
	for t.Loop() {
		tx, err := conn.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		rows, err := tx.Query(t.Context(), `SELECT id FROM annals.facts WHERE group_id = 'removal' ORDER BY md5(id::text) LIMIT $1`, gone)
		if err != nil {
			t.Fatal(err)
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Exec(t.Context(), before); err != nil {
			t.Fatal(err)
		}
		began := processorTime(t, conn.Conn().PgConn().PID())
		if _, err := tx.Exec(t.Context(), statement, ids); err != nil {
			t.Fatal(err)
		}
		spent += processorTime(t, conn.Conn().PgConn().PID()) - began
		removed += len(ids)
		if err := tx.Rollback(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	t.ReportMetric(float64(spent.Milliseconds())/float64(removed), "cpu-ms/fact")
}

// processorTime returns the processor time of a process on this machine.
func processorTime(b *testing.B, pid uint32) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Skip("the server's processes cannot be seen: ", err)
	}
	var user, system int64
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if _, err := fmt.Sscan(fields[11]+" "+fields[12], &user, &system); err != nil {
		b.Fatal(err)
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}
