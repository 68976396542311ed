package annals_test

import (
	"testing"
	"time"

	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/slow"
)

// An edit by hand counts only the facts of the edited fact's entities: it reads few rows, also in a
// group with ten times as many facts.
func TestAnEditCountsWhatItTouches(t *testing.T) {
	if !slow.Long() {
		t.Skip("builds the observations of 6,600 facts, which takes half a minute")
	}
	t.Parallel()
	client, url := clienttest.New(t)
	conn := clienttest.Dial(t, url)
	sizes := map[string]int{"small": 600, "large": 6000}
	for group, facts := range sizes {
		if err := (clienttest.Made{Group: group, People: facts / 6, Facts: facts, Began: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)}).Write(t.Context(), conn); err != nil {
			t.Fatal(err)
		}
		if err := client.Observe(t.Context(), group); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := conn.Exec(t.Context(), `ANALYZE`); err != nil {
		t.Fatal(err)
	}
	read := map[string]int{}
	for group := range sizes {
		read[group] = rowsReadByEdit(t, url, group)
	}
	t.Logf("rows read of what observations rest on: %v", read)
	for group, rows := range read {
		if rows > 200 {
			t.Errorf("an edit reads %d rows of the %s group", rows, group)
		}
	}
}

// rowsReadByEdit makes a fact say the same as another, in a transaction that is rolled back, and
// counts the rows read from the tables that observations rest on.
func rowsReadByEdit(t *testing.T, url, group string) (rows int) {
	t.Helper()
	tx, err := clienttest.Dial(t, url).Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(t.Context()) }()
	const read = `SELECT sum(idx_tup_fetch + seq_tup_read)::int FROM pg_stat_xact_user_tables WHERE schemaname IN ('annals', 'annals_internal')
		AND relname IN ('facts', 'fact_episodes', 'episodes', 'observations', 'observation_facts', 'observation_episodes')`
	var from, into, predicate, target string
	if err := tx.QueryRow(t.Context(), `SELECT a.id, b.id, b.predicate, b.target_id FROM annals.facts a
		JOIN annals.facts b ON b.group_id = a.group_id AND b.source_id = a.source_id AND b.target_id <> a.target_id
			AND b.kind = 'state' AND a.kind = 'state' AND NOT isempty(a.valid) AND NOT isempty(b.valid)
		WHERE a.group_id = $1 ORDER BY a.id, b.id LIMIT 1`, group).Scan(&from, &into, &predicate, &target); err != nil {
		t.Fatal(err)
	}
	var before int
	if err := tx.QueryRow(t.Context(), read).Scan(&before); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), `UPDATE annals.facts SET predicate = $3, target_id = $4 WHERE group_id = $1 AND id = $2`, group, from, predicate, target); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), `SET CONSTRAINTS ALL IMMEDIATE`); err != nil {
		t.Fatal(err)
	}
	if err := tx.QueryRow(t.Context(), read).Scan(&rows); err != nil {
		t.Fatal(err)
	}
	var observed int
	if err := tx.QueryRow(t.Context(), `SELECT count(*) FROM annals_internal.observation_facts WHERE group_id = $1 AND fact_id IN ($2, $3)`, group, from, into).Scan(&observed); err != nil || observed != 2 {
		t.Errorf("%d of the two facts show something (%v)", observed, err)
	}
	return rows - before
}
