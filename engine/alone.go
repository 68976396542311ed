package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
)

// How many groups one engine works on at once.
const maxGroups = 16

// ErrBusy says that somebody else works on the group.
var ErrBusy = errors.New("somebody else works on the group")

// alone runs work while no other process works on the group, and waits for one
// that does.
func (e *Engine) alone(ctx context.Context, groupID string, work func(keep func() error) error) error {
	return e.lockGroup(ctx, groupID, true, work)
}

// lockGroup runs work while no other process works on the group; where one
// does, it waits for that or returns [ErrBusy]. The lock is held by a
// connection of its own: one of the pool's would be missing to whoever has the
// lock, and with enough who wait, all of them. It goes with its transaction, so
// that it holds behind a pooler too; keep fails when it is lost.
func (e *Engine) lockGroup(ctx context.Context, groupID string, wait bool, work func(keep func() error) error) error {
	done, err := e.turn(ctx, groupID, wait)
	if err != nil {
		return err
	}
	defer done()
	if err := e.groups.Acquire(ctx, 1); err != nil {
		return err
	}
	defer e.groups.Release(1)
	config := e.pool.Config().ConnConfig
	config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol // leaves no snapshot behind, which would hold back vacuum
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("connect to process %s: %w", groupID, err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	lock, err := conn.Begin(ctx)
	if err != nil {
		return fmt.Errorf("begin processing %s: %w", groupID, err)
	}
	if err := takeLock(ctx, db.New(lock), groupID, wait); err != nil {
		return err
	}
	return work(func() error {
		if err := conn.Ping(ctx); err != nil {
			return fmt.Errorf("the connection that keeps others from working on %s was lost: %w", groupID, err)
		}
		return nil
	})
}

// turn is the caller's turn among those of this process.
func (e *Engine) turn(ctx context.Context, groupID string, wait bool) (done func(), err error) {
	if wait {
		return e.turns.wait(ctx, groupID)
	}
	done, ok := e.turns.try(groupID)
	if !ok {
		return nil, ErrBusy
	}
	return done, nil
}

func takeLock(ctx context.Context, q *db.Queries, groupID string, wait bool) error {
	if wait {
		if err := q.GroupLockProcessing(ctx, groupID); err != nil {
			return fmt.Errorf("wait for the other process that works on %s: %w", groupID, err)
		}
		return nil
	}
	free, err := q.GroupTryLockProcessing(ctx, groupID)
	if err != nil {
		return fmt.Errorf("see whether somebody works on %s: %w", groupID, err)
	}
	if !free {
		return ErrBusy
	}
	return nil
}
