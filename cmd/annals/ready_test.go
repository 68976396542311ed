package main

import (
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/pgtest"
)

// The reason why a database cannot be used is reported once, in our words.
func TestADatabaseThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	m := &memory{t: t, environ: map[string]string{"ANNALS_DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"}}
	for _, command := range [][]string{{"facts", "--group", "g"}, {"migrate", "status"}} {
		if got := m.run("", command...); strings.Count(got.stderr, "dial error") != 1 || strings.Contains(got.stderr, ":; ") {
			t.Errorf("%s at a wrong port says %s", command, got.stderr)
		}
	}
	m.environ["ANNALS_DATABASE_URL"] = pgtest.Empty(t)
	if got := m.run("", "facts", "--group", "g"); !strings.Contains(got.stderr, "annals migrate up") || strings.Contains(got.stderr, "no rows") {
		t.Errorf("an empty database is called %s", got.stderr)
	}
}

// The grants are printed for the given names.
func TestGrantsAreOfTheGivenNames(t *testing.T) {
	t.Parallel()
	got := (&memory{t: t}).must("migrate", "grants", "--owner", "Shop Owner", "--app", "shop_app", "--database", "shop")
	for _, want := range []string{
		"CREATE EXTENSION IF NOT EXISTS vector;", `GRANT CREATE ON DATABASE shop TO "Shop Owner";`, "CREATE ROLE annals_tenant", `GRANT annals_tenant TO "Shop Owner";`,
		"GRANT USAGE ON SCHEMA annals, annals_internal TO shop_app;",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("it has no %s:\n%s", want, got)
		}
	}
	if strings.ContainsAny(got, "{}") || strings.Contains(got, "PASSWORD") {
		t.Errorf("a name is missing, or a password that everybody knows is given:\n%s", got)
	}
	// The server already has the role of tenants if another of its databases has a memory.
	_, role, _ := strings.Cut(got, "DO $$")
	role, _, _ = strings.Cut(role, "END $$;")
	if _, err := connect(t, pgtest.New(t)).conn.Exec(t.Context(), "DO $$"+role+"END $$;"); err != nil {
		t.Error(err)
	}
	if got := (&memory{t: t}).run("", "migrate", "grants", "--owner", "shop", "--app", "shop"); !strings.Contains(got.stderr, "app: is the owner") {
		t.Errorf("one role for both: %s%s", got.stdout, got.stderr)
	}
}
