package db

import (
	"context"
	"fmt"
	"log/slog"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/internal/pooler"
)

// Borrow wraps the pool of an application, which has its own use for it and closes it. It leaves
// the connections as they are: it registers no types, as that would change what the application
// reads from them, it sets nothing for longer than a transaction, and it waits for no second
// connection while it has one.
//
// An unreachable database is a [graph.CodeUnavailable].
func Borrow(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger) (Pool, error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return nil, explainConnect(err)
	}
	defer conn.Release()
	behind, err := pooler.Behind(ctx, conn.Conn())
	if err != nil {
		return nil, explainConnect(err)
	}
	if behind && pool.Config().ConnConfig.DefaultQueryExecMode == pgx.QueryExecModeCacheStatement {
		log.WarnContext(ctx, "the pool of the application prepares statements and stands behind a pooler, which fails unless that keeps track of them: "+
			"set its ConnConfig.DefaultQueryExecMode to pgx.QueryExecModeCacheDescribe or pgx.QueryExecModeExec")
	}
	return borrowed{pool}, nil
}

func isBorrowed(pool Pool) bool {
	if t, bound := pool.(tenant); bound {
		pool = t.pool
	}
	if s, is := pool.(clusterPool); is {
		pool = s.Pool
	}
	_, borrowed := pool.(borrowed)
	return borrowed
}

// borrowed runs statements on connections on which our types are not registered.
type borrowed struct{ *pgxpool.Pool }

func (b borrowed) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return b.Pool.Exec(ctx, sql, plain(args)...)
}

func (b borrowed) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return b.Pool.Query(ctx, sql, plain(args)...)
}

func (b borrowed) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return b.Pool.QueryRow(ctx, sql, plain(args)...)
}

func (b borrowed) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	return b.Pool.SendBatch(ctx, plainBatch(batch))
}

func (b borrowed) Begin(ctx context.Context) (pgx.Tx, error) { return b.BeginTx(ctx, pgx.TxOptions{}) }

func (b borrowed) BeginTx(ctx context.Context, options pgx.TxOptions) (pgx.Tx, error) {
	tx, err := b.Pool.BeginTx(ctx, options)
	return BorrowTx(tx), err
}

// BorrowTx wraps a transaction of the caller's, on a connection on which our types are not
// registered.
func BorrowTx(tx pgx.Tx) pgx.Tx {
	if tx == nil {
		return nil
	}
	return borrowedTx{tx}
}

type borrowedTx struct{ pgx.Tx }

func (t borrowedTx) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return t.Tx.Exec(ctx, sql, plain(args)...)
}

func (t borrowedTx) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return t.Tx.Query(ctx, sql, plain(args)...)
}

func (t borrowedTx) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return t.Tx.QueryRow(ctx, sql, plain(args)...)
}

func (t borrowedTx) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	return t.Tx.SendBatch(ctx, plainBatch(batch))
}

func (t borrowedTx) Begin(ctx context.Context) (pgx.Tx, error) {
	tx, err := t.Tx.Begin(ctx)
	return BorrowTx(tx), err
}

// plain turns arguments into types that every connection can send, even one that does not ask the
// server for the expected types (exec, simple_protocol). Of our arguments only lists of ids need
// it.
func plain(args []any) []any {
	sent := args
	for i, arg := range args {
		if ids, ok := arg.([]uuid.UUID); ok {
			if &sent[0] == &args[0] {
				sent = slices.Clone(args) // the caller may send its slice again
			}
			sent[i] = plainIDs(ids)
		}
	}
	return sent
}

func plainIDs(ids []uuid.UUID) pgtype.FlatArray[pgtype.UUID] {
	if ids == nil {
		return nil
	}
	sent := make(pgtype.FlatArray[pgtype.UUID], len(ids))
	for i, id := range ids {
		sent[i] = pgtype.UUID{Bytes: id, Valid: true}
	}
	return sent
}

func plainBatch(batch *pgx.Batch) *pgx.Batch {
	for _, queued := range batch.QueuedQueries {
		queued.Arguments = plain(queued.Arguments)
	}
	return batch
}

// Connect opens a connection outside the pool, with the pool's settings: for work that must run
// outside of transactions, or while one is held.
func Connect(ctx context.Context, pool Pool) (*pgx.Conn, error) {
	return connect(ctx, pool, func(*pgx.ConnConfig) {})
}

func connect(ctx context.Context, pool Pool, set func(*pgx.ConnConfig)) (*pgx.Conn, error) {
	config := pool.Config()
	if config.BeforeConnect != nil { // a password may come from there
		if err := config.BeforeConnect(ctx, config.ConnConfig); err != nil {
			return nil, fmt.Errorf("prepare to connect: %w", err)
		}
	}
	set(config.ConnConfig)
	conn, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	return conn, nil
}

// Beneath opens a pool of our own with the settings of another pool. Of that pool's hooks it keeps
// only BeforeConnect, which may set a password.
func Beneath(ctx context.Context, pool Pool, set func(*pgxpool.Config)) (*pgxpool.Pool, error) {
	config := pool.Config()
	config.AfterConnect, config.PrepareConn, config.AfterRelease, config.BeforeClose = registerTypes, nil, nil, nil
	config.MinConns, config.MinIdleConns = 0, 0
	set(config)
	opened, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open a pool of connections beside: %w", err)
	}
	return opened, nil
}
