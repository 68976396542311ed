package migrations_test

import (
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/migrations"
)

// A database with a newer migration is refused with an error that says so.
func TestANewerDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	address := pgtest.New(t)
	if _, err := connect(t, address).Exec(t.Context(), "INSERT INTO annals.migrations (version, name) VALUES (99, 'of another tool')"); err != nil {
		t.Fatal(err)
	}
	_, err := migrations.Up(t.Context(), address, migrations.Options{})
	if err == nil || !strings.Contains(err.Error(), "has migration 99, and this version of Annals has ") {
		t.Errorf("it is told %v", err)
	}
}
