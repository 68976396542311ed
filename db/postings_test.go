package db_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/internal/slow"
)

// A group is counted again once the cost is small compared with the time that passed. In a group of
// thousands that is soon, as nothing triggers it when nothing more is read.
func TestCountsAreMadeAnew(t *testing.T) {
	t.Parallel()
	pool := open(t)
	exec(t, pool, `INSERT INTO annals.groups (group_id) VALUES ('g')`)
	for counted, anew := range map[int]bool{5_000: true, 1_000_000: false} {
		exec(t, pool, `INSERT INTO annals_internal.search_statistics (group_id, kind, documents, terms, refreshed_at)
			VALUES ('g', 'fact', $1, 0, now() - interval '5 seconds') ON CONFLICT (group_id, kind) DO UPDATE SET documents = $1, refreshed_at = excluded.refreshed_at`, counted)
		if err := db.New(pool).StatisticsRefresh(t.Context(), "g"); err != nil {
			t.Fatal(err)
		}
		var documents int
		if err := pool.QueryRow(t.Context(), `SELECT documents FROM annals_internal.search_statistics WHERE group_id = 'g' AND kind = 'fact'`).Scan(&documents); err != nil {
			t.Fatal(err)
		}
		if (documents == 0) != anew {
			t.Errorf("of a count of %d after five seconds there is %d", counted, documents)
		}
	}
}

// Postings of rows that are changed and removed during packing are neither left behind nor lost.
func TestPackingMissesNothing(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	pool := open(t)
	exec(t, pool, `INSERT INTO annals.groups (group_id) VALUES ('g')`)
	const rows, writers, many = 440, 4, 60 // of each writer's rows the last go together
	ids := make([]uuid.UUID, rows)
	for i := range ids {
		ids[i] = uuid.New()
		exec(t, pool, `INSERT INTO annals.entities (group_id, id, name) VALUES ('g', $1, $2)`, ids[i], fmt.Sprintf("Entity %d of a kind", i))
	}
	done, packed := make(chan struct{}), make(chan int)
	go func() {
		n := 0
		defer func() { packed <- n }()
		for {
			select {
			case <-done:
				return
			default:
			}
			did := false
			err := pool.QueryRow(context.WithoutCancel(t.Context()), `SELECT coalesce(annals_internal.pack_postings('g', 'entity',
				ARRAY(SELECT DISTINCT p.term FROM annals_internal.all_postings p WHERE p.group_id = 'g')), false)`).Scan(&did)
			if err != nil {
				t.Error(err)
				return
			}
			if did {
				n++
			}
		}
	}()
	var writing sync.WaitGroup
	for w := range writers {
		writing.Go(func() {
			r := rand.New(rand.NewPCG(7, uint64(w)))
			var own []uuid.UUID
			for i := w; i < rows; i += writers {
				own = append(own, ids[i])
			}
			for _, id := range own[:len(own)-many] {
				if err := changeOrRemove(t.Context(), pool, r, id); err != nil {
					t.Error(err)
					return
				}
			}
			if _, err := pool.Exec(t.Context(), `SELECT annals_internal.remove_rows('g', 'entity', $1)`, own[len(own)-many:]); err != nil {
				t.Error(err)
			}
		})
	}
	writing.Wait()
	close(done)
	if n := <-packed; n == 0 {
		t.Error("nothing was packed meanwhile")
	}
	var stray int
	if err := pool.QueryRow(t.Context(), `WITH want AS (
			SELECT lexeme COLLATE "C" AS term, id, cardinality(positions) AS tf, length FROM annals.entities, unnest(terms)
		), have AS (SELECT term, document_id, tf, length FROM annals_internal.all_postings)
		SELECT (SELECT count(*) FROM (TABLE want EXCEPT ALL TABLE have) x) + (SELECT count(*) FROM (TABLE have EXCEPT ALL TABLE want) y)`).Scan(&stray); err != nil {
		t.Fatal(err)
	}
	if stray > 0 {
		t.Errorf("%d postings are lost or left", stray)
	}
}

func changeOrRemove(ctx context.Context, pool db.Pool, r *rand.Rand, id uuid.UUID) error {
	for range 1 + r.IntN(3) {
		if _, err := pool.Exec(ctx, `UPDATE annals.entities SET summary = $2 WHERE group_id = 'g' AND id = $1`, id, fmt.Sprintf("Of a kind, and summary %d.", r.IntN(9))); err != nil {
			return err
		}
	}
	if r.IntN(2) > 0 {
		return nil
	}
	_, err := pool.Exec(ctx, `DELETE FROM annals.entities WHERE group_id = 'g' AND id = $1`, id)
	return err
}

// A group's postings are packed as it grows, except for terms with a single posting. A small
// group's are not packed.
func TestRefreshPacksPostings(t *testing.T) {
	t.Parallel()
	pool := open(t)
	exec(t, pool, `INSERT INTO annals.groups (group_id) VALUES ('g')`)
	grow := func(n int) (loose, blocks int) {
		t.Helper()
		exec(t, pool, `INSERT INTO annals.entities (group_id, id, name) SELECT 'g', gen_random_uuid(), 'Harbour ' || gen_random_uuid() FROM generate_series(1, $1)`, n)
		exec(t, pool, `UPDATE annals_internal.search_statistics SET refreshed_at = '-infinity'`)
		err := errors.Join(db.RefreshStatistics(t.Context(), pool, "g"),
			pool.QueryRow(t.Context(), `SELECT count(*) FROM annals_internal.postings WHERE term = 'harbour'`).Scan(&loose),
			pool.QueryRow(t.Context(), `SELECT count(*) FROM annals_internal.posting_blocks WHERE term = 'harbour'`).Scan(&blocks))
		if err != nil {
			t.Fatal(err)
		}
		return loose, blocks
	}
	for _, step := range []struct{ grow, loose, blocks int }{{99, 99, 0}, {45, 0, 2}, {99, 99, 2}, {45, 0, 4}, {712, 0, 14}, {249, 249, 14}, {1, 0, 18}} {
		if loose, blocks := grow(step.grow); loose != step.loose || blocks != step.blocks {
			t.Errorf("%d more rows: %d postings and %d blocks, want %d and %d", step.grow, loose, blocks, step.loose, step.blocks)
		}
	}
	var large int
	if err := pool.QueryRow(t.Context(), `SELECT count(*) FROM annals_internal.posting_blocks WHERE cardinality(ids) > 72`).Scan(&large); err != nil || large > 0 {
		t.Errorf("%d blocks are too large: %v", large, err)
	}
}
