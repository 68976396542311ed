package citus

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/migrations"
)

// The number of shards is small, so that distributing takes seconds.
const shards = 4

// nodes returns the URLs of a database on the coordinator and the workers of
// scripts/citus, the coordinator's first.
func nodes(t testing.TB, database string) []string {
	t.Helper()
	urls, err := pgtest.Cluster(database)
	if err != nil {
		t.Fatal(err)
	}
	if len(urls) == 0 {
		t.Skip("no Citus to test with: make test-citus, or set ANNALS_TEST_CITUS to what 'scripts/citus start' prints")
	}
	return urls
}

// newCluster creates an empty database on every server of the cluster, and returns
// the coordinator's URL.
func newCluster(t testing.TB, name string) string {
	t.Helper()
	for i, node := range nodes(t, "postgres") {
		exec(t, node, `CREATE DATABASE `+name)
		exec(t, node, fmt.Sprintf(`ALTER DATABASE %s SET citus.shard_count = %d`, name, shards))
		exec(t, nodes(t, name)[i], `CREATE EXTENSION citus`)
	}
	made := nodes(t, name)
	for i, node := range made {
		config, err := pgx.ParseConfig(node)
		if err != nil {
			t.Fatal(err)
		}
		add := `SELECT citus_add_node('%s', %d)`
		if i == 0 {
			add = `SELECT citus_set_coordinator_host('%s', %d)`
		}
		exec(t, made[0], fmt.Sprintf(add, config.Host, config.Port))
	}
	return made[0]
}

// inPlace creates a migrated database on a cluster, fills it, and distributes it. It
// is dropped when the test ends.
func inPlace(t testing.TB, fill func(coordinator string)) string {
	t.Helper()
	name := fmt.Sprintf("annals_%d", time.Now().UnixNano())
	t.Cleanup(func() {
		if os.Getenv("ANNALS_TEST_KEEP") != "" {
			t.Logf("kept: %s", nodes(t, name)[0])
			return
		}
		drop(t, name)
	})
	address := newCluster(t, name)
	if _, err := migrations.Up(t.Context(), address, migrations.Options{}); err != nil {
		t.Fatal(err)
	}
	fill(address)
	distribute(t, address)
	return address
}

func distribute(t testing.TB, address string) {
	t.Helper()
	pool, err := db.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if err := db.Distribute(t.Context(), pool, func(string) {}); err != nil {
		t.Fatal(err)
	}
}

// template is a distributed empty database, created by each test program. Copying it
// takes a tenth of the time.
var template = sync.OnceValue(func() string { return fmt.Sprintf("annals_template_%d", os.Getpid()) })

var templateMade sync.Once

// distributed returns a new memory on the cluster. It is dropped when the test ends.
func distributed(t testing.TB) string {
	t.Helper()
	nodes(t, "") // skips where there is no Citus
	templateMade.Do(func() {
		made := newCluster(t, template())
		if _, err := migrations.Up(t.Context(), made, migrations.Options{}); err != nil {
			t.Fatal(err)
		}
		distribute(t, made)
		for _, node := range nodes(t, "postgres") {
			exec(t, node, `ALTER DATABASE `+template()+` ALLOW_CONNECTIONS false`)
			exec(t, node, `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '`+template()+`'`)
		}
	})
	return pgtest.CopyCluster(t, template())
}

// atEnd holds functions to run after all tests, last first.
var atEnd []func()

// shared is a test whose databases outlive it, since other tests use them.
type shared struct{ testing.TB }

func (shared) Cleanup(do func())         { atEnd = append(atEnd, do) }
func (shared) Context() context.Context  { return context.Background() }
func (shared) Logf(f string, a ...any)   { fmt.Fprintf(os.Stderr, f+"\n", a...) }
func (shared) Errorf(f string, a ...any) { fmt.Fprintf(os.Stderr, f+"\n", a...); broken.Store(true) }
func (s shared) Error(a ...any)          { s.Errorf("%s", fmt.Sprint(a...)) }

// broken is set by errors in shared databases, since the test that created them may
// be over.
var broken atomic.Bool

// TestMain removes the shared databases and the template.
func TestMain(m *testing.M) {
	code := m.Run()
	for _, do := range slices.Backward(atEnd) {
		do()
	}
	if broken.Load() && code == 0 {
		code = 1
	}
	if urls, err := pgtest.Cluster("postgres"); err == nil {
		for _, url := range urls {
			if conn, err := pgx.Connect(context.Background(), url); err == nil {
				_, _ = conn.Exec(context.Background(), `DROP DATABASE IF EXISTS `+template()+` WITH (FORCE)`)
			}
		}
	}
	os.Exit(code)
}

// drop drops a database. It retries, since Citus itself may reconnect at once.
func drop(t testing.TB, name string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	for _, node := range nodes(t, "postgres") {
		conn, err := pgx.Connect(ctx, node)
		if err != nil {
			t.Error(err)
			continue
		}
		for range 20 {
			if _, err = conn.Exec(ctx, `DROP DATABASE IF EXISTS `+name+` WITH (FORCE)`); err == nil {
				break
			}
			time.Sleep(time.Second)
		}
		if err != nil {
			t.Error(err)
		}
		_ = conn.Close(ctx)
	}
}

var (
	twinsMade           sync.Once
	oneFilled, manySame string
)

// twins returns a single server and a cluster with the same rows. They are created
// once, for all tests that do not change them.
func twins(t testing.TB) (one, many string) {
	t.Helper()
	nodes(t, "") // skips where there is no Citus
	twinsMade.Do(func() {
		to, from := distributed(shared{t}), pgtest.New(shared{t})
		fill(t, from)
		move(t, from, to)
		for _, address := range append(nodes(t, connect(t, to).Config().Database), from) {
			exec(t, address, `ANALYZE`) // as the servers do by themselves, but later
		}
		oneFilled, manySame = from, to
	})
	if oneFilled == "" {
		t.Fatal("there is nothing to compare: what was to be filled was not")
	}
	return oneFilled, manySame
}

// move copies every row of a database to another one, without triggers.
func move(t testing.TB, from, to string) {
	t.Helper()
	source, target := connect(t, from), connect(t, to)
	mustExec(t, target, `BEGIN`)
	mustExec(t, target, `SET LOCAL session_replication_role = replica`)
	mustExec(t, target, `SET LOCAL citus.multi_shard_modify_mode = sequential`)
	mustExec(t, target, `DELETE FROM annals_internal.settings`)
	rows, err := source.Query(t.Context(), `SELECT oid::regclass::text FROM pg_class WHERE relnamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace)
		AND relkind = 'r' AND relname <> 'migrations' AND relname !~ '^river_'`)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		var text strings.Builder
		if _, err := source.PgConn().CopyTo(t.Context(), &text, `COPY `+table+` TO STDOUT`); err != nil {
			t.Fatalf("%s: %v", table, err)
		}
		if _, err := target.PgConn().CopyFrom(t.Context(), strings.NewReader(text.String()), `COPY `+table+` FROM STDIN`); err != nil {
			t.Fatalf("%s: %v", table, err)
		}
	}
	mustExec(t, target, `COMMIT`)
}

func connect(t testing.TB, address string) *pgx.Conn {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(ctx) })
	return conn
}

func mustExec(t testing.TB, conn *pgx.Conn, sql string, args ...any) {
	t.Helper()
	if _, err := conn.Exec(context.WithoutCancel(t.Context()), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// exec runs a statement on a connection of its own.
func exec(t testing.TB, address, sql string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}
