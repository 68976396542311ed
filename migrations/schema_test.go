package migrations_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/internal/pgtest"
)

// A tenant's rows must be found, moved and removed by group_id alone. The table
// migrations belongs to no tenant.
func TestEveryKeyBeginsWithGroupID(t *testing.T) {
	t.Parallel()
	const keys = `
		SELECT c.conname, c.conrelid::regclass::text,
			(SELECT attname FROM pg_attribute WHERE attrelid = c.conrelid AND attnum = c.conkey[1])
		FROM pg_constraint c
		WHERE c.connamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace) AND c.contype IN ('p', 'u', 'f', 'x')
			AND c.conrelid <> 'annals.migrations'::regclass AND c.conrelid::regclass::text !~ '\.river_'
		UNION ALL
		SELECT i.relname, x.indrelid::regclass::text, a.attname
		FROM pg_index x
		JOIN pg_class i ON i.oid = x.indexrelid
		LEFT JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = x.indkey[0]
		WHERE i.relnamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace) AND x.indisunique
			AND x.indrelid <> 'annals.migrations'::regclass AND x.indrelid::regclass::text !~ '\.river_'`
	rows, err := connect(t, pgtest.New(t)).Query(t.Context(), keys)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	var name, table string
	var column *string
	_, err = pgx.ForEachRow(rows, []any{&name, &table, &column}, func() error {
		found++
		if column == nil || *column != "group_id" {
			t.Errorf("key %s of %s does not begin with group_id", name, table)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 40 {
		t.Errorf("looked at %d keys; the catalog query misses some", found)
	}
}

// The schema annals fits a screen of psql: it has few functions, tables and views,
// and the manual shows each function. No name occurs in both schemas, so that each is
// unambiguous.
func TestTheSchemaFitsAScreen(t *testing.T) {
	t.Parallel()
	conn := connect(t, pgtest.New(t))
	names := func(sql string) []string {
		t.Helper()
		rows, err := conn.Query(t.Context(), sql)
		if err != nil {
			t.Fatal(err)
		}
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	manual, err := os.ReadFile("../docs/sql.md")
	if err != nil {
		t.Fatal(err)
	}
	functions := names(`SELECT DISTINCT proname::text FROM pg_proc WHERE pronamespace = 'annals'::regnamespace`)
	for _, name := range functions {
		if !regexp.MustCompile("[`.]" + name + `\(`).Match(manual) {
			t.Errorf("docs/sql.md does not show annals.%s(); make it one of annals_internal, or describe it there", name)
		}
	}
	if len(functions) == 0 || len(functions) > 25 {
		t.Errorf("the schema annals has %d functions, at most 25 are to be there: %q", len(functions), functions)
	}
	tables := names(`SELECT relname::text FROM pg_class WHERE relnamespace = 'annals'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')`)
	if len(tables) == 0 || len(tables) > 45 {
		t.Errorf("the schema annals has %d tables and views, at most 45 are to be there: %q", len(tables), tables)
	}
	twice := names(`SELECT relname::text FROM pg_class WHERE relnamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace) GROUP BY 1 HAVING count(*) > 1
		UNION ALL SELECT a.proname FROM pg_proc a JOIN pg_proc b USING (proname)
		WHERE a.pronamespace = 'annals'::regnamespace AND b.pronamespace = 'annals_internal'::regnamespace`)
	if len(twice) > 0 {
		t.Errorf("%q are in both schemas", twice)
	}
}

// A function that recovers from errors fails in a parallel plan, and must be PARALLEL
// UNSAFE.
func TestNoParallelPlanRecovers(t *testing.T) {
	t.Parallel()
	rows, err := connect(t, pgtest.New(t)).Query(t.Context(), `
		SELECT p.proname, p.proparallel = 'u' FROM pg_proc p
		WHERE p.pronamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace) AND p.prosrc ~ '\yEXCEPTION\s+WHEN\y'`)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	var name string
	var alone bool
	_, err = pgx.ForEachRow(rows, []any{&name, &alone}, func() error {
		found++
		if !alone {
			t.Errorf("%s recovers from errors and is not PARALLEL UNSAFE", name)
		}
		return nil
	})
	if err != nil || found < 2 {
		t.Errorf("looked at %d functions (%v); the catalog query misses some", found, err)
	}
}

func TestBadStatesAreImpossible(t *testing.T) {
	t.Parallel()
	conn := connect(t, pgtest.New(t))
	const world = `
		INSERT INTO annals.groups (group_id) VALUES ('a'), ('b');
		INSERT INTO annals.entities (group_id, id, name) VALUES
			('a', '00000000-0000-0000-0000-000000000001', 'Alice'), ('a', '00000000-0000-0000-0000-000000000002', 'Paris'),
			('b', '00000000-0000-0000-0000-000000000003', 'Bob');
		INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id) VALUES
			('a', '00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-000000000001',
			'00000000-0000-0000-0000-000000000002', 'LIVES_IN', 'Alice lives in Paris.', '[2023-01-10,)', gen_random_uuid());
		INSERT INTO annals.episodes (group_id, id, content, external_id) VALUES ('a', gen_random_uuid(), 'Hi', 'x');`
	if _, err := conn.Exec(t.Context(), world); err != nil {
		t.Fatal(err)
	}
	const fact = `INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id)
		VALUES ('a', gen_random_uuid(), `
	for _, tt := range []struct{ name, statement, code string }{
		{"self-fact", fact + `'00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000001', 'IS', 'x', '[2023-01-01,)', gen_random_uuid())`, "23514"},
		{"empty valid", fact + `'00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002', 'IS', 'x', 'empty', gen_random_uuid())`, "23514"},
		{"endpoint in another group", fact + `'00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000003', 'IS', 'x', '[2023-01-01,)', gen_random_uuid())`, "23503"},
		{"external id twice", `INSERT INTO annals.episodes (group_id, id, content, external_id) VALUES ('a', gen_random_uuid(), 'Hi', 'x')`, "23505"},
		{"empty content", `INSERT INTO annals.episodes (group_id, id, content) VALUES ('a', gen_random_uuid(), '')`, "23514"},
		{"failed without an error", `UPDATE annals.episodes SET state = 'failed'`, "23514"},
		{"a current row that has ended", `INSERT INTO annals.entities (group_id, id, name, recorded) VALUES ('a', gen_random_uuid(), 'x', '[2023-01-01,2024-01-01)')`, "23514"},
		{"two versions believed at once", `
			INSERT INTO annals_internal.entities_history SELECT group_id, id, name, aliases, labels, summary, attributes, created_at, r, '{}'
			FROM annals.entities, (VALUES (tstzrange('2020-01-01', '2021-01-01')), (tstzrange('2020-06-01', '2022-01-01'))) AS v(r)
			WHERE name = 'Alice'`, "23P01"},
	} {
		_, err := conn.Exec(t.Context(), tt.statement)
		if code := sqlState(err); code != tt.code {
			t.Errorf("%s: SQLSTATE %q (%v), want %s", tt.name, code, err, tt.code)
		}
	}
}

func TestHandEditsBecomeHistory(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	conn := connect(t, url)
	for _, statement := range []string{
		`INSERT INTO annals.groups (group_id) VALUES ('a')`,
		`INSERT INTO annals.entities (group_id, id, name) VALUES ('a', '00000000-0000-0000-0000-000000000001', 'Alice')`,
		`UPDATE annals.entities SET name = 'Alice Smith', aliases = '{Alice}'`,
		`UPDATE annals.entities SET labels = labels`,
		`BEGIN; UPDATE annals.entities SET summary = 'never seen'; UPDATE annals.entities SET summary = 'seen'; COMMIT`,
		`DELETE FROM annals.entities`,
	} {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	rows, err := conn.Query(t.Context(), `SELECT name || '/' || summary FROM annals_internal.entities_history ORDER BY lower(recorded)`)
	if err != nil {
		t.Fatal(err)
	}
	versions, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Alice/", "Alice Smith/", "Alice Smith/seen"}
	if len(versions) != len(want) {
		t.Fatalf("history = %q, want %q", versions, want)
	}
	for i := range want {
		if versions[i] != want[i] {
			t.Errorf("history = %q, want %q", versions, want)
		}
	}
	gaps := count(t, url, `SELECT count(*) FROM (
		SELECT lower(recorded) <> lag(upper(recorded)) OVER (ORDER BY lower(recorded)) AS gap FROM annals_internal.entities_history) v WHERE gap`)
	if gaps != 0 {
		t.Errorf("%d versions do not follow on the one before", gaps)
	}
}

// The data from which search ranks follow every edit, including the last row of a
// removed group, packed or not.
func TestPostingsFollowTheRows(t *testing.T) {
	t.Parallel()
	for name, pack := range map[string]string{
		"loose":  `SELECT`,
		"packed": `SELECT annals_internal.pack_postings(p.group_id, p.kind, array_agg(DISTINCT p.term)) FROM annals_internal.all_postings p GROUP BY p.group_id, p.kind`,
		"packed in part": `SELECT annals_internal.pack_postings(p.group_id, p.kind, array_agg(DISTINCT p.term) FILTER (WHERE p.term < 'd'))
			FROM annals_internal.all_postings p GROUP BY p.group_id, p.kind`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			postingsFollowTheRows(t, pack)
		})
	}
}

func postingsFollowTheRows(t *testing.T, pack string) {
	url := pgtest.New(t)
	conn := connect(t, url)
	const stray = `
		WITH want AS (
			SELECT group_id, kind, lexeme, id, cardinality(positions) AS tf, length
			FROM (SELECT group_id, 'episode' COLLATE "C" AS kind, id, terms, length FROM annals.episodes
				UNION ALL SELECT group_id, 'entity', id, terms, length FROM annals.entities) d, unnest(terms)
		), have AS (SELECT group_id, kind, term, document_id, tf, length FROM annals_internal.all_postings)
		SELECT (SELECT count(*) FROM (TABLE want EXCEPT ALL TABLE have) x) + (SELECT count(*) FROM (TABLE have EXCEPT ALL TABLE want) y)
			+ (SELECT count(*) FROM annals_internal.posting_blocks WHERE ids = '{}' OR NOT annals_internal.term_sparsity(tf[1], lengths[1]) BETWEEN densest AND thinnest)`
	for _, statement := range []string{
		`INSERT INTO annals.groups (group_id) VALUES ('a'), ('b')`,
		`INSERT INTO annals.episodes (group_id, id, content, actor) SELECT g, gen_random_uuid(), 'The café closed, the café opened.', 'Zoë'
			FROM unnest('{a,b}'::text[]) AS g`,
		`INSERT INTO annals.entities (group_id, id, name) VALUES ('a', gen_random_uuid(), 'Blue Harbour'), ('a', gen_random_uuid(), 'Zoë')`,
		`UPDATE annals.entities SET summary = 'Owns a café by the harbour.'`,
		`INSERT INTO annals.episodes (group_id, id, content) SELECT 'b', gen_random_uuid(), repeat('The café closed. ', 1 + n % 3) || n
			FROM generate_series(1, 200) n`,
		`UPDATE annals.episodes SET content = 'The café closed early.' WHERE group_id = 'b' AND content LIKE '%7'`,
		`DELETE FROM annals.episodes WHERE group_id = 'b' AND content LIKE '%1'`,
		`UPDATE annals.episodes SET content = 'Tea.' WHERE group_id = 'a'`,
		`DELETE FROM annals.entities WHERE name = 'Zoë'`,
		`DELETE FROM annals.groups WHERE group_id = 'a'`,
	} {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
		if n := count(t, url, stray); n != 0 {
			t.Errorf("after %q: %d postings too many or too few", statement, n)
		}
		if _, err := conn.Exec(t.Context(), pack); err != nil {
			t.Fatal(err)
		}
		if n := count(t, url, stray); n != 0 {
			t.Errorf("packed after %q: %d postings too many or too few", statement, n)
		}
	}
	if n := count(t, url, `SELECT count(*) FROM annals_internal.all_postings p JOIN annals.episodes e ON e.id = p.document_id
		WHERE term = 'cafe' AND tf = 2 AND e.actor = 'Zoë'`); n != 1 {
		t.Errorf("%d postings for cafe with tf 2, want 1", n)
	}
}
