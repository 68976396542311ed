package migrations_test

import (
	"testing"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/migrations"
)

// The URL may contain parameters of pools, which a server would not understand.
func TestTheURLOfAPool(t *testing.T) {
	t.Parallel()
	url := pgtest.Empty(t) + "&pool_max_conns=2"
	if _, err := migrations.Up(t.Context(), url, migrations.Options{}); err != nil {
		t.Fatal(err)
	}
	if current, err := migrations.Current(t.Context(), url); err != nil || !current {
		t.Errorf("Current = %v, %v", current, err)
	}
	if found, err := migrations.Inspect(t.Context(), url); err != nil || !found.Whole() {
		t.Errorf("Inspect = %+v, %v", found, err)
	}
	if _, err := migrations.Mend(t.Context(), url); err != nil {
		t.Error(err)
	}
}

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
	if _, err := migrations.Down(t.Context(), url, migrations.Options{}); err != nil {
		t.Fatal(err)
	}
	current("without the newest migration", false)
	up()
	current("migrated anew", true)
	if _, err := migrations.Current(t.Context(), "postgres://localhost:1/nowhere"); graph.CodeOf(err) != graph.CodeUnavailable {
		t.Errorf("no database: %v, want unavailable", err)
	}
}
