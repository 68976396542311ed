package db

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// VacuumErased takes the values of removed rows out of the planner's
// statistics, where frequent ones stand, and gives their room free: once for
// all erasures that still owe it, and of the tables that they touched. It
// reports how many erasures that were. Where another process is at it, it
// waits, or with wait false leaves it to that.
//
// It does so on a connection beside the pool, as a tenant owns no table. Of
// tables that the user of the database does not own PostgreSQL keeps the old
// statistics, and says so with a warning.
//
// Of a table that is left empty ANALYZE keeps the old statistics. Only a
// superuser may remove those; for anybody else they stay until the table has
// rows again.
func VacuumErased(ctx context.Context, pool Pool, wait bool) (paid int, err error) {
	for {
		err = WithLock(ctx, pool, LockVacuumErased, func(conn *pgx.Conn) error {
			paid, err = vacuumErased(ctx, conn)
			return err
		})
		switch {
		case !errors.Is(err, ErrLocked) && !errors.Is(err, ErrNoRoom):
			return paid, err
		case !wait:
			return 0, nil
		}
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func vacuumErased(ctx context.Context, conn *pgx.Conn) (int, error) {
	q := New(conn)
	owing, err := q.ErasuresOwing(ctx)
	if denied(err) { // a login for tenants only, which owns no table
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("look for erasures that owe a vacuum: %w", err)
	}
	tables := map[string]bool{}
	paid := make([]ErasurePaidParams, len(owing))
	for i, e := range owing {
		paid[i] = ErasurePaidParams{GroupID: e.GroupID, ID: e.ID}
		for _, table := range e.Tables {
			tables[table] = true
		}
	}
	if len(tables) > 0 { // their names come from the catalogue, quoted
		if _, err := conn.Exec(ctx, "VACUUM (ANALYZE) "+strings.Join(slices.Sorted(maps.Keys(tables)), ", ")); err != nil {
			return 0, fmt.Errorf("vacuum the tables: %w", err)
		}
		if err := forgetEmpty(ctx, q); err != nil {
			return 0, err
		}
	}
	if err := Exec(q.ErasurePaid(ctx, paid)); err != nil {
		return 0, fmt.Errorf("note what was vacuumed: %w", err)
	}
	return len(owing), nil
}

func forgetEmpty(ctx context.Context, q *Queries) error {
	err := q.EmptyTablesForget(ctx)
	if err != nil && !denied(err) {
		return fmt.Errorf("remove the statistics of empty tables: %w", err)
	}
	return nil
}

func denied(err error) bool {
	const insufficientPrivilege = "42501"
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pg.Code == insufficientPrivilege
}
