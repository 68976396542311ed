package pgtest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/internal/postgres"
)

// Traces returns the columns of a database that contain one of the words, given in lower case.
// It searches every table of our schemas and the planner's statistics, whatever the type. If a
// dump contains a word, it adds "pg_dump".
func Traces(t testing.TB, url string, words ...string) []string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	rows, err := conn.Query(t.Context(), `
		SELECT format('SELECT %L, count(*) FROM %I.%I WHERE lower(%s) ~ $1', c.table_name || '.' || c.column_name, c.table_schema, c.table_name,
			CASE c.udt_name WHEN 'bytea' THEN format('encode(%I, ''escape'')', c.column_name) ELSE format('%I::text', c.column_name) END)
		FROM information_schema.columns c
		WHERE c.table_schema IN ('annals', 'annals_internal') OR c.table_name IN ('pg_stats', 'pg_indexes')`)
	if err != nil {
		t.Fatal(err)
	}
	queries, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	if len(queries) < 150 {
		t.Fatalf("only %d columns to look at; the list misses some", len(queries))
	}
	var found []string
	for _, query := range queries {
		var column string
		var n int
		if err := conn.QueryRow(t.Context(), query, strings.Join(words, "|")).Scan(&column, &n); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		if n > 0 {
			found = append(found, column)
		}
	}
	return append(found, dumped(t, url, words)...)
}

// Dumper returns the path of pg_dump: ANNALS_TEST_PG_DUMP, or that of the newest PostgreSQL
// here. It must not be older than the server.
func Dumper(t testing.TB) string {
	t.Helper()
	if program := os.Getenv("ANNALS_TEST_PG_DUMP"); program != "" {
		return program
	}
	installation, err := postgres.Find(t.Context(), "", 0)
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(installation.BinDir, "pg_dump")
}

// dumped searches the output of pg_dump.
func dumped(t testing.TB, url string, words []string) []string {
	t.Helper()
	dump, err := exec.CommandContext(t.Context(), Dumper(t), "--dbname", url).Output()
	if err != nil {
		t.Fatalf("pg_dump: %v", err)
	}
	if !bytes.Contains(dump, []byte("annals_internal.tombstones")) {
		t.Fatal("the dump has not the schema in it")
	}
	for _, word := range words {
		if bytes.Contains(bytes.ToLower(dump), []byte(word)) {
			return []string{"pg_dump"}
		}
	}
	return nil
}
