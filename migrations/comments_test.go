package migrations_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/internal/pgtest"
)

// Whoever opens the schema in psql finds it explained: \d+ of a table or view
// tells what it and each of its columns is for, \df+ what a function does.
func TestEverythingIsCommentedOn(t *testing.T) {
	t.Parallel()
	const uncommented = `
		SELECT 'SCHEMA ' || n.nspname AS what, obj_description(n.oid, 'pg_namespace') AS comment
		FROM pg_namespace n WHERE n.nspname = 'annals'
		UNION ALL
		SELECT CASE c.relkind WHEN 'v' THEN 'VIEW ' ELSE 'TABLE ' END || c.oid::regclass, obj_description(c.oid, 'pg_class')
		FROM pg_class c WHERE c.relnamespace = 'annals'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
		UNION ALL
		SELECT 'COLUMN ' || c.oid::regclass || '.' || a.attname, col_description(c.oid, a.attnum)
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
		WHERE c.relnamespace = 'annals'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'c') AND a.attnum > 0
			AND NOT a.attisdropped
		UNION ALL
		SELECT 'FUNCTION ' || p.oid::regprocedure, obj_description(p.oid, 'pg_proc')
		FROM pg_proc p WHERE p.pronamespace = 'annals'::regnamespace
		UNION ALL
		SELECT 'TYPE ' || t.oid::regtype, obj_description(t.oid, 'pg_type')
		FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid
		WHERE t.typnamespace = 'annals'::regnamespace AND (t.typtype IN ('e', 'd', 'r') OR t.typtype = 'c' AND c.relkind = 'c')
		UNION ALL
		SELECT 'TEXT SEARCH CONFIGURATION ' || s.oid::regconfig, obj_description(s.oid, 'pg_ts_config')
		FROM pg_ts_config s WHERE s.cfgnamespace = 'annals'::regnamespace`
	rows, err := connect(t, pgtest.New(t)).Query(t.Context(), uncommented)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	var what string
	var comment *string
	_, err = pgx.ForEachRow(rows, []any{&what, &comment}, func() error {
		found++
		if comment == nil || *comment == "" {
			t.Errorf("no comment: end the migration that makes it with COMMENT ON %s IS '…'", what)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 250 {
		t.Errorf("looked at %d objects; the catalog query misses some", found)
	}
}
