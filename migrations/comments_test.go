package migrations_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/internal/pgtest"
)

// Every object of the schemas has a comment for users of psql. \d+ shows the
// purpose of tables, views and columns, \df+ of functions, \di+ the question
// that an index answers. Indexes of keys are excepted.
func TestEverythingIsCommentedOn(t *testing.T) {
	t.Parallel()
	const comments = `
		WITH ours AS (SELECT unnest('{annals,annals_internal}'::regnamespace[]) AS schema)
		SELECT 'SCHEMA ' || o.schema AS what, obj_description(o.schema, 'pg_namespace') AS comment
		FROM ours o
		UNION ALL
		SELECT CASE c.relkind WHEN 'v' THEN 'VIEW ' WHEN 'S' THEN 'SEQUENCE ' ELSE 'TABLE ' END || c.oid::regclass, obj_description(c.oid, 'pg_class')
		FROM ours o JOIN pg_class c ON c.relnamespace = o.schema
		WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
		UNION ALL
		SELECT 'INDEX ' || i.indexrelid::regclass, obj_description(i.indexrelid, 'pg_class')
		FROM ours o JOIN pg_class c ON c.relnamespace = o.schema JOIN pg_index i ON i.indexrelid = c.oid
		WHERE NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
		UNION ALL
		SELECT 'TRIGGER ' || t.tgname || ' ON ' || c.oid::regclass, obj_description(t.oid, 'pg_trigger')
		FROM ours o JOIN pg_class c ON c.relnamespace = o.schema JOIN pg_trigger t ON t.tgrelid = c.oid
		WHERE NOT t.tgisinternal
		UNION ALL
		SELECT 'COLUMN ' || c.oid::regclass || '.' || a.attname, col_description(c.oid, a.attnum)
		FROM ours o JOIN pg_class c ON c.relnamespace = o.schema JOIN pg_attribute a ON a.attrelid = c.oid
		WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'c') AND a.attnum > 0 AND NOT a.attisdropped
		UNION ALL
		SELECT 'FUNCTION ' || p.oid::regprocedure, obj_description(p.oid, 'pg_proc')
		FROM ours o JOIN pg_proc p ON p.pronamespace = o.schema
		UNION ALL
		SELECT 'TYPE ' || t.oid::regtype, obj_description(t.oid, 'pg_type')
		FROM ours o JOIN pg_type t ON t.typnamespace = o.schema LEFT JOIN pg_class c ON c.oid = t.typrelid
		WHERE t.typtype IN ('e', 'd', 'r') OR t.typtype = 'c' AND c.relkind = 'c'
		UNION ALL
		SELECT 'TEXT SEARCH CONFIGURATION ' || s.oid::regconfig, obj_description(s.oid, 'pg_ts_config')
		FROM ours o JOIN pg_ts_config s ON s.cfgnamespace = o.schema`
	rows, err := connect(t, pgtest.New(t)).Query(t.Context(), comments)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	var what string
	var comment *string
	_, err = pgx.ForEachRow(rows, []any{&what, &comment}, func() error {
		found++
		if comment == nil || *comment == "" {
			t.Errorf("no comment: write, beside the object in its migration, COMMENT ON %s IS '…'", what)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 700 {
		t.Errorf("looked at %d objects; the catalog query misses some", found)
	}
}
