package migrations

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pooler"
)

// QueueSchema is where the tables of River are, from which workers take what
// they have to do.
const QueueSchema = "annals_queue"

// queueUp makes the tables of the queue, or brings them to what this version of
// River works with, one process at a time. Where nothing is to be done it needs
// no more than to read.
func queueUp(ctx context.Context, databaseURL string) error {
	return withQueue(ctx, databaseURL, func(pool *pgxpool.Pool, m *rivermigrate.Migrator[pgx.Tx]) error {
		return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error { // holds the lock; the migrations have transactions of their own
			if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", queueLockID); err != nil {
				return fmt.Errorf("wait for others who migrate: %w", err)
			}
			var there bool
			if err := pool.QueryRow(ctx, "SELECT to_regnamespace($1) IS NOT NULL", QueueSchema).Scan(&there); err != nil {
				return fmt.Errorf("look for the queue: %w", err)
			}
			if !there {
				if _, err := pool.Exec(ctx, "CREATE SCHEMA "+QueueSchema); err != nil {
					return explain(err)
				}
			}
			_, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil)
			return explain(err)
		})
	})
}

// CheckQueue is a [graph.CodeConflict] where the queue is not what this version
// of Annals works with.
func CheckQueue(ctx context.Context, pool *pgxpool.Pool) error {
	m, err := migrator(pool)
	if err != nil {
		return err
	}
	found, err := m.Validate(ctx, nil)
	if err != nil || !found.OK {
		return &graph.Error{
			Code: graph.CodeConflict, Field: "database", Message: "has no queue of this version; run 'annals migrate up'", Err: err,
		}
	}
	return nil
}

// QueueVersion is the newest version of the queue's tables there is.
func QueueVersion() (int, error) {
	m, err := migrator(nil)
	if err != nil {
		return 0, err
	}
	all := m.AllVersions()
	return all[len(all)-1].Version, nil
}

func migrator(pool *pgxpool.Pool) (*rivermigrate.Migrator[pgx.Tx], error) {
	m, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Schema: QueueSchema, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, fmt.Errorf("read the migrations of the queue: %w", err)
	}
	return m, nil
}

func withQueue(ctx context.Context, databaseURL string, do func(*pgxpool.Pool, *rivermigrate.Migrator[pgx.Tx]) error) error {
	config, err := pgxpool.ParseConfig(databaseURL)
	if err != nil {
		return &graph.Error{Code: graph.CodeInvalid, Field: "database", Message: "the URL cannot be read", Err: err}
	}
	if _, err := pooler.Suit(ctx, config.ConnConfig); err != nil {
		return unreachable(err)
	}
	config.MaxConns = 2 // one for the lock
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("connect to the queue: %w", err)
	}
	defer pool.Close()
	m, err := migrator(pool)
	if err != nil {
		return err
	}
	return do(pool, m)
}
