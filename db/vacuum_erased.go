package db

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// VacuumErased takes the values of removed rows out of the planner's
// statistics, where frequent ones stand, and gives their room free. The names
// of the tables come from the catalogue.
//
// It does so on a connection beside the pool, as a tenant owns no table. Of
// tables that the user of the database does not own PostgreSQL keeps the old
// statistics, and says so with a warning.
//
// Of a table that is left empty ANALYZE keeps the old statistics. Only a
// superuser may remove those; for anybody else they stay until the table has
// rows again.
func VacuumErased(ctx context.Context, pool Pool) error {
	tables, err := New(pool).TablesOfGroups(ctx)
	if err != nil {
		return fmt.Errorf("list the tables: %w", err)
	}
	for i, table := range tables {
		tables[i] = pgx.Identifier{"annals", table}.Sanitize()
	}
	conn, err := Connect(ctx, pool)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var queue bool
	if err := conn.QueryRow(ctx, "SELECT has_schema_privilege('annals_queue', 'USAGE')").Scan(&queue); err != nil {
		return fmt.Errorf("look for the queue: %w", err)
	}
	if queue {
		tables = append(tables, "annals_queue.river_job")
	}
	if _, err := conn.Exec(ctx, "VACUUM (ANALYZE) "+strings.Join(tables, ", ")); err != nil {
		return fmt.Errorf("vacuum the tables: %w", err)
	}
	_, err = conn.Exec(ctx, `DELETE FROM pg_catalog.pg_statistic s USING pg_catalog.pg_class c
		WHERE c.oid = s.starelid AND c.relnamespace IN ('annals'::regnamespace, 'annals_queue'::regnamespace)
			AND c.relkind = 'r' AND c.reltuples = 0`)
	const insufficientPrivilege = "42501"
	var pg *pgconn.PgError
	if err != nil && !(errors.As(err, &pg) && pg.Code == insufficientPrivilege) {
		return fmt.Errorf("remove the statistics of empty tables: %w", err)
	}
	return nil
}
