package migrations_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/migrations"
)

// The script begins with its requirements, and checks them in a statement of its own,
// since tools show little more than the statement that failed.
func TestTheScriptSaysFirstWhatItNeeds(t *testing.T) {
	t.Parallel()
	text, err := migrations.SQL(0, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if first, _, _ := strings.Cut(text, "\n"); !strings.Contains(first, "extensions") || !strings.Contains(first, "annals migrate grants") {
		t.Errorf("the script begins with %q", first)
	}
	_, rest, _ := strings.Cut(text, "-- +goose StatementBegin\n")
	asks, _, found := strings.Cut(rest, "-- +goose StatementEnd")
	if !found || len(asks) > 3000 {
		t.Fatalf("it asks for what it needs in %d bytes", len(asks))
	}
	conn := connect(t, pgtest.Empty(t))
	role := pgx.Identifier{fmt.Sprintf("annals_needy_%d", conn.PgConn().PID())}.Sanitize()
	_, err = conn.Exec(t.Context(), "BEGIN; CREATE ROLE "+role+"; SET LOCAL ROLE "+role+";\n"+asks)
	if err == nil || !strings.Contains(err.Error(), "Annals needs extensions that are missing and that ") || !strings.Contains(err.Error(), "vector") {
		t.Errorf("a role without rights is told %v", err)
	}
	_, _ = conn.Exec(t.Context(), "ROLLBACK")
	if _, err := conn.Exec(t.Context(), asks); err != nil {
		t.Errorf("a superuser is refused: %v", err)
	}
}

// goose's error for a user without rights contains the cause.
func TestGooseShowsTheCause(t *testing.T) {
	slow.Test(t)
	goose := os.Getenv("ANNALS_TEST_GOOSE")
	if goose == "" {
		t.Skip("there is no goose")
	}
	address, admin, role := plainOwner(t)
	if _, err := admin.Exec(t.Context(), "DROP EXTENSION vector; GRANT ALL ON SCHEMA public TO "+role); err != nil {
		t.Fatal(err)
	}
	file := script(t, 0, 0)
	dir := filepath.Dir(file)
	if err := os.Rename(file, filepath.Join(dir, "00001_annals.sql")); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), goose, "-dir", dir, "postgres", address, "up").CombinedOutput()
	if err == nil || len(out) > 4000 || !strings.Contains(string(out), "needs extensions that are missing") {
		t.Errorf("goose says %v in %d bytes: %.300s", err, len(out), out)
	}
}
