package annals

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/db"
)

// InGroup runs do in a transaction that is about one group: committed when do
// returns nil, rolled back otherwise, and run anew where the server ended it
// for the sake of others, so that do must bear being run several times. On a
// Client that is bound to the group the database lets the transaction see
// nothing else. With [Client.AddTx] a program changes its own rows and the
// memory together.
func (c *Client) InGroup(ctx context.Context, groupID string, do func(pgx.Tx) error) error {
	if err := c.admit(groupID); err != nil {
		return err
	}
	defer c.wrote(groupID)
	return db.Retrying(ctx, func() error { return pgx.BeginFunc(ctx, c.pool, do) })
}

// InSnapshot runs do in a transaction about one group that reads one state of
// the database throughout and writes nothing.
func (c *Client) InSnapshot(ctx context.Context, groupID string, do func(pgx.Tx) error) error {
	if err := c.admit(groupID); err != nil {
		return err
	}
	return db.Retrying(ctx, func() error {
		return pgx.BeginTxFunc(ctx, c.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, do)
	})
}

// RunExclusively runs work unless work of the same name is under way for the same
// group, in this process or another, and reports whether it did. It does not
// wait. The lock ends with the process, however that ends.
//
// Each call holds one of [MaxExclusive] connections beside the pool, and waits for
// one when all are taken. held fails once that connection was lost: then others
// may have begun.
func (c *Client) RunExclusively(ctx context.Context, groupID, name string, work func(held func() error) error) (bool, error) {
	if err := c.admit(groupID); err != nil {
		return false, err
	}
	conn, err := c.aside.Acquire(ctx)
	if err != nil {
		return false, fmt.Errorf("connect to run %s exclusively: %w", name, err)
	}
	defer conn.Release()
	lock, err := db.TakeLockOn(ctx, conn, c.pool, db.LockExclusive(groupID, name), false)
	if errors.Is(err, db.ErrLocked) || errors.Is(err, db.ErrNoRoom) { // without room it is as if another were running it
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer lock.Release(ctx)
	return true, work(func() error { return lock.Held(ctx) })
}

// MaxExclusive is how many [Client.RunExclusively] of one process can be under way at once.
const MaxExclusive = 50

// asidePool has the connections of [Client.RunExclusively]. They are kept for a minute,
// as making one takes longer than most of what is done meanwhile.
func asidePool(ctx context.Context, pool db.Pool) (*pgxpool.Pool, error) {
	return db.Beneath(ctx, pool, func(config *pgxpool.Config) {
		config.MaxConns, config.MaxConnIdleTime = MaxExclusive, time.Minute
		config.AfterConnect, config.ConnConfig.Tracer = nil, nil
		config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol // leaves no snapshot behind, which would hold back vacuum
	})
}
