package migrations_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/migrations"
)

// A script that fails leaves nothing behind. A script outside of a transaction
// is refused before it does anything.
func TestTheScriptRunsWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	url := pgtest.Empty(t)
	whole := script(t, 0, 0)
	if out, err := tryPsql(t, url, whole); err == nil || !strings.Contains(out, "--single-transaction") {
		t.Errorf("without a transaction psql said %q (%v); want to be told how to run it", out, err)
	}
	text, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	broken := strings.Replace(string(text), "CALL annals_internal.end_migration(6,", "SELECT 1 / 0;\nCALL annals_internal.end_migration(6,", 1)
	if err := os.WriteFile(whole, []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := tryPsql(t, url, whole, "--single-transaction"); err == nil || !strings.Contains(out, "division by zero") {
		t.Errorf("of a broken script psql said %q (%v)", out, err)
	}
	if n := count(t, url, "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'annals%'"); n != 0 {
		t.Errorf("%d schemas are left", n)
	}
	psql(t, url, script(t, 0, 0), "--single-transaction")
}

// A part is refused if it ran already, or if an earlier one is missing.
func TestTheScriptFollowsOnWhatRan(t *testing.T) {
	t.Parallel()
	url := pgtest.Empty(t)
	psql(t, url, script(t, 0, 4), "--single-transaction")
	for _, from := range []int64{4, 6} {
		out, err := tryPsql(t, url, script(t, from, 0), "--single-transaction")
		if err == nil || !strings.Contains(out, "does not follow on migration 4") {
			t.Errorf("from %d psql said %q (%v)", from, out, err)
		}
	}
	psql(t, url, script(t, 5, 0), "--single-transaction")
}

// Flyway parses statements itself, and takes $1 in a function's body for the
// start of a dollar-quoted text. Parameters are therefore used by name.
func TestTheScriptIsReadByFlyway(t *testing.T) {
	t.Parallel()
	text, err := migrations.SQL(0, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	quoted := regexp.MustCompile(`(?s)--[^\n]*|'[^']*'|\$\$.*?\$\$`)
	if n := len(quoted.FindAllString(text, -1)); n < 1000 {
		t.Errorf("%d comments and quoted texts; the expression misses some", n)
	}
	bare := quoted.ReplaceAllString(text, "")
	for _, line := range regexp.MustCompile(`.*\$.*`).FindAllString(bare, -1) {
		t.Errorf("a dollar outside of quotes: write function.parameter in %q", line)
	}
}
