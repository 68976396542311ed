package migrations_test

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/migrations"
)

// relation is a table or view as described by PostgreSQL's catalog.
type relation struct {
	Schema, Name, Comment string
	View                  bool
	Key                   []string // columns of the primary key
	Columns               []column
	References            []reference
	Uniques               []string // other constraints that forbid two rows
	Indexes               []object
	Triggers              []object
}

type column struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Nullable bool   `json:"nullable"`
	Default  string `json:"default"`
	Comment  string `json:"comment"`
}

type reference struct {
	Columns []string `json:"columns"`
	Schema  string   `json:"schema"`
	To      string   `json:"to"`
}

// object is an index or a trigger, a function or a type.
type object struct {
	Kind       string `json:"kind"`
	Schema     string `json:"schema"`
	Name       string `json:"name"`
	Definition string `json:"definition"`
	Comment    string `json:"comment"`
}

const selectRelations = `
	SELECT n.nspname::text AS schema, c.relname::text AS name, obj_description(c.oid, 'pg_class') AS comment, c.relkind = 'v' AS view,
		coalesce((SELECT array_agg(a.attname::text ORDER BY k.place) FROM pg_constraint p
			CROSS JOIN unnest(p.conkey) WITH ORDINALITY AS k(attnum, place)
			JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
			WHERE p.conrelid = c.oid AND p.contype = 'p'), '{}') AS key,
		(SELECT jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'nullable', NOT a.attnotnull,
				'default', coalesce(pg_get_expr(d.adbin, d.adrelid), ''), 'comment', col_description(c.oid, a.attnum)) ORDER BY a.attnum)
			FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
			WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
		coalesce((SELECT jsonb_agg(jsonb_build_object('schema', r.relnamespace::regnamespace, 'to', r.relname, 'columns', (SELECT array_agg(a.attname ORDER BY k.place)
				FROM unnest(f.conkey) WITH ORDINALITY AS k(attnum, place) JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum)) ORDER BY f.conkey)
			FROM pg_constraint f JOIN pg_class r ON r.oid = f.confrelid WHERE f.conrelid = c.oid AND f.contype = 'f'), '[]') AS references,
		coalesce((SELECT array_agg(pg_get_constraintdef(u.oid) ORDER BY u.conname) FROM pg_constraint u
			WHERE u.conrelid = c.oid AND u.contype IN ('u', 'x')), '{}') AS uniques,
		coalesce((SELECT jsonb_agg(jsonb_build_object('name', i.relname, 'definition', pg_get_indexdef(i.oid), 'comment', obj_description(i.oid, 'pg_class')) ORDER BY i.relname COLLATE "C")
			FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
			WHERE x.indrelid = c.oid AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.oid AND k.contype IN ('p', 'u', 'x'))), '[]') AS indexes,
		coalesce((SELECT jsonb_agg(jsonb_build_object('name', t.tgname, 'comment', obj_description(t.oid, 'pg_trigger')) ORDER BY t.tgname COLLATE "C")
			FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal), '[]') AS triggers
	FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
	WHERE n.nspname IN ('annals', 'annals_internal') AND c.relkind IN ('r', 'v')`

const selectObjects = `
	SELECT 'FUNCTION' AS kind, n.nspname::text AS schema, p.proname::text AS name,
		pg_get_function_arguments(p.oid) || ') ' || CASE WHEN coalesce(pg_get_function_result(p.oid), 'void') IN ('void', 'trigger', 'record') THEN ''
			ELSE '→ ' || pg_get_function_result(p.oid) END AS definition, obj_description(p.oid, 'pg_proc') AS comment
	FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
	WHERE n.nspname IN ('annals', 'annals_internal')
	UNION ALL
	SELECT 'TYPE', n.nspname, t.typname, (SELECT string_agg(e.enumlabel, ', ' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid),
		obj_description(t.oid, 'pg_type')
	FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
	WHERE n.nspname IN ('annals', 'annals_internal') AND t.typtype = 'e'`

// read runs a query of the catalog, with search_path set so that names of
// extensions appear without a schema.
func read[T any](t *testing.T, conn *pgx.Conn, query string) []T {
	t.Helper()
	if _, err := conn.Exec(t.Context(), "SET search_path = public"); err != nil {
		t.Fatal(err)
	}
	rows, err := conn.Query(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[T])
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// section is a migration: its file, its introductory comment, and the position
// of each object in it.
type section struct {
	file, about string
	places      map[string]int // by "TABLE annals.facts"
}

var creates = regexp.MustCompile(`(?m)^CREATE (?:UNLOGGED )?(TABLE|VIEW|FUNCTION|PROCEDURE|TYPE) (annals(?:_internal)?\.\w+)`)

func sections(t *testing.T) []section {
	t.Helper()
	files, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	var all []section
	for _, file := range files {
		text, err := fs.ReadFile(migrations.FS, file)
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(string(text), "--\n")
		s := section{file: file, about: strings.TrimSpace(strings.ReplaceAll("\n"+head, "\n-- ", " ")), places: map[string]int{}}
		for i, made := range creates.FindAllStringSubmatch(string(text), -1) {
			s.places[strings.Replace(made[1], "PROCEDURE", "FUNCTION", 1)+" "+made[2]] = i // they stand in one list
		}
		all = append(all, s)
	}
	return all
}

// of returns the objects that a section creates, in the order of its file.
func of[T any](s section, all []T, name func(T) string) []T {
	var made []T
	for _, o := range all {
		if _, ok := s.places[name(o)]; ok {
			made = append(made, o)
		}
	}
	slices.SortStableFunc(made, func(a, b T) int { return s.places[name(a)] - s.places[name(b)] })
	return made
}

func nameOfRelation(r relation) string {
	if r.View {
		return fmt.Sprintf("VIEW %s.%s", r.Schema, r.Name)
	}
	return fmt.Sprintf("TABLE %s.%s", r.Schema, r.Name)
}

func nameOfObject(o object) string { return fmt.Sprintf("%s %s.%s", o.Kind, o.Schema, o.Name) }
