package db_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/internal/pgtest"
)

func openPool(t *testing.T, parameters string) *pgxpool.Pool {
	t.Helper()
	pool, err := db.Open(t.Context(), pgtest.New(t)+parameters)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// What is written after the snapshot is seen by neither connection.
func TestSecondReaderSeesTheSameState(t *testing.T) {
	t.Parallel()
	ctx, pool := t.Context(), openPool(t, "&pool_max_conns=4")
	if err := db.New(pool).GroupEnsure(ctx, "alice"); err != nil {
		t.Fatal(err)
	}
	for name, bound := range map[string]db.Pool{"owner": pool, "tenant": db.Tenant(pool, "alice")} {
		err := db.InSnapshot(ctx, bound, "alice", func(queries *db.Queries) error {
			beside, err := queries.SecondReader(ctx, bound)
			if err != nil || beside == nil {
				t.Fatalf("%s: SecondReader gave %v, %v", name, beside, err)
			}
			if _, err := pool.Exec(ctx, `INSERT INTO annals.groups (group_id) VALUES ($1)`, "late-"+name); err != nil {
				return err
			}
			return beside.Read(ctx, func(other *db.Queries) error {
				groups, err := other.GroupList(ctx, db.GroupListParams{MaxRows: 10})
				if err == nil && len(groups) != 1 {
					t.Errorf("%s: sees %d groups, want the one that was there before", name, len(groups))
				}
				return err
			})
		})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := pool.Exec(ctx, `DELETE FROM annals.groups WHERE group_id LIKE 'late-%'`); err != nil {
			t.Fatal(err)
		}
	}
}

// Others come first where the pool is half in use, and nobody waits for ever.
func TestSecondReaderLeavesConnectionsToOthers(t *testing.T) {
	t.Parallel()
	ctx, pool := t.Context(), openPool(t, "&pool_max_conns=2")
	err := db.InSnapshot(ctx, pool, "alice", func(queries *db.Queries) error {
		beside, err := queries.SecondReader(ctx, pool)
		if err != nil || beside == nil {
			t.Fatalf("half of the pool is free, but SecondReader gave %v, %v", beside, err)
		}
		taken, err := pool.Acquire(ctx)
		if err != nil {
			return err
		}
		defer taken.Release()
		if beside, err := queries.SecondReader(ctx, pool); err != nil || beside != nil {
			t.Errorf("all of the pool is in use, but SecondReader gave %v, %v", beside, err)
		}
		read := beside.Read(ctx, func(*db.Queries) error { return nil })
		if !errors.Is(read, db.ErrNoConnection) {
			t.Errorf("Read gave %v, want ErrNoConnection", read)
		}
		ended, cancel := context.WithCancel(ctx)
		cancel()
		if err := beside.Read(ended, func(*db.Queries) error { return nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("Read of a cancelled context gave %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Who gives up when the connection has come lets the transaction begin, and so
// does not lose the connection.
func TestSecondReaderKeepsItsConnection(t *testing.T) {
	t.Parallel()
	ctx, giveUp := context.WithCancel(t.Context())
	var gives atomic.Bool
	pool, err := db.Open(t.Context(), pgtest.New(t), func(config *pgxpool.Config) {
		prepare := config.PrepareConn
		config.PrepareConn = func(ctx context.Context, conn *pgx.Conn) (bool, error) {
			ok, err := prepare(ctx, conn)
			if gives.Load() {
				giveUp()
			}
			return ok, err
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	err = db.InSnapshot(t.Context(), pool, "alice", func(queries *db.Queries) error {
		beside, err := queries.SecondReader(t.Context(), pool)
		if err != nil || beside == nil {
			t.Fatalf("SecondReader gave %v, %v", beside, err)
		}
		gives.Store(true)
		began := false
		err = beside.Read(ctx, func(*db.Queries) error {
			began = true
			return nil
		})
		if !began || ctx.Err() == nil {
			t.Errorf("it began: %t, and was given up: %v", began, ctx.Err())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
