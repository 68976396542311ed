package db_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/db/embeddings"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
)

// servers is how many connections to the server the pooler of tests has.
const servers = 3

// A pooler with all connections held has no room, and has room again when one is released. A search
// takes no second connection.
func TestAPoolerIsFull(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	pool, err := db.Open(ctx, pgtest.Bouncer(t, pgtest.New(t)))
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	var held []pgx.Tx
	for i := range servers {
		if err := db.Room(ctx, pool); err != nil {
			t.Fatalf("with %d of %d held: %v", i, servers, err)
		}
		conn, err := db.Connect(ctx, pool)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close(ctx) }()
		tx, err := conn.Begin(ctx)
		if err == nil {
			_, err = tx.Exec(ctx, "SELECT 1")
		}
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, tx)
	}
	if err := db.Room(ctx, pool); !errors.Is(err, db.ErrNoRoom) {
		t.Errorf("with all held it says %v", err)
	}
	if err := held[0].Rollback(ctx); err != nil {
		t.Fatal(err)
	}
	err = db.Room(ctx, pool)
	for deadline := time.Now().Add(20 * time.Second); errors.Is(err, db.ErrNoRoom) && time.Now().Before(deadline); { // a busy pooler takes its time
		err = db.Room(ctx, pool)
	}
	if err != nil {
		t.Errorf("with one let go it says %v", err)
	}
}

// Indexes are built behind a pooler, and its connections keep their settings.
func TestBuildVectorIndexesBehindAPooler(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	ctx, url := t.Context(), pgtest.New(t)
	pool, err := db.Open(ctx, pgtest.Bouncer(t, url))
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	fill(t, pool, "g", 400, 1)
	if said := build(t, pool, "g"); len(said) != 1 {
		t.Errorf("built %q", said)
	}
	fill(t, pool, "g", 600, 2)
	if said := build(t, pool, "g"); len(said) != 1 || said[0] != "rebuilt fact of g, 1000" {
		t.Errorf("rebuilt %q", said)
	}
	if !shapeOf(t, pool, "g").HasIndex("fact") {
		t.Error("there is no index")
	}
	n := nearest("g")
	n.Shape = shapeOf(t, pool, "g")
	if found := search(t, pool, n); len(found) != n.Limit {
		t.Errorf("found %d", len(found))
	}
	for range servers {
		tx, err := pool.Begin(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback(ctx) }()
		var left []string
		err = tx.QueryRow(ctx, `SELECT array_agg(name) FROM pg_settings WHERE source = 'session' AND name IN ('maintenance_work_mem', 'lock_timeout', 'statement_timeout',
			'max_parallel_maintenance_workers')`).Scan(&left)
		if err != nil || len(left) > 0 {
			t.Errorf("settings are left behind: %q (%v)", left, err)
		}
	}
}

// The server may cancel a statement that runs or waits too long. Behind a pooler only the settings
// of the user help, and the error says so.
func TestBuildingThatTakesTooLongBehindAPooler(t *testing.T) {
	t.Parallel()
	ctx, url := t.Context(), pgtest.New(t)
	direct, err := db.Open(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer direct.Close()
	fill(t, direct, "g", 400, 1)
	exec(t, direct, `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET lock_timeout = ''200ms''', current_database()); END $$`)
	tx, err := direct.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if _, err := tx.Exec(ctx, `LOCK TABLE annals_internal.fact_embeddings IN SHARE UPDATE EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	pool, err := db.Open(ctx, pgtest.Bouncer(t, url))
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if _, err := embeddings.BuildIndexes(ctx, pool, "g", threshold); err == nil {
		t.Error("it was not ended")
	} else if want := "ALTER ROLE"; !strings.Contains(err.Error(), want) {
		t.Errorf("it says %v, want %q", err, want)
	}
}
