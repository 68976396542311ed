package db_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/internal/slow"
)

// loadReviewed makes a group of five thousand facts that a user and an assistant state, each with
// one edit by hand, none waiting for review. The edits are loaded after the statistics were taken,
// so that the planner knows of none.
var loadReviewed = []string{
	`SET session_replication_role = replica`,
	`CREATE FUNCTION pg_temp.key(n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$ SELECT lpad(to_hex(n), 32, '0')::uuid $$`,
	`INSERT INTO annals.groups (group_id, text_search, text_search_from) VALUES ('g', 'annals.english', 'default')`,
	`INSERT INTO annals.entities (group_id, id, name) SELECT 'g', pg_temp.key(n), 'entity ' || n FROM generate_series(1, 500) n`,
	`INSERT INTO annals.episodes (group_id, id, content, content_hash, authority, actor, occurred_at)
		SELECT 'g', pg_temp.key(n), 'said ' || n, '', CASE WHEN n > 2500 THEN 'assistant' ELSE 'user' END::annals.authority, 'entity ' || 1 + n % 500, '2024-01-01'
		FROM generate_series(1, 5000) n`,
	`INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, told, valid, statement_id)
		SELECT 'g', pg_temp.key(n), pg_temp.key(1 + n % 500), pg_temp.key(1 + (n + 1) % 500), 'P' || n % 20, 'fact ' || n, 'fact ' || n, '(,)', pg_temp.key(n)
		FROM generate_series(1, 5000) n`,
	`INSERT INTO annals.fact_episodes (group_id, fact_id, episode_id, role)
		SELECT 'g', pg_temp.key(n), pg_temp.key(e), 'states' FROM generate_series(1, 5000) n, LATERAL (VALUES (1 + (n - 1) % 2500), (2501 + (n - 1) % 2500)) x(e)`,
	`ANALYZE`,
	`INSERT INTO annals.edits (group_id, door, written_by, authority, action, kind, subject_id)
		SELECT 'g', 'rest', 'key', 'assistant', 'edit', 'fact', id FROM annals.facts`,
}

// Waiting facts are found in one pass over a group, whatever the statistics of its tables are.
// Without room on the page after the candidates, that pass is left out.
func TestReviewPlans(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	pool := open(t)
	conn, err := pgx.ConnectConfig(t.Context(), pool.Config().ConnConfig)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	for _, statement := range loadReviewed {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	check := func(kind string, most int) {
		t.Helper()
		p := db.ReviewListParams{GroupID: "g", Kind: kind, MaxRows: 100, EpisodeIds: []uuid.UUID{}, FactIds: []uuid.UUID{}}
		for _, mode := range []string{"force_generic_plan", "force_custom_plan"} {
			inMode(t, pool, mode, func(t *testing.T, e *explainer) {
				if err := query((*db.Queries).ReviewList, p)(t.Context(), db.New(e)); !errors.Is(err, errExplained) {
					t.Fatal(err)
				}
				if rows := e.plan.read(); rows > most || rows == 0 {
					t.Errorf("of kind %q it looks at %d rows, want no more than %d", kind, rows, most)
				}
			})
		}
	}
	// The facts, their ties to episodes, the episodes, their entities, and the edits by hand,
	// twice.
	const pass = 5_000 + 2*10_000 + 500 + 2*5_000
	for _, kind := range []string{"", "low_trust", "second_hand"} {
		check(kind, pass)
	}
	if _, err := conn.Exec(t.Context(), `UPDATE annals.facts SET trust = 'candidate'`); err != nil {
		t.Fatal(err)
	}
	exec(t, pool, `VACUUM (ANALYZE) annals.facts`)
	for _, kind := range []string{"", "candidate"} {
		check(kind, 5_000+200)
	}
}
