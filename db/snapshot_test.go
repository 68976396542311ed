package db_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
)

// firsts are statements of each form that sqlc generates; they read the groups.
var firsts = map[string]func(context.Context, *db.Queries) error{
	"row": func(ctx context.Context, q *db.Queries) error {
		_, err := q.EmbeddingDimension(ctx)
		return err
	},
	"rows": func(ctx context.Context, q *db.Queries) error {
		_, err := q.Shape(ctx, db.ShapeParams{GroupID: "alice", Model: "m"})
		return err
	},
	"nothing": func(ctx context.Context, q *db.Queries) error { return q.Readmit(ctx, "") },
	"batch": func(ctx context.Context, q *db.Queries) error {
		_, err := q.NearestRows(ctx, db.Nearest{Kind: graph.KindFact, GroupID: "alice", Model: "m", Vector: make([]float32, 384), Limit: 1, IncludeEnded: true})
		return err
	},
}

// Any first statement begins the snapshot in its own round trip. The connection is returned as it
// was.
func TestSnapshotBeginsWithItsFirstStatement(t *testing.T) {
	t.Parallel()
	ctx, count := t.Context(), &pgtest.Trips{}
	pool, err := db.Open(ctx, pgtest.New(t)+"&pool_max_conns=2", func(c *pgxpool.Config) { c.ConnConfig.Tracer = count })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	if err := db.New(pool).GroupEnsure(ctx, "alice"); err != nil {
		t.Fatal(err)
	}
	groups := func(q *db.Queries) int {
		list, err := q.GroupList(ctx, db.GroupListParams{MaxRows: 10})
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	for owner, bound := range map[string]db.Pool{"owner": pool, "tenant": db.Tenant(pool, "alice")} {
		for form, first := range firsts {
			t.Run(owner+" "+form, func(t *testing.T) {
				err := db.InSnapshot(ctx, bound, "alice", func(q *db.Queries) error {
					count.N = 0
					if err := first(ctx, q); err != nil {
						return err
					}
					if count.N != 1 {
						t.Errorf("the first statement took %d round trips", count.N)
					}
					if err := db.New(pool).GroupEnsure(ctx, "late"); err != nil {
						return err
					}
					if got := groups(q); got != 1 {
						t.Errorf("sees %d groups, want the one that was there before", got)
					}
					if err := q.GroupEnsure(ctx, "written"); err == nil {
						t.Error("wrote in a snapshot")
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := pool.Exec(ctx, `DELETE FROM annals.groups WHERE group_id = 'late'`); err != nil {
					t.Fatal(err)
				}
				if s := pool.Stat(); s.AcquiredConns() != 0 || s.NewConnsCount() > 2 {
					t.Errorf("%d connections are in use, %d were made", s.AcquiredConns(), s.NewConnsCount())
				}
			})
		}
	}
	var plans, role string
	if err := pool.QueryRow(ctx, `SELECT current_setting('plan_cache_mode'), current_setting('role')`).Scan(&plans, &role); err != nil {
		t.Fatal(err)
	}
	if plans != "auto" || role != "none" {
		t.Errorf("the connection is left with plans %q, role %q", plans, role)
	}
}

// The last statement ends the snapshot in its own round trip. Later statements are refused: they
// would run as the pool's own user, who may see all groups.
func TestSnapshotEndsWithItsLastStatement(t *testing.T) {
	t.Parallel()
	ctx, count := t.Context(), &pgtest.Trips{}
	pool, err := db.Open(ctx, pgtest.New(t)+"&pool_max_conns=1", func(c *pgxpool.Config) { c.ConnConfig.Tracer = count })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	if err := db.New(pool).GroupEnsure(ctx, "alice"); err != nil {
		t.Fatal(err)
	}
	ids := map[graph.Kind][]uuid.UUID{
		graph.KindFact: {uuid.New()}, graph.KindEntity: {uuid.New()}, graph.KindEpisode: {uuid.New()}, graph.KindCommunity: {uuid.New()},
	}
	for owner, bound := range map[string]db.Pool{"owner": pool, "tenant": db.Tenant(pool, "alice")} {
		err := db.InSnapshot(ctx, bound, "alice", func(q *db.Queries) error {
			count.N = 0
			together := q.Together()
			together.Rows("alice", "", nil, ids, &db.Found{})
			if err := together.SendLast(ctx); err != nil {
				return err
			}
			for form, first := range firsts {
				if err := first(ctx, q); err == nil {
					t.Errorf("%s: %s was asked after the end", owner, form)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if count.N != 1 {
			t.Errorf("%s: a snapshot of one reading took %d round trips", owner, count.N)
		}
		if s := pool.Stat(); s.AcquiredConns() != 0 || s.NewConnsCount() != 1 {
			t.Errorf("%s: %d connections are in use, %d were made", owner, s.AcquiredConns(), s.NewConnsCount())
		}
	}
}

// A snapshot that fails, is cancelled or asks nothing loses no connection, and its error is
// returned unchanged.
func TestSnapshotThatFails(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	pool := openPool(t, "&pool_max_conns=1")
	mine := errors.New("mine")
	for name, do := range map[string]func(*db.Queries) error{
		"asks nothing":        func(*db.Queries) error { return nil },
		"fails before asking": func(*db.Queries) error { return mine },
		"fails after asking":  func(q *db.Queries) error { return errors.Join(mine, firsts["rows"](ctx, q)) },
		"fails in its first":  func(q *db.Queries) error { return q.GroupEnsure(ctx, "alice") },
	} {
		err := db.InSnapshot(ctx, pool, "alice", do)
		if fails := name[:5] == "fails"; (err != nil) != fails {
			t.Errorf("%s: %v", name, err)
		}
		if s := pool.Stat(); s.AcquiredConns() != 0 || s.NewConnsCount() != 1 {
			t.Errorf("%s: %d connections are in use, %d were made", name, s.AcquiredConns(), s.NewConnsCount())
		}
	}
	given, giveUp := context.WithCancel(ctx)
	err := db.InSnapshot(given, pool, "alice", func(q *db.Queries) error {
		giveUp()
		return firsts["rows"](given, q)
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	if err := db.InSnapshot(ctx, pool, "alice", func(q *db.Queries) error { return firsts["rows"](ctx, q) }); err != nil {
		t.Error(err)
	}
}

func openPool(t *testing.T, parameters string) *pgxpool.Pool {
	t.Helper()
	pool, err := db.Open(t.Context(), pgtest.New(t)+parameters)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}
