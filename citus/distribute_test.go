package citus

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
)

// Every table is spread, none keeps rows on the coordinator, every function and view
// is on each server, and distributing again does nothing.
func TestDistribute(t *testing.T) {
	one, many := twins(t, func(address string) { tell(t, open(t, address), group, 1, 10) })
	list := func(address, sql string) []string {
		t.Helper()
		rows, err := connect(t, address).Query(t.Context(), sql)
		if err != nil {
			t.Fatal(err)
		}
		names, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(names)
		return names
	}
	tables := list(one, `SELECT 'annals.' || relname FROM pg_class WHERE relnamespace = 'annals'::regnamespace AND relkind = 'r' AND relname <> 'migrations'`)
	if diff := cmp.Diff(tables, list(many, `SELECT logicalrelid::regclass::text FROM pg_dist_partition`)); diff != "" {
		t.Errorf("tables (-want +distributed):\n%s", diff)
	}
	left := list(many, `SELECT c.relname::text FROM pg_class c JOIN pg_dist_partition p ON p.logicalrelid = c.oid AND p.partmethod = 'h' WHERE pg_relation_size(c.oid) > 0`)
	if len(left) > 0 {
		t.Errorf("the coordinator still has rows of %s", left)
	}
	objects := `SELECT p.oid::regprocedure::text FROM pg_proc p WHERE p.pronamespace = 'annals'::regnamespace AND p.prokind = 'f'
		UNION ALL SELECT c.relname::text FROM pg_class c WHERE c.relnamespace = 'annals'::regnamespace AND c.relkind = 'v'`
	name := connect(t, many).Config().Database
	for n, worker := range nodes(t, name)[1:] {
		if diff := cmp.Diff(list(many, objects), list(worker, objects)); diff != "" {
			t.Errorf("functions and views of worker %d (-coordinator +worker):\n%s", n+1, diff)
		}
	}
	pool, err := db.Open(t.Context(), many)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if err := db.Distribute(t.Context(), pool, func(string) {}); err != nil {
		t.Errorf("distributing what is distributed: %v", err)
	}
}
