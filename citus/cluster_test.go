package citus

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/migrations"
)

// shards are few, so that distributing takes seconds.
const shards = 4

// nodes are the coordinator and the workers of scripts/citus: URLs of their
// databases, the coordinator's first.
func nodes(t testing.TB, database string) []string {
	t.Helper()
	address := os.Getenv("ANNALS_TEST_CITUS")
	if address == "" {
		t.Skip("no Citus to test with: make test-citus, or set ANNALS_TEST_CITUS to what 'scripts/citus start' prints")
	}
	var urls []string
	for n := range 3 {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		port, err := strconv.Atoi(u.Port())
		if err != nil {
			t.Fatal(err)
		}
		u.Host, u.Path = fmt.Sprintf("%s:%d", u.Hostname(), port+n), "/"+database
		urls = append(urls, u.String())
	}
	return urls
}

// newCluster makes a database on every server of the cluster, and returns the URL of
// the coordinator's, with nothing in it. It is gone when the test ends.
func newCluster(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("annals_%d", time.Now().UnixNano())
	t.Cleanup(func() {
		if os.Getenv("ANNALS_TEST_KEEP") != "" {
			t.Logf("kept: %s", nodes(t, name)[0])
			return
		}
		for _, node := range nodes(t, "postgres") {
			drop(t, node, name)
		}
	})
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

// drop removes a database, which Citus itself may look into again at once.
func drop(t testing.TB, node, name string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, node)
	if err != nil {
		t.Error(err)
		return
	}
	defer func() { _ = conn.Close(ctx) }()
	for range 20 {
		if _, err = conn.Exec(ctx, `DROP DATABASE IF EXISTS `+name+` WITH (FORCE)`); err == nil {
			return
		}
		time.Sleep(time.Second)
	}
	t.Error(err)
}

// distributed makes a migrated database on a cluster, fills it, and distributes it.
func distributed(t testing.TB, fill func(coordinator string)) string {
	t.Helper()
	address := newCluster(t)
	if _, err := migrations.Up(t.Context(), address, migrations.Options{}); err != nil {
		t.Fatal(err)
	}
	fill(address)
	pool, err := db.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if err := db.Distribute(t.Context(), pool, func(string) {}); err != nil {
		t.Fatal(err)
	}
	return address
}

// twins are one server and a cluster that hold the same rows: fill writes them to
// the one, and they are moved to the other before it is distributed.
func twins(t testing.TB, fill func(address string)) (one, many string) {
	t.Helper()
	nodes(t, "") // skips where there is no Citus
	one = pgtest.New(t)
	fill(one)
	return one, distributed(t, func(coordinator string) { move(t, one, coordinator) })
}

// move copies every row of a database to another one, past the triggers.
func move(t testing.TB, from, to string) {
	t.Helper()
	source, target := connect(t, from), connect(t, to)
	mustExec(t, target, `SET session_replication_role = replica`)
	mustExec(t, target, `DELETE FROM annals.settings`)
	rows, err := source.Query(t.Context(), `SELECT relname::text FROM pg_class WHERE relnamespace = 'annals'::regnamespace AND relkind = 'r' AND relname <> 'migrations'`)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		var text strings.Builder
		if _, err := source.PgConn().CopyTo(t.Context(), &text, `COPY annals.`+table+` TO STDOUT`); err != nil {
			t.Fatalf("%s: %v", table, err)
		}
		if _, err := target.PgConn().CopyFrom(t.Context(), strings.NewReader(text.String()), `COPY annals.`+table+` FROM STDIN`); err != nil {
			t.Fatalf("%s: %v", table, err)
		}
	}
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

// exec runs one statement on a connection of its own.
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
