package db

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// The names of the locks that a process holds while it works. Migrating has a lock of its own, in
// migrations/alone.go, as it runs before there are queries.
const (
	LockReembed       = "reembed"        // changing the embedder of the database
	LockVectorIndexes = "vector_indexes" // building vector indexes
	LockVacuumErased  = "vacuum_erased"  // vacuuming what erasures touched
)

// LockProcess is the name of the lock for processing a group's episodes.
func LockProcess(groupID string) string { return "process:" + groupID }

// LockExclusive is the name of the lock for some named work on a group.
func LockExclusive(groupID, name string) string { return "alone:" + groupID + ":" + name }

// ErrLocked says that another process has the lock.
var ErrLocked = errors.New("another process has the lock")

// Lock is an advisory lock. A transaction that does nothing else holds it, on a connection outside
// the pool: so it also works behind a pooler, and those who work or wait do not use up the pool.
// Between statements the transaction has no snapshot, which vacuuming and building indexes would
// wait for.
type Lock struct {
	name string
	tx   pgx.Tx
	conn *pgx.Conn // to close; nil: the caller closes it
}

// TakeLock takes a lock on a connection of its own. If another process has it, TakeLock waits or
// fails with [ErrLocked]. Behind a pooler it never waits in a statement, which would keep a
// connection from the holder of the lock: it fails with [ErrLocked] and can be called again. It
// fails with [ErrNoRoom] if the pooler has no connection left to work with.
func TakeLock(ctx context.Context, pool Pool, name string, wait bool) (*Lock, error) {
	conn, err := connect(ctx, pool, func(config *pgx.ConnConfig) { config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol })
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	l, err := TakeLockOn(ctx, conn, pool, name, wait)
	if err != nil {
		return nil, errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
	}
	l.conn = conn
	return l, nil
}

// Beginner is a connection that a transaction can begin on.
type Beginner interface {
	BeginTx(context.Context, pgx.TxOptions) (pgx.Tx, error)
}

// TakeLockOn is [TakeLock] on a connection of the caller's, which uses the simple protocol and does
// nothing else meanwhile.
func TakeLockOn(ctx context.Context, conn Beginner, pool Pool, name string, wait bool) (*Lock, error) {
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	l := &Lock{name: name, tx: tx}
	if err := l.take(ctx, wait && !SuitedToPooler(pool)); err != nil {
		l.Release(ctx)
		return nil, err
	}
	if err := Room(ctx, pool); err != nil {
		l.Release(ctx)
		return nil, err
	}
	return l, nil
}

func (l *Lock) take(ctx context.Context, wait bool) error {
	if wait {
		if err := New(l.tx).LockWait(ctx, l.name); err != nil {
			return fmt.Errorf("wait for the lock %s: %w", l.name, err)
		}
		return nil
	}
	locked, err := New(l.tx).LockTry(ctx, l.name)
	if err != nil {
		return fmt.Errorf("lock %s: %w", l.name, err)
	}
	if !locked {
		return ErrLocked
	}
	return nil
}

// Held fails if the connection was lost: another process may then have the lock.
func (l *Lock) Held(ctx context.Context) error {
	if err := l.tx.Conn().Ping(ctx); err != nil {
		return fmt.Errorf("the connection that holds the lock %s was lost: %w", l.name, err)
	}
	return nil
}

// Release gives up the lock at once. Closing the connection alone would do so only some time later.
func (l *Lock) Release(ctx context.Context) {
	ctx = context.WithoutCancel(ctx)
	_ = l.tx.Rollback(ctx) // a connection that was lost holds nothing
	if l.conn != nil {
		_ = l.conn.Close(ctx)
	}
}

// WithLock runs work on a connection of its own while it holds a lock, or fails with [ErrLocked] at
// once. It does not wait in a statement, which would have a snapshot that the holder's CREATE INDEX
// CONCURRENTLY waits for in turn.
func WithLock(ctx context.Context, pool Pool, name string, work func(*pgx.Conn) error) error {
	lock, err := TakeLock(ctx, pool, name, false)
	if err != nil {
		return err
	}
	defer lock.Release(ctx)
	conn, err := Connect(ctx, pool)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return work(conn)
}
