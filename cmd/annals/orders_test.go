package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
)

// An application's own tables are in the same database: created in annals' own server or in that of
// compose, before the schema and after, they are in the schema public and left alone.
func TestAnApplicationsOwnTables(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	for name, open := range map[string]func(t *testing.T) (*memory, string){
		"embedded": embedded,
		"compose": func(t *testing.T) (*memory, string) {
			url := pgtest.Compose(t, "../../deploy/compose.yaml")
			return at(t, url), url
		},
		"of one's own": func(t *testing.T) (*memory, string) {
			url := owned(t)
			return at(t, url), url
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, url := open(t)
			sh := newShell(t, "", url)
			tables := func(names string) string {
				return `psql -qX "$TO" -v ON_ERROR_STOP=1 -c 'CREATE TABLE orders_` + names + ` (id int)' -c 'INSERT INTO orders_` + names + ` VALUES (7)' -c 'CREATE VIEW open_` + names + ` AS SELECT * FROM orders_` + names + `'`
			}
			file := filepath.Join(t.TempDir(), "t.jsonl")
			sh.must(tables("before"))
			m.must("migrate", "up")
			sh.must(tables("after") + "\n" + `psql -qX "$TO" -v ON_ERROR_STOP=1 -c 'CREATE TABLE annals.strays (id int)' -c 'INSERT INTO annals.strays VALUES (7)'`)
			m.must("migrate", "up")
			for _, args := range [][]string{
				{"add", "--actor", "Alice", "I live in Paris."},
				{"add", "--actor", "Alice", "I moved to Lisbon last week."},
				{"search", "Lisbon"},
				{"facts"},
				{"doctor", "--fix"},
				{"export", "--output", file},
				{"erase", "--yes"},
				{"migrate", "up"},
				{"doctor"},
			} {
				m.must(append(args, "-g", "t")...)
			}
			const look = `SELECT string_agg(n.nspname || '.' || c.relname || CASE WHEN c.relrowsecurity OR c.relhastriggers THEN ' touched' ELSE '' END, ' ' ORDER BY c.relname)
				FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relname ~ '^(orders_|open_|strays)'`
			if got := strings.TrimSpace(sh.must(`psql -AtX "$TO" -c "` + look + `"`)); got !=
				"public.open_after public.open_before public.orders_after public.orders_before annals.strays" {
				t.Errorf("the application's tables: %s", got)
			}
			if got := sh.must(`psql -AtX "$TO" -c 'SELECT (SELECT id FROM orders_before) + (SELECT id FROM orders_after) + (SELECT id FROM annals.strays)'`); got != "21\n" {
				t.Errorf("their rows add up to %s, want 21", got)
			}
			if got := sh.must(`psql -AtX "$TO" -c '\dx' | cut -d'|' -f1,3`); strings.Contains(got, "|annals") {
				t.Errorf("extensions stand in our schema: %s", got)
			}
		})
	}
}
