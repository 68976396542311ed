package db_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
)

// checkScopes checks that rows that pass a filter for a conversation, a run, a user or an agent are
// found by index, not among all of the group.
func checkScopes(t *testing.T, e *explainer) {
	t.Helper()
	for list, of := range map[string]struct{ name, index string }{
		"threads": {"thread 7", "episodes_thread"}, "runs": {"run 7", "episodes_run"},
		"users": {"user 7", "episodes_user"}, "agents": {"agent 7", "episodes_agent"},
	} {
		filter := fmt.Sprintf(`{"episodes": true, %q: [%q]}`, list, of.name)
		plan, err := e.explain(t.Context(), `SELECT * FROM annals_internal.episodes_matching($1, $2)`, []any{"large", filter})
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range (hot{steps: []string{"Index Scan " + of.index}, most: 100}).faults(plan) {
			t.Errorf("episodes by %s: %s", list, fault)
		}
	}
}

// checkNames checks that entities named in a question are looked up by key, in a large group and in
// a small one.
func checkNames(t *testing.T, e *explainer) {
	t.Helper()
	for _, group := range []string{"large", "small7"} {
		checkNamed(t, e, group)
	}
}

func checkNamed(t *testing.T, e *explainer, group string) {
	t.Helper()
	plan, err := e.explain(t.Context(), `SELECT * FROM annals_internal.entities_named_in($1, $2)`, []any{group, "What did entity 7 tell entity 8 about the garden?"})
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range (hot{steps: []string{"Index Only Scan entity_names_pkey"}, most: 10}).faults(plan) {
		t.Errorf("whom a question names in %s: %s", group, fault)
	}
}

// In a database with few names the trigram index looks cheaper than the key, but takes ten times as
// long. Equal names must be found by key.
func TestFewNamesAreFoundByKey(t *testing.T) {
	t.Parallel()
	pool := open(t)
	exec(t, pool, `INSERT INTO annals.groups (group_id) VALUES ('few')`)
	exec(t, pool, `INSERT INTO annals.entities (group_id, id, name) SELECT 'few', gen_random_uuid(), 'entity ' || n FROM generate_series(1, 100) n`)
	exec(t, pool, `ANALYZE annals_internal.entity_names`) // not vacuumed yet, which would make the key look cheaper
	inMode(t, pool, "force_generic_plan", func(t *testing.T, e *explainer) {
		if _, err := e.conn.Exec(t.Context(), `SET LOCAL enable_seqscan = off`); err != nil { // as a search does
			t.Fatal(err)
		}
		checkNamed(t, e, "few")
	})
}

// checkWalk counts the scans of each index of facts during a walk, as plans do not show what
// functions do.
func checkWalk(t *testing.T, conn *pgx.Conn) {
	t.Helper()
	scans := func(relation string) (n int) {
		t.Helper()
		if err := conn.QueryRow(t.Context(), `SELECT pg_stat_get_xact_numscans($1::text::regclass)`, "annals."+relation).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	const seeds = 5
	before := map[string]int{}
	relations := []string{"facts", "facts_source", "facts_target", "entities"}
	for _, r := range relations {
		before[r] = scans(r)
	}
	reached, err := db.New(conn).Neighborhood(t.Context(), db.NeighborhoodParams{
		GroupID: "large", SeedIds: keys(seeds), Hops: 1, MaxRows: 300,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(reached) <= seeds {
		t.Fatalf("the walk reached %d entities", len(reached))
	}
	// Sequential scans are counted with the table, others with the index.
	want := map[string]int{"facts": 0, "facts_source": seeds, "facts_target": seeds, "entities": 0}
	for _, r := range relations {
		if got := scans(r) - before[r]; got != want[r] {
			t.Errorf("a walk scans %s %d times, want %d", r, got, want[r])
		}
	}
}

// checkFunctions explains the functions that statements of a search call for several kinds at once,
// as the plans of these statements do not show what functions do.
func checkFunctions(t *testing.T, e *explainer) {
	t.Helper()
	for sql, of := range map[string]struct {
		args  []any
		steps []string
	}{
		`SELECT * FROM annals_internal.rank_by_terms($1, $2, $3, $4, $5, $6, $7, $8, $9)`: {
			[]any{"large", "fact", "hundredth7 rare3 common", "", false, nil, nil, false, 50}, []string{"Index Scan facts_pkey", "Index Only Scan postings_pkey"},
		},
		`SELECT * FROM annals_internal.speakers($1, $2)`: {[]any{"large", 200}, []string{"Index Only Scan episodes_actor"}},
	} {
		plan, err := e.explain(t.Context(), sql, of.args)
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range (hot{steps: of.steps, most: 20_000}).faults(plan) {
			t.Errorf("%s: %s", sql, fault)
		}
	}
}
