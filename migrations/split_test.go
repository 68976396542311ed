package migrations

import (
	"slices"
	"strings"
	"testing"
)

func TestStatementsApart(t *testing.T) {
	t.Parallel()
	const sql = `-- a comment; with a semicolon
CREATE TABLE a (b text DEFAULT 'x;y''z'); /* another; one */
CREATE FUNCTION f() RETURNS int LANGUAGE sql
BEGIN ATOMIC
    SELECT CASE WHEN true THEN 1 END;
END;
DO $x$ BEGIN PERFORM 1; PERFORM '$$;'; END $x$;
SELECT "a;b", E'it\'s; so', $1;
`
	got := statements(sql)
	begins := []string{"-- a comment", "/* another", "DO $x$", `SELECT "a;b"`}
	if len(got) != len(begins) {
		t.Fatalf("%d statements: %q", len(got), got)
	}
	for i, begin := range begins {
		if !strings.HasPrefix(got[i], begin) {
			t.Errorf("statement %d is %q, want it to begin with %q", i, got[i], begin)
		}
	}
}

// Splitting loses no part of the migrations, and each part is one statement.
func TestMigrationsApart(t *testing.T) {
	t.Parallel()
	files, err := all()
	if err != nil {
		t.Fatal(err)
	}
	squeezed := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	for _, f := range files {
		up, err := f.up()
		if err != nil {
			t.Fatal(err)
		}
		apart := statements(up)
		if squeezed(strings.Join(apart, " ")) != squeezed(up) {
			t.Errorf("%s: something is lost", f.name)
		}
		if i := slices.IndexFunc(apart, func(s string) bool { return !strings.HasSuffix(s, ";") }); i >= 0 {
			t.Errorf("%s: %q is no whole statement", f.name, apart[i])
		}
		if n := strings.Count(up, "\nCREATE ") + strings.Count(up, "\nCOMMENT "); n > len(apart) {
			t.Errorf("%s: %d statements, which make or describe %d things", f.name, len(apart), n)
		}
	}
}
