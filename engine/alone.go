package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v5"
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
	conn, err := db.ConnectToLock(ctx, e.pool)
	if err != nil {
		return fmt.Errorf("process %s: %w", groupID, err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if err := e.takeLock(ctx, conn, groupID, wait); err != nil {
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

// takeLock begins a transaction that has the lock of a group.
func (e *Engine) takeLock(ctx context.Context, conn *pgx.Conn, groupID string, wait bool) error {
	if wait && !db.SuitedToPooler(e.pool) {
		lock, err := conn.Begin(ctx)
		if err == nil {
			err = db.New(lock).GroupLockProcessing(ctx, groupID)
		}
		if err != nil {
			return fmt.Errorf("wait for the other process that works on %s: %w", groupID, err)
		}
		return nil
	}
	// Who waits in a statement keeps a connection of the pooler's from who has the
	// lock, who may need it: so it is asked for again and again.
	pause := backoff.NewExponentialBackOff()
	pause.InitialInterval, pause.MaxInterval = 50*time.Millisecond, 2*time.Second
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := e.tryLock(ctx, conn, groupID)
		if err == nil || wait && (errors.Is(err, ErrBusy) || errors.Is(err, db.ErrNoRoom)) {
			return struct{}{}, err
		}
		return struct{}{}, backoff.Permanent(err)
	}, backoff.WithBackOff(pause), backoff.WithMaxElapsedTime(0))
	if errors.Is(err, db.ErrNoRoom) {
		return ErrBusy
	}
	return err
}

// tryLock begins a transaction that has the lock of a group, unless somebody
// else has it, or a pooler has no connection left to work with.
func (e *Engine) tryLock(ctx context.Context, conn *pgx.Conn, groupID string) error {
	lock, err := conn.Begin(ctx)
	if err != nil {
		return fmt.Errorf("begin processing %s: %w", groupID, err)
	}
	free, err := db.New(lock).GroupTryLockProcessing(ctx, groupID)
	switch {
	case err != nil:
		return fmt.Errorf("see whether somebody works on %s: %w", groupID, err)
	case !free:
		err = ErrBusy
	default:
		err = db.Room(ctx, e.pool)
	}
	if err != nil {
		return errors.Join(err, lock.Rollback(context.WithoutCancel(ctx)))
	}
	return nil
}
