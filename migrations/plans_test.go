package migrations_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/internal/pgtest"
)

// A plan that must use a method disabled by the function has such a high estimated cost
// that PostgreSQL JIT-compiles it, which takes most of a second at every call. Such
// functions must set jit off.
func TestFunctionsThatForbidPlansAreNotCompiled(t *testing.T) {
	t.Parallel()
	rows, err := connect(t, pgtest.New(t)).Query(t.Context(), `SELECT p.oid::regprocedure::text, 'jit=off' = ANY (p.proconfig) FROM pg_proc p
		WHERE p.pronamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace) AND array_to_string(p.proconfig, ' ') ~ '\menable_\w+=off\M'`)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	var function string
	var off bool
	_, err = pgx.ForEachRow(rows, []any{&function, &off}, func() error {
		found++
		if !off {
			t.Errorf("%s has SET enable_… = off without SET jit = off", function)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 5 {
		t.Errorf("looked at %d functions; the test no longer finds them", found)
	}
}
