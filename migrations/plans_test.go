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

// A transaction that writes many rows by hand adds an entry to the audit for each. It looks up the
// last entry and does not read all of them, though the statistics are from when there were few.
func TestAuditLooksUpItsLastEntry(t *testing.T) {
	t.Parallel()
	conn := connect(t, pgtest.New(t))
	for _, sql := range []string{
		`INSERT INTO annals.groups (group_id) VALUES ('g')`,
		`INSERT INTO annals.entities (group_id, id, name) VALUES ('g', gen_random_uuid(), 'first')`,
		`VACUUM (ANALYZE) annals.audit`,
	} {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	const written = 200
	var read int
	err := pgx.BeginFunc(t.Context(), conn, func(tx pgx.Tx) error {
		for _, sql := range []string{
			`INSERT INTO annals.entities (group_id, id, name) SELECT 'g', gen_random_uuid(), 'entity ' || n FROM generate_series(1, 200) n`,
			`SET CONSTRAINTS ALL IMMEDIATE`, // as the commit does
		} {
			if _, err := tx.Exec(t.Context(), sql); err != nil {
				return err
			}
		}
		return tx.QueryRow(t.Context(), `SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) FROM pg_stat_xact_all_tables
			WHERE relid = 'annals.audit'::regclass AND n_tup_ins >= $1`, written).Scan(&read)
	})
	if err != nil {
		t.Fatal(err)
	}
	if read > 2*written {
		t.Errorf("read %d entries to add %d", read, written)
	}
}
