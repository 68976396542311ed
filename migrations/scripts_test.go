package migrations_test

import (
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/migrations"
)

// What a database holds in scripts without spaces is indexed when it is
// migrated, leaves no version in the history, and is as before when that is
// taken back.
func TestScriptsAreIndexedInPlace(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	back := func() {
		t.Helper()
		for {
			step, err := migrations.Down(t.Context(), url)
			if err != nil || step == nil {
				t.Fatalf("Down = %v, %v", step, err)
			}
			if strings.HasPrefix(step.Name, "00010") {
				return
			}
		}
	}
	back()
	conn := connect(t, url)
	for _, statement := range []string{
		`INSERT INTO annals.groups (group_id) VALUES ('g')`,
		`INSERT INTO annals.entities (group_id, id, name) VALUES
			('g', '00000000-0000-0000-0000-000000000001', '东京塔'), ('g', '00000000-0000-0000-0000-000000000002', 'Tower')`,
		`INSERT INTO annals.episodes (group_id, id, content, content_hash) VALUES ('g', gen_random_uuid(), '东京塔很高', '')`,
		`INSERT INTO annals.communities (group_id, id, name) VALUES ('g', gen_random_uuid(), '东京塔')`,
		`INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id) VALUES ('g', gen_random_uuid(),
			'00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002', 'IS', '东京塔很高', '[2024-01-01,)', gen_random_uuid())`,
	} {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	pairs := `SELECT count(*) FROM annals.postings WHERE group_id = 'g' AND term = '京塔'`
	if n := count(t, url, pairs); n != 0 {
		t.Fatalf("%d documents have a pair of letters before", n)
	}
	if _, err := migrations.Up(t.Context(), url, migrations.Options{}); err != nil {
		t.Fatal(err)
	}
	if n := count(t, url, pairs); n != 4 {
		t.Errorf("%d documents have the pair of letters, want 4", n)
	}
	if n := count(t, url, `SELECT (SELECT count(*) FROM annals.entities_history) + (SELECT count(*) FROM annals.facts_history)`); n != 0 {
		t.Errorf("the history has %d versions", n)
	}
	back()
	if n := count(t, url, pairs); n != 0 {
		t.Errorf("%d documents have the pair of letters after the way back", n)
	}
}
