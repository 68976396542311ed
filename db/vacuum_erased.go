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

// VacuumErased removes the values of erased rows from the planner's statistics, which hold frequent
// values, and frees their space. It does so once for all erasures that are still due, on the tables
// that they touched, and reports how many erasures these were. If another process is doing it,
// VacuumErased waits, or returns if wait is false.
//
// It works on a connection outside the pool, as a tenant owns no table. For tables that the user
// does not own PostgreSQL keeps the old statistics, and warns.
//
// ANALYZE also keeps the old statistics of a table that has become empty. Only a superuser may
// remove those; for other users they stay until the table has rows again.
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
