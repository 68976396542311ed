package migrations_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
)

// tenClaims are claims about Alice, the first of which was rejected.
const tenClaims = `(SELECT jsonb_agg(jsonb_build_object('place', n, 'source_id', '00000000-0000-4000-8000-000000000001'::uuid,
	'target_id', gen_random_uuid(), 'sources', ARRAY['Alice'], 'targets', ARRAY['Club ' || n * 7], 'predicate', 'MEMBER_OF', 'fact', 'Alice joined club ' || n * 7 || '.',
	'kind', 'state', 'said_at', now(), 'authority', 'user')) FROM generate_series(1, 10) AS n)`

// rejecting returns a database with a group in which a person rejected 20,000
// facts about Alice, and another with as many.
func rejecting(t *testing.T) *pgx.Conn {
	t.Helper()
	conn := connect(t, pgtest.New(t))
	if _, err := conn.Exec(t.Context(), `
		INSERT INTO annals.groups (group_id) VALUES ('g'), ('other');
		INSERT INTO annals.rejections (group_id, source_id, predicate, target_id, source_keys, target_keys, fact, sentence_key, fact_id)
		SELECT g.id, '00000000-0000-4000-8000-000000000001', 'MEMBER_OF', gen_random_uuid(), '{alice}', ARRAY['club ' || n],
			'Alice is in club ' || n || '.', 'alice is in club ' || n, gen_random_uuid()
		FROM generate_series(1, 20000) AS n, (VALUES ('g'), ('other')) AS g(id);
		ANALYZE annals.rejections`); err != nil {
		t.Fatal(err)
	}
	return conn
}

// TestRefusalsAreLookedForByTheirEnds: claims find the rejections about their
// entities by an index. Ten claims read about ten rows in a group with 20,000.
func TestRefusalsAreLookedForByTheirEnds(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	conn := rejecting(t)
	const read = `SELECT coalesce(sum(idx_tup_fetch + seq_tup_read), 0)::bigint FROM pg_stat_xact_user_tables WHERE schemaname = 'annals' AND relname = 'rejections'`
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(t.Context()) }()
	var found, before, after int
	began := time.Now()
	for _, step := range []struct {
		sql string
		to  *int
	}{{read, &before}, {"SELECT count(*) FROM annals_internal.matching_rejections('g', " + tenClaims + ", '{}') WHERE refused", &found}, {read, &after}} {
		if err := tx.QueryRow(t.Context(), step.sql).Scan(step.to); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%v", time.Since(began))
	if found != 10 {
		t.Errorf("%d claims are refused, want 10", found)
	}
	if n := after - before; n > 200 {
		t.Errorf("it read %d rejections for 10 claims", n)
	}
}

// TestEndPairsTellGroupsApart: the hashes of a pair differ between groups, and
// are equal by the id and by each name.
func TestEndPairsTellGroupsApart(t *testing.T) {
	t.Parallel()
	conn := connect(t, pgtest.New(t))
	var told []string
	for _, pairs := range []string{
		`annals_internal.end_pair_hashes('g', NULL, '{alice}', NULL, '{acme}') && annals_internal.end_pair_hashes('g', gen_random_uuid(), '{bob,alice}', NULL, '{globex,acme}')`,
		`annals_internal.end_pair_hashes('g', NULL, '{alice}', NULL, '{acme}') && annals_internal.end_pair_hashes('h', NULL, '{alice}', NULL, '{acme}')`,
		`annals_internal.end_pair_hashes('g', NULL, '{alice}', NULL, '{acme}') && annals_internal.end_pair_hashes('g', NULL, '{acme}', NULL, '{alice}')`,
	} {
		var same bool
		if err := conn.QueryRow(t.Context(), "SELECT "+pairs).Scan(&same); err != nil {
			t.Fatal(err)
		}
		told = append(told, map[bool]string{true: "same", false: "other"}[same])
	}
	if got := strings.Join(told, " "); got != "same other other" {
		t.Errorf("the pairs are %s", got)
	}
}
