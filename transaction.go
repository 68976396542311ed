package annals

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// InGroup runs do in a transaction about one group. It commits if do returns nil and rolls back
// otherwise. If the server ends the transaction in favour of others, it runs do again, so do must
// be repeatable. On a Client that is bound to the group, the transaction sees no other group's
// rows. Together with [Client.AddTx] it lets a program change its own rows and the memory at once.
func (c *Client) InGroup(ctx context.Context, groupID string, do func(pgx.Tx) error) error {
	if err := c.admit(groupID); err != nil {
		return err
	}
	defer c.wrote(groupID)
	return db.Retrying(ctx, func() error { return pgx.BeginFunc(ctx, c.pool, do) })
}

// InSnapshot runs do in a read-only transaction about one group that sees a single state of the
// database. It runs do again if the server ends the transaction in favour of others.
func (c *Client) InSnapshot(ctx context.Context, groupID string, do func(pgx.Tx) error) error {
	if err := c.admit(groupID); err != nil {
		return err
	}
	return db.Retrying(ctx, func() error {
		return pgx.BeginTxFunc(ctx, c.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, do)
	})
}

// RunExclusively runs work, unless work of the same name is in progress for the same group, in this
// process or another. It reports whether it ran work. It does not wait for the other. The lock ends
// with the process, even if that crashes.
//
// Each call holds one of [MaxExclusive] connections outside the pool, and waits for one if all are
// in use. held returns an error once that connection is lost: from then on another process may have
// started.
func (c *Client) RunExclusively(ctx context.Context, groupID, name string, work func(held func() error) error) (bool, error) {
	if err := cmp.Or(c.admit(groupID), graph.ValidateText("name", name, math.MaxInt)); err != nil {
		return false, err
	}
	conn, err := c.aside.Acquire(ctx)
	if err != nil {
		return false, fmt.Errorf("connect to run %s exclusively: %w", name, err)
	}
	defer conn.Release()
	lock, err := db.TakeLockOn(ctx, conn, c.pool, db.LockExclusive(groupID, name), false)
	if errors.Is(err, db.ErrLocked) || errors.Is(err, db.ErrNoRoom) { // no room for locks: treated as if another process ran it
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer lock.Release(ctx)
	return true, work(func() error { return lock.Held(ctx) })
}

// MaxExclusive is the maximum number of [Client.RunExclusively] calls at the same time in one
// process.
const MaxExclusive = 50

// asidePool returns the pool of connections for [Client.RunExclusively]. Idle ones are kept for a
// minute, since connecting takes longer than most of the work.
func asidePool(ctx context.Context, pool db.Pool) (*pgxpool.Pool, error) {
	return db.Beneath(ctx, pool, func(config *pgxpool.Config) {
		config.MaxConns, config.MaxConnIdleTime = MaxExclusive, time.Minute
		config.AfterConnect, config.ConnConfig.Tracer = nil, nil
		config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol // keeps no snapshot open, which would hold back vacuum
	})
}
