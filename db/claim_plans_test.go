package db_test

import (
	"errors"
	"testing"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/internal/pgtest"
)

// Claiming reads the episodes it claims and not those that wait behind them, and so does marking
// them as read, also by plans that were made before the database had statistics.
func TestClaimPlans(t *testing.T) {
	t.Parallel()
	pool, err := db.Open(t.Context(), pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	for _, sql := range []string{
		`INSERT INTO annals.groups (group_id) VALUES ('g')`,
		`INSERT INTO annals.episodes (group_id, id, content, external_id) SELECT 'g', lpad(to_hex(n), 32, '0')::uuid, 'message ' || n, n::text FROM generate_series(1, 2000) n`,
	} {
		if _, err := pool.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	all := map[string]run{
		"claim": query((*db.Queries).EpisodesClaim, db.EpisodesClaimParams{GroupID: "g", MaxRows: 16}),
		"done":  query((*db.Queries).EpisodesDone, db.EpisodesDoneParams{GroupID: "g", Ids: keys(16)}),
	}
	for _, known := range []string{"nothing known", "analysed"} {
		t.Run(known, func(t *testing.T) {
			if known == "analysed" {
				if _, err := pool.Exec(t.Context(), "ANALYZE annals.groups, annals.episodes"); err != nil {
					t.Fatal(err)
				}
			}
			for _, mode := range []string{"force_generic_plan", "force_custom_plan"} {
				inMode(t, pool, mode, func(t *testing.T, e *explainer) {
					for name, run := range all {
						if err := run(t.Context(), db.New(e)); !errors.Is(err, errExplained) {
							t.Fatal(err)
						}
						if rows := e.plan.read(); rows > 100 {
							t.Errorf("%s: looks at %d rows for 16 episodes", name, rows)
						}
					}
				})
			}
		})
	}
}
