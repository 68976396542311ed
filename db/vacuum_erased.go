package db

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// VacuumErased takes the values of removed rows out of the planner's
// statistics, where frequent ones stand, and gives their room free. The names
// of the tables come from the catalogue.
func VacuumErased(ctx context.Context, pool *pgxpool.Pool) error {
	tables, err := New(pool).TablesOfGroups(ctx)
	if err != nil {
		return fmt.Errorf("list the tables: %w", err)
	}
	for i, table := range tables {
		tables[i] = pgx.Identifier{"annals", table}.Sanitize()
	}
	if _, err := pool.Exec(ctx, "VACUUM (ANALYZE) "+strings.Join(tables, ", ")); err != nil {
		return fmt.Errorf("vacuum the tables: %w", err)
	}
	return nil
}
