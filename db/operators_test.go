package db

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/internal/pgtest"
)

// Functions find similar names by the index, although the operators of pg_trgm are in a schema
// outside the search path.
func TestNamesSpelledAlikeAreFoundByTheIndex(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	conn, err := pgx.Connect(ctx, pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, `CREATE SCHEMA extensions; ALTER EXTENSION vector SET SCHEMA extensions; ALTER EXTENSION pg_trgm SET SCHEMA extensions;
		SET search_path = ''; SET enable_seqscan = off; SET enable_indexscan = off; SET plan_cache_mode = force_generic_plan`)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := conn.Query(ctx, "EXPLAIN "+entityCandidates, 10, "Alice", "g", []string{"Alice"}, Vector(make([]float32, 384)), "m", 0.5)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	plan := strings.Join(lines, "\n")
	for _, operator := range []string{"%", "%>"} {
		if !strings.Contains(plan, "Index Cond: ((group_id = 'g'::text) AND ((name_key)::text OPERATOR(extensions."+operator+")") {
			t.Errorf("the index is not asked for %s:\n%s", operator, plan)
		}
	}
}
