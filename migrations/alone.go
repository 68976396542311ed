package migrations

import (
	"context"
	"database/sql"
	"fmt"
)

// lockID is "annals": what processes that migrate at the same time wait for.
const lockID int64 = 0x616e6e616c73

// alone runs do while no other process does. The lock belongs to a transaction
// of its own, as a pooler may give one that belongs to a session to somebody
// else; it goes with that transaction, however that ends.
func alone(ctx context.Context, database *sql.DB, do func() error) error {
	tx, err := database.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("lock the migrations: %w", err)
	}
	defer func() { _ = tx.Rollback() }()
	// It does nothing while others migrate, and must not be ended for that.
	for _, q := range []string{"SET LOCAL idle_in_transaction_session_timeout = 0", "SET LOCAL lock_timeout = 0"} {
		if _, err := tx.ExecContext(ctx, q); err != nil {
			return fmt.Errorf("lock the migrations: %w", err)
		}
	}
	if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", lockID); err != nil {
		return fmt.Errorf("wait for others who migrate: %w", err)
	}
	return do()
}
