package migrations_test

import (
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/pgtest"
)

// What SQL writes as the time of a fact becomes what readers know: half-open, with open sides that
// have no bound, within the years that can be printed.
func TestTimesWrittenBySQL(t *testing.T) {
	t.Parallel()
	conn := connect(t, pgtest.New(t))
	_, err := conn.Exec(t.Context(), `SET TIME ZONE 'UTC';
		INSERT INTO annals.groups (group_id) VALUES ('a');
		INSERT INTO annals.entities (group_id, id, name) VALUES
			('a', '00000000-0000-0000-0000-000000000001', 'Eva'), ('a', '00000000-0000-0000-0000-000000000002', 'Siemens');
		INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id) VALUES
			('a', '00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002',
			'WORKS_AT', 'Eva works at Siemens.', '[-infinity,infinity]', gen_random_uuid())`)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ set, valid, when string }{
		{`fact = fact`, `(,)`, "at an unknown time"},
		{`valid = '[2024-03-04,infinity)'`, `["2024-03-04 00:00:00+00",)`, "since 4 March 2024"},
		{`valid = '[-infinity,2024-03-04)'`, `(,"2024-03-04 00:00:00+00")`, "until 4 March 2024"},
		{`valid = '(2024-03-04,2024-05-01)'`, `["2024-03-04 00:00:00.000001+00","2024-05-01 00:00:00+00")`, "from 4 March 2024, 00:00 until 1 May 2024"},
		{`valid = '[2024-03-04,2024-04-30 23:59:59.999999]'`, `["2024-03-04 00:00:00+00","2024-05-01 00:00:00+00")`, "from 4 March 2024 until 1 May 2024"},
		{`valid = '[0001-01-01,9999-12-31]'`, `["0001-01-01 00:00:00+00","9999-12-31 00:00:00.000001+00")`, "from 1 January 1 until 31 December 9999, 00:00"},
		{`valid = '[2024-03-04,10000-01-01)'`, "", "valid: is 10000-01-01 00:00:00+00; years 1 to 9999 can be stored"},
		{`valid = '[0044-03-15 BC,)'`, "", "valid: is 0044-03-15 00:00:00+00 BC; years 1 to 9999 can be stored"},
		{`valid = '[infinity,)'`, "", "valid: is infinity; years 1 to 9999 can be stored"},
		{`valid = '(,-infinity]'`, "", "valid: is -infinity; years 1 to 9999 can be stored"},
		{`valid = 'empty'`, "", "facts_valid_check"},
		{`said_at = 'infinity'`, "", "facts_said_at_check"},
		{`expired_at = '-infinity'`, "", "facts_expired_at_check"},
	} {
		var valid, when string
		err := conn.QueryRow(t.Context(), `UPDATE annals.facts SET `+tt.set+`
			RETURNING valid::text, annals.when_known(kind, valid, from_basis, from_precision, until_basis, until_precision, now())`).Scan(&valid, &when)
		if tt.valid == "" {
			if err == nil || !strings.Contains(err.Error(), tt.when) {
				t.Errorf("%s: %v; want it refused: %s", tt.set, err, tt.when)
			}
		} else if err != nil || valid != tt.valid || when != tt.when {
			t.Errorf("%s: %s, %q (%v); want %s, %q", tt.set, valid, when, err, tt.valid, tt.when)
		}
	}
}
