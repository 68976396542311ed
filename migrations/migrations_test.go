package migrations_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/migrations"
)

func TestUpDownUp(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	url := pgtest.Empty(t)
	applied, err := migrations.Up(t.Context(), url, migrations.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if again, err := migrations.Up(t.Context(), url, migrations.Options{}); err != nil || len(again) != 0 {
		t.Errorf("second Up applied %v, %v; want nothing", again, err)
	}
	for range applied {
		if step, err := migrations.Down(t.Context(), url, migrations.Options{}); err != nil || step == nil {
			t.Fatalf("Down = %v, %v", step, err)
		}
	}
	if step, err := migrations.Down(t.Context(), url, migrations.Options{}); err != nil || step != nil {
		t.Errorf("Down on an empty database = %v, %v; want nothing", step, err)
	}
	if n := count(t, url, "SELECT count(*) FROM pg_namespace WHERE nspname = 'annals'"); n != 0 {
		t.Error("schema annals is still there after every migration was taken back")
	}
	if _, err := migrations.Up(t.Context(), url, migrations.Options{}); err != nil {
		t.Fatal(err)
	}
	status, err := migrations.Status(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range status {
		if step.AppliedAt.IsZero() {
			t.Errorf("%s is not applied", step.Name)
		}
	}
}

// Applying migrations again after any number were reverted gives the same
// schema.
func TestUpAgainFromAnywhere(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	url := pgtest.New(t)
	want := schema(t, url)
	for undone := range migrations.Newest() {
		if !slow.Long() && undone%3 != 2 {
			continue
		}
		for range undone + 1 {
			if _, err := migrations.Down(t.Context(), url, migrations.Options{}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := migrations.Up(t.Context(), url, migrations.Options{}); err != nil {
			t.Fatalf("after %d were undone: %v", undone+1, err)
		}
		if got := schema(t, url); got != want {
			t.Errorf("after %d were undone the schema is another one:\n%s", undone+1, differences(got, want))
		}
	}
}

func TestConcurrentUp(t *testing.T) {
	t.Parallel()
	url := pgtest.Empty(t)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if _, err := migrations.Up(context.Background(), url, migrations.Options{}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestEmbeddingDimensionIsFixedOnce(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name      string
		dimension int
	}{
		{"default", 0},
		{"small", 16},
		{"large", 1536},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			url := pgtest.Empty(t)
			if _, err := migrations.Up(t.Context(), url, migrations.Options{EmbeddingDim: tt.dimension}); err != nil {
				t.Fatal(err)
			}
			if _, err := migrations.Up(t.Context(), url, migrations.Options{}); err != nil {
				t.Errorf("Up without a dimension: %v", err)
			}
			_, err := migrations.Up(t.Context(), url, migrations.Options{EmbeddingDim: 77})
			if graph.CodeOf(err) != graph.CodeConflict {
				t.Errorf("Up with another dimension: %v; want a conflict", err)
			}
			if n := count(t, url, `SELECT count(*) FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid
				WHERE t.relname LIKE '%\_embeddings' AND x.indnatts > x.indnkeyatts`); n != 0 {
				t.Errorf("%d keys hold vectors a second time", n)
			}
		})
	}
}

func TestEmbeddingDimensionOutOfRange(t *testing.T) {
	t.Parallel()
	_, err := migrations.Up(t.Context(), pgtest.Empty(t), migrations.Options{EmbeddingDim: 5000})
	var e *graph.Error
	if !errors.As(err, &e) || e.Field != "ANNALS_EMBEDDING_DIM" {
		t.Errorf("Up = %v; want an error about ANNALS_EMBEDDING_DIM", err)
	}
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	_, err := migrations.Up(t.Context(), "postgres://nobody@127.0.0.1:1/none", migrations.Options{})
	if graph.CodeOf(err) != graph.CodeUnavailable {
		t.Errorf("Up = %v; want unavailable", err)
	}
}

func count(t *testing.T, url, query string) int {
	t.Helper()
	conn := connect(t, url)
	var n int
	if err := conn.QueryRow(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

func sqlState(err error) string {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code
	}
	return ""
}
