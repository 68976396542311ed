package citus

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/internal/pgtest"
)

// Every table is distributed, none keeps rows on the coordinator, every function and
// view exists on each server, and distributing again changes nothing.
func TestDistribute(t *testing.T) {
	nodes(t, "") // skips where there is no Citus
	one := pgtest.New(t)
	many := inPlace(t, func(address string) { tell(t, open(t, address), group, 1, 10) })
	tables := listed(t, one, `SELECT oid::regclass::text FROM pg_class WHERE relnamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace)
		AND relkind = 'r' AND relname <> 'migrations' AND relname !~ '^river_'`)
	if diff := cmp.Diff(tables, listed(t, many, `SELECT logicalrelid::regclass::text FROM pg_dist_partition`)); diff != "" {
		t.Errorf("tables (-want +distributed):\n%s", diff)
	}
	left := listed(t, many, `SELECT c.relname::text FROM pg_class c JOIN pg_dist_partition p ON p.logicalrelid = c.oid AND p.partmethod = 'h' WHERE pg_relation_size(c.oid) > 0`)
	if len(left) > 0 {
		t.Errorf("the coordinator still has rows of %s", left)
	}
	name := connect(t, many).Config().Database
	for n, worker := range nodes(t, name)[1:] {
		if diff := cmp.Diff(listed(t, many, objects), listed(t, worker, objects)); diff != "" {
			t.Errorf("functions and views of worker %d (-coordinator +worker):\n%s", n+1, diff)
		}
	}
	for n, node := range nodes(t, name) {
		if of := listed(t, node, shown); (len(of) > 0) != (n > 0) {
			t.Errorf("server %d shows %d shards", n, len(of))
		}
	}
	distribute(t, many) // what is distributed
}

// objects lists the objects of the schema on a server.
const objects = `SELECT p.oid::regprocedure::text || ' ' || md5(p.prosrc) FROM pg_proc p WHERE p.pronamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace)
		AND p.prokind = 'f' AND p.proname !~ '^river_'
	UNION ALL SELECT c.relname::text FROM pg_class c WHERE c.relnamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace) AND c.relkind = 'v'
	UNION ALL SELECT c.relname || '.' || a.attname || ' ' || a.atttypid::regtype FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
		WHERE c.relnamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace) AND c.relkind = 'r' AND c.relname <> 'migrations' AND c.relname !~ '^river_' AND c.relname !~ '_\d{6}$'`

// shown describes each shard's schema on a server, by its number of views and
// functions.
const shown = `SELECT format('%s views, %s functions', (SELECT count(*) FROM pg_class c WHERE c.relnamespace = n.oid), (SELECT count(*) FROM pg_proc p WHERE p.pronamespace = n.oid))
	FROM pg_namespace n WHERE n.nspname ~ '^annals_shard_'`

// listed returns the rows of a statement, in order.
func listed(t *testing.T, address, sql string) []string {
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
