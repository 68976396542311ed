package embeddings

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// MaxDimensions is the most dimensions of a vector: more do not fit a page.
const MaxDimensions = 3800

// WithEmbedderLock runs work on a connection of its own while no other process changes the embedder
// of the database. It fails with [graph.CodeConflict] if one does.
func WithEmbedderLock(ctx context.Context, pool db.Pool, work func(*pgx.Conn) error) error {
	err := db.WithLock(ctx, pool, db.LockReembed, work)
	if errors.Is(err, db.ErrLocked) {
		return &graph.Error{
			Code: graph.CodeConflict, Field: "reembed",
			Message: "another process is at it; wait for it, or stop it and run this again",
		}
	}
	return err
}

// SwitchEmbedder makes an embedder the one in force, for all groups at one moment. It waits for
// transactions that write vectors of the former one.
func SwitchEmbedder(ctx context.Context, conn *pgx.Conn, embedder string, dimensions int) error {
	err := patiently(ctx, func() error {
		return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			q := db.New(tx)
			if _, err := q.EmbedderLock(ctx); err != nil {
				return err
			}
			return q.EmbedderSwitch(ctx, db.EmbedderSwitchParams{Embedder: embedder, Dimension: int32(dimensions)}) //nolint:gosec // at most MaxDimensions
		})
	})
	if err != nil {
		return fmt.Errorf("switch to %s: %w", embedder, err)
	}
	return nil
}

// How often to try for a lock that must not be waited for in a statement, as others would queue
// behind it: for some ten minutes.
const (
	attempts     = 600
	betweenLocks = 500 * time.Millisecond
)

// patiently tries again while a lock cannot be had.
func patiently(ctx context.Context, try func() error) error {
	for i := 1; ; i++ {
		err := try()
		var pg *pgconn.PgError
		if !errors.As(err, &pg) || pg.Code != "55P03" { // lock_not_available
			return err
		}
		if i == attempts {
			return &graph.Error{
				Code: graph.CodeConflict, Field: "database",
				Message: "is held up by a transaction that does not end; end it (see pg_stat_activity), and run this again", Err: pg,
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(betweenLocks):
		}
	}
}

// Vacuum does to the tables of vectors at once what autovacuum does later: it marks rows as
// visible, which index-only scans need, and renews the statistics for the planner.
func Vacuum(ctx context.Context, pool db.Pool) error {
	_, err := pool.Exec(ctx, `VACUUM (ANALYZE) annals_internal.episode_embeddings, annals_internal.entity_embeddings, annals_internal.fact_embeddings,
		annals_internal.community_embeddings`)
	if err != nil {
		return fmt.Errorf("vacuum the vectors: %w", err)
	}
	return nil
}
