package db

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals/graph"
)

const (
	// MaxDimensions is how many dimensions a vector may have: more fit no page.
	MaxDimensions = 3800

	mostCovered = 1300 // dimensions of a vector that fits an index tuple
)

// WithReembedLock runs work on a connection of its own while no other process
// changes the embedder of the database. Where one does, it is a
// [graph.CodeConflict].
func WithReembedLock(ctx context.Context, pool Pool, work func(*pgx.Conn) error) error {
	err := WithLock(ctx, pool, LockReembed, work)
	if errors.Is(err, ErrLocked) {
		return &graph.Error{
			Code: graph.CodeConflict, Field: "reembed",
			Message: "another process is at it; wait for it, or stop it and run this again",
		}
	}
	return err
}

// WidenVectorKeys lets in vectors of so many dimensions: where they do not fit
// the keys of the vector tables, those no longer cover them. Reading and
// writing go on. It does again what a crash left half done.
func WidenVectorKeys(ctx context.Context, conn *pgx.Conn, dimensions int) error {
	if dimensions <= mostCovered {
		return nil
	}
	return FitVectorKeys(ctx, conn, dimensions)
}

// FitVectorKeys is [WidenVectorKeys], and makes the keys cover the vectors where
// those fit. Then all vectors in the database must.
func FitVectorKeys(ctx context.Context, conn *pgx.Conn, dimensions int) error {
	keys, err := New(conn).VectorKeys(ctx)
	if err != nil {
		return fmt.Errorf("look at the keys of the vectors: %w", err)
	}
	for _, key := range keys {
		if covering := dimensions <= mostCovered; key.Covering != covering {
			if err := replaceKey(ctx, conn, key.Vectors, covering); err != nil {
				return fmt.Errorf("make another key for %s: %w", key.Vectors, err)
			}
		}
	}
	return nil
}

// replaceKey builds the new key beside the old one and puts it in its place.
func replaceKey(ctx context.Context, conn *pgx.Conn, vectors string, covering bool) error {
	table, old, fresh := pgx.Identifier{"annals", vectors}.Sanitize(), vectors+"_pkey", vectors+"_pkey_next"
	columns := "(group_id, model, " + strings.TrimSuffix(vectors, "_embeddings") + "_id)"
	if covering {
		columns += " INCLUDE (embedding)"
	}
	for _, sql := range []string{
		`DROP INDEX CONCURRENTLY IF EXISTS ` + pgx.Identifier{"annals", fresh}.Sanitize(),
		`CREATE UNIQUE INDEX CONCURRENTLY ` + pgx.Identifier{fresh}.Sanitize() + ` ON ` + table + ` ` + columns,
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return err
		}
	}
	return patiently(ctx, func() error {
		return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, `SET LOCAL lock_timeout = '500ms'`); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, `ALTER TABLE `+table+` DROP CONSTRAINT `+pgx.Identifier{old}.Sanitize()+
				`, ADD CONSTRAINT `+pgx.Identifier{old}.Sanitize()+` PRIMARY KEY USING INDEX `+pgx.Identifier{fresh}.Sanitize())
			return err
		})
	})
}

// SwitchEmbedder puts the vectors of an embedder in force, at one moment for all.
// It waits for those that are writing vectors of the one before.
func SwitchEmbedder(ctx context.Context, conn *pgx.Conn, embedder string, dimensions int) error {
	err := patiently(ctx, func() error {
		return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			q := New(tx)
			if _, err := q.EmbedderLock(ctx); err != nil {
				return err
			}
			return q.EmbedderSwitch(ctx, EmbedderSwitchParams{Embedder: embedder, Dimension: int32(dimensions)}) //nolint:gosec // at most MaxDimensions
		})
	})
	if err != nil {
		return fmt.Errorf("switch to %s: %w", embedder, err)
	}
	return nil
}

// How often a lock is asked for that is not to be waited for long, lest others
// queue behind: for some ten minutes.
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

// explainEmbedder explains the refusal of annals.check_embedder.
func explainEmbedder(err error) error {
	const replaced = "AN002"
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.Code != replaced {
		return err
	}
	return &graph.Error{
		Code: graph.CodeConflict, Field: "embedder",
		Message: pg.Message + "; set ANNALS_EMBEDDER (and ANNALS_EMBEDDING_DIM) to that one and start again", Err: nil,
	}
}
