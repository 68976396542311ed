package migrations_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/internal/pgtest"
)

// The search for episodes that repeat an erased sentence goes by its rarest
// word, so that a common word does not cause all episodes to be read.
func TestBuryingReadsFewEpisodes(t *testing.T) {
	t.Parallel()
	conn := connect(t, pgtest.New(t))
	if _, err := conn.Exec(t.Context(), `
		INSERT INTO annals.groups (group_id) VALUES ('g');
		INSERT INTO annals.episodes (group_id, id, content)
		SELECT 'g', gen_random_uuid(), format('An aardvark walked by the house and counted %s trees.', n) FROM generate_series(1, 2000) AS n;
		INSERT INTO annals.episodes (group_id, id, content) VALUES
			('g', '019a0000-0000-7000-8000-000000000001', 'The aardvark hides its zloty behind the mirror. The aardvark sleeps under the wardrobe all day.'),
			('g', '019a0000-0000-7000-8000-000000000002', 'They say the aardvark sleeps under the wardrobe all day!');
		ANALYZE annals.episodes, annals_internal.postings`); err != nil {
		t.Fatal(err)
	}
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(t.Context())
	read := func() (n int) {
		if err := tx.QueryRow(t.Context(), `SELECT pg_stat_get_xact_tuples_fetched('annals.episodes'::regclass)
			+ pg_stat_get_xact_tuples_returned('annals.episodes'::regclass)`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := read()
	rows, err := tx.Query(t.Context(), `SELECT kind FROM annals_internal.add_episode_tombstones('g', '{019a0000-0000-7000-8000-000000000001}') ORDER BY kind`)
	if err != nil {
		t.Fatal(err)
	}
	kinds, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	if len(kinds) != 3 || kinds[2] != "sentence" { // what the other episode says too is not erased
		t.Errorf("buried are %q, want its content, its id and one sentence", kinds)
	}
	if n := read() - before; n > 50 {
		t.Errorf("it read %d rows of episodes", n)
	}
}
