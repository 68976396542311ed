package db_test

import (
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
		`UPDATE annals.episodes SET state = 'processing' WHERE group_id = 'g' AND external_id::int <= 16`, // claimed before
	} {
		exec(t, pool, sql)
	}
	all := map[string]hot{
		"claim": {run: query((*db.Queries).EpisodesClaim, db.EpisodesClaimParams{GroupID: "g", MaxRows: 16}), most: 100},
		"done":  {run: query((*db.Queries).EpisodesDone, db.EpisodesDoneParams{GroupID: "g", Ids: keys(16)}), most: 100},
	}
	checkReads(t, pool, "ANALYZE annals.groups, annals.episodes", all)
}
