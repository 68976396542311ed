package migrations_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/internal/pgtest"
)

// A fact that SQL writes without told is told as written. A told that SQL sets
// stays until the sentence or its date changes.
func TestSQLIsToldAsItIsWritten(t *testing.T) {
	t.Parallel()
	conn := connect(t, pgtest.New(t))
	for _, tt := range []struct{ statement, told string }{
		{`INSERT INTO annals.groups (group_id) VALUES ('a');
			INSERT INTO annals.entities (group_id, id, name) VALUES
				('a', '00000000-0000-0000-0000-000000000001', 'Eva'), ('a', '00000000-0000-0000-0000-000000000002', 'Siemens');
			INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, said_at, statement_id) VALUES
				('a', '00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002',
				'JOINED', 'Eva joined Siemens last week.', '[2024-03-04,)', '2024-03-15', gen_random_uuid())`, "Eva joined Siemens last week."},
		{`UPDATE annals.facts SET told = 'Eva joined Siemens in March.'`, "Eva joined Siemens in March."},
		{`UPDATE annals.facts SET valid = '[2024-03-05,)', attributes = '{"as": "clerk"}'`, "Eva joined Siemens in March."},
		{`UPDATE annals.facts SET fact = fact`, "Eva joined Siemens in March."},
		{`UPDATE annals.facts SET fact = 'Eva joined Siemens yesterday.'`, "Eva joined Siemens yesterday."},
		{`UPDATE annals.facts SET fact = 'Eva joined Siemens today.', told = 'Eva joined Siemens in April.'`, "Eva joined Siemens in April."},
		{`UPDATE annals.facts SET said_at = '2024-05-01'`, "Eva joined Siemens today."},
		{`UPDATE annals.facts SET told = 'Eva joined Siemens in May.', said_at = '2024-06-01'`, "Eva joined Siemens in May."},
		{`UPDATE annals.facts SET told = ''`, "Eva joined Siemens today."},
	} {
		var told string
		_, err := conn.Exec(t.Context(), tt.statement)
		if err == nil {
			err = conn.QueryRow(t.Context(), `SELECT told FROM annals.facts`).Scan(&told)
		}
		if err != nil || told != tt.told {
			t.Errorf("%s\nit is told as %q (%v), want %q", tt.statement, told, err, tt.told)
		}
	}
	rows, err := conn.Query(t.Context(), `SELECT told FROM annals_internal.facts_history ORDER BY lower(recorded)`)
	if err != nil {
		t.Fatal(err)
	}
	versions, err := pgx.CollectRows(rows, pgx.RowTo[string])
	want := []string{"last week", "in March", "in March", "yesterday", "in April", "today", "in May"}
	if err != nil || !slices.EqualFunc(versions, want, func(told, words string) bool { return strings.HasSuffix(told, " "+words+".") }) {
		t.Errorf("the versions before are told as %q (%v)", versions, err)
	}
}

// A version without told, as from an older export, is told as written.
func TestVersionsAreToldAsWritten(t *testing.T) {
	t.Parallel()
	conn := connect(t, pgtest.New(t))
	var told string
	err := conn.QueryRow(t.Context(), `WITH made AS (INSERT INTO annals.groups (group_id) VALUES ('a') RETURNING group_id)
		INSERT INTO annals_internal.facts_history (group_id, id, source_id, target_id, predicate, fact, ends, attributes, valid, recorded, created_at, statement_id, evidence)
		SELECT group_id, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'LIKES', 'Eva likes tea.', false, '{}', '(,)', '[2024-01-01,2024-02-01)', now(),
			gen_random_uuid(), '{}' FROM made RETURNING told`).Scan(&told)
	if err != nil || told != "Eva likes tea." {
		t.Errorf("it is told as %q (%v)", told, err)
	}
}
