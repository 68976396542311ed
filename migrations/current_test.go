package migrations_test

import (
	"testing"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/migrations"
)

func TestCurrent(t *testing.T) {
	t.Parallel()
	url := pgtest.Empty(t)
	current := func(when string, want bool) {
		t.Helper()
		if got, err := migrations.Current(t.Context(), url); err != nil || got != want {
			t.Errorf("%s: Current = %v, %v; want %v", when, got, err, want)
		}
	}
	up := func() {
		t.Helper()
		if _, err := migrations.Up(t.Context(), url, migrations.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	current("an empty database", false)
	up()
	current("a migrated one", true)
	if _, err := migrations.Down(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	current("without the newest migration", false)
	up()
	current("migrated anew", true)
	if _, err := connect(t, url).Exec(t.Context(), "DELETE FROM annals_queue.river_migration WHERE version > 1"); err != nil {
		t.Fatal(err)
	}
	current("with an old queue", false)
	if _, err := migrations.Current(t.Context(), "postgres://localhost:1/nowhere"); graph.CodeOf(err) != graph.CodeUnavailable {
		t.Errorf("no database: %v, want unavailable", err)
	}
}

func TestQueueVersion(t *testing.T) {
	t.Parallel()
	if newest, err := migrations.QueueVersion(); err != nil || newest != migrations.KnownQueueVersion {
		t.Errorf("River's newest version is %d (%v), queueVersion is %d", newest, err, migrations.KnownQueueVersion)
	}
}
