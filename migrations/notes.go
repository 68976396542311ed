package migrations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/pressly/goose/v3/database"

	"github.com/annalsdb/annals/graph"
)

// notes lets goose read which migrations ran, from the table annals.migrations. The
// migrations themselves create, write and drop that table, so that it is right whichever
// tool ran them. notes therefore only reads.
type notes struct{}

var _ database.StoreExtender = notes{}

// Tablename returns the table's name.
func (notes) Tablename() string { return "annals.migrations" }

// TableExists always returns true: without the table no migration ran.
func (notes) TableExists(context.Context, database.DBTxConn) (bool, error) { return true, nil }

// CreateVersionTable does nothing: the first migration creates the table.
func (notes) CreateVersionTable(context.Context, database.DBTxConn) error { return nil }

// Insert does nothing: a migration records itself.
func (notes) Insert(context.Context, database.DBTxConn, database.InsertRequest) error { return nil }

// Delete does nothing: reverting a migration deletes its record.
func (notes) Delete(context.Context, database.DBTxConn, int64) error { return nil }

// GetMigration returns when a migration ran.
func (notes) GetMigration(ctx context.Context, db database.DBTxConn, version int64) (*database.GetMigrationResult, error) {
	if there, err := noted(ctx, db); err != nil || !there {
		return nil, errors.Join(err, database.ErrVersionNotFound)
	}
	var at time.Time
	err := db.QueryRowContext(ctx, "SELECT applied_at FROM annals.migrations WHERE version = $1", version).Scan(&at)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, database.ErrVersionNotFound
	case err != nil:
		return nil, fmt.Errorf("read when migration %d ran: %w", version, err)
	}
	return &database.GetMigrationResult{Timestamp: at, IsApplied: true}, nil
}

// GetLatestVersion returns the number of the newest migration that ran.
func (n notes) GetLatestVersion(ctx context.Context, db database.DBTxConn) (int64, error) {
	ran, err := n.ListMigrations(ctx, db)
	if err != nil {
		return 0, err
	}
	return ran[0].Version, nil
}

// ListMigrations returns the migrations that ran, newest first. goose's version 0 is
// always among them.
func (notes) ListMigrations(ctx context.Context, db database.DBTxConn) ([]*database.ListMigrationsResult, error) {
	none := &database.ListMigrationsResult{Version: 0, IsApplied: true}
	if there, err := noted(ctx, db); err != nil || !there {
		return []*database.ListMigrationsResult{none}, err
	}
	rows, err := db.QueryContext(ctx, "SELECT version FROM annals.migrations ORDER BY version DESC")
	if err != nil {
		return nil, fmt.Errorf("read which migrations ran: %w", err)
	}
	defer rows.Close()
	var ran []*database.ListMigrationsResult
	for rows.Next() {
		result := &database.ListMigrationsResult{IsApplied: true}
		if err := rows.Scan(&result.Version); err != nil {
			return nil, fmt.Errorf("read which migrations ran: %w", err)
		}
		ran = append(ran, result)
	}
	return append(ran, none), rows.Err()
}

// refuseNewer refuses a database that has newer migrations than this version of Annals.
func refuseNewer(ctx context.Context, db database.DBTxConn) error {
	newest, err := notes{}.GetLatestVersion(ctx, db)
	if err != nil || newest <= Newest() {
		return err
	}
	return &graph.Error{
		Code: graph.CodeConflict, Field: "database",
		Message: fmt.Sprintf("has migration %d, and this version of Annals has %d: migrate with the version that made it, "+
			"or, if something else wrote the row, delete it from annals.migrations", newest, Newest()),
	}
}

func noted(ctx context.Context, db database.DBTxConn) (bool, error) {
	var there bool
	if err := db.QueryRowContext(ctx, "SELECT to_regclass('annals.migrations') IS NOT NULL").Scan(&there); err != nil {
		return false, fmt.Errorf("look for annals.migrations: %w", err)
	}
	return there, nil
}
