package migrations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/annalsdb/annals/graph"
)

const (
	// lockID spells "annals". It is the advisory lock of processes that migrate.
	lockID int64 = 0x616e6e616c73

	// roomPatience is the longest wait for a second connection.
	roomPatience = 10 * time.Second
)

var errBusy = errors.New("another process migrates")

// alone runs do while no other process migrates. The lock belongs to a
// transaction, since a pooler may give the session to somebody else; it ends with
// that transaction in any case. A waiting process holds no connection, which the
// holder of the lock may need behind a pooler.
func alone(ctx context.Context, database *sql.DB, do func() error) error {
	lock, err := backoff.Retry(ctx, func() (*sql.Tx, error) { return tryLock(ctx, database) },
		backoff.WithBackOff(backoff.NewConstantBackOff(200*time.Millisecond)), backoff.WithMaxElapsedTime(0))
	if err != nil {
		return fmt.Errorf("wait for others who migrate: %w", err)
	}
	defer func() { _ = lock.Rollback() }()
	if err := room(ctx, database); err != nil {
		return err
	}
	return do()
}

// tryLock starts the transaction that holds the lock, or returns errBusy.
func tryLock(ctx context.Context, database *sql.DB) (*sql.Tx, error) {
	tx, err := database.BeginTx(ctx, nil)
	if err != nil {
		return nil, backoff.Permanent(err)
	}
	// It is idle while the process migrates, and must not time out.
	if _, err = tx.ExecContext(ctx, "SET LOCAL idle_in_transaction_session_timeout = 0"); err == nil {
		locked := false
		if err = tx.QueryRowContext(ctx, "SELECT pg_try_advisory_xact_lock($1)", lockID).Scan(&locked); err == nil && locked {
			return tx, nil
		}
	}
	_ = tx.Rollback()
	if err != nil {
		return nil, backoff.Permanent(err)
	}
	return nil, errBusy
}

// room checks that there is a second connection, for work while the first holds
// the lock. A pooler may have only one.
func room(ctx context.Context, database *sql.DB) error {
	waiting, stop := context.WithTimeout(ctx, roomPatience)
	defer stop()
	_, err := database.ExecContext(waiting, "SELECT 1")
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return &graph.Error{
			Code: graph.CodeUnavailable, Field: "database",
			Message: "is reached through a pooler with one connection to the server, and migrating takes two; raise its pool size (default_pool_size), or go past it",
		}
	}
	if err != nil {
		return fmt.Errorf("connect a second time: %w", err)
	}
	return nil
}
