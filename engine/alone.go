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

// ErrBusy says that somebody else works on the group.
var ErrBusy = errors.New("somebody else works on the group")

// crowdedPatience is how long it is tried to get the two connections of a pooler
// that working on a group takes.
const crowdedPatience = time.Minute

// alone runs work while no other process works on the group, and waits for one
// that does.
func (e *Engine) alone(ctx context.Context, groupID string, work func(keep func() error) error) error {
	return e.lockGroup(ctx, groupID, Portion{}, work)
}

// lockGroup runs work while no other process works on the group; where one
// does, it waits for that or returns [ErrBusy], as the portion says. The lock is
// held by a connection of its own: one of the pool's would be missing to whoever
// has the lock, and with enough who wait, all of them. It goes with its
// transaction, so that it holds behind a pooler too; keep fails when it is lost.
func (e *Engine) lockGroup(ctx context.Context, groupID string, portion Portion, work func(keep func() error) error) error {
	done, err := e.turn(ctx, groupID, portion.wait())
	if err != nil {
		return err
	}
	defer done()
	conn, err := e.lock(ctx, groupID, portion)
	if err != nil {
		return err
	}
	defer func() {
		_ = conn.Close(context.WithoutCancel(ctx))
		e.places.leave(false, time.Now())
	}()
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

// lock is a connection with a transaction that has the lock of a group, and a
// place. Behind a pooler nobody waits in a statement, which would keep a
// connection from who has the lock and may need it: it is asked for again.
func (e *Engine) lock(ctx context.Context, groupID string, portion Portion) (*pgx.Conn, error) {
	pause := backoff.NewExponentialBackOff()
	pause.InitialInterval, pause.MaxInterval = 50*time.Millisecond, 2*time.Second
	var crowded time.Time // since when there is no room
	for {
		if err := e.places.take(ctx, portion.Stop); err != nil {
			return nil, err
		}
		conn, err := e.connectToLock(ctx, groupID, portion.wait())
		if err == nil {
			return conn, nil
		}
		noRoom := errors.Is(err, db.ErrNoRoom)
		e.places.leave(noRoom, time.Now())
		switch {
		case !noRoom:
			crowded = time.Time{}
		case crowded.IsZero():
			crowded = time.Now()
		case time.Since(crowded) > crowdedPatience:
			return nil, err
		}
		if !noRoom && !(portion.wait() && errors.Is(err, ErrBusy)) {
			return nil, err
		}
		select {
		case <-time.After(pause.NextBackOff()):
		case <-portion.Stop:
			return nil, ErrBusy
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (e *Engine) connectToLock(ctx context.Context, groupID string, wait bool) (*pgx.Conn, error) {
	conn, err := db.ConnectToLock(ctx, e.pool)
	if err != nil {
		return nil, fmt.Errorf("process %s: %w", groupID, err)
	}
	if err := e.takeLock(ctx, conn, groupID, wait); err != nil {
		return nil, errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
	}
	return conn, nil
}

// takeLock begins a transaction that has the lock of a group. It is [ErrBusy]
// where somebody else has it who is not waited for, and [db.ErrNoRoom] where a
// pooler has no connection left to work with.
func (e *Engine) takeLock(ctx context.Context, conn *pgx.Conn, groupID string, wait bool) error {
	lock, err := conn.Begin(ctx)
	if err != nil {
		return fmt.Errorf("begin processing %s: %w", groupID, err)
	}
	if wait && !db.SuitedToPooler(e.pool) {
		if err := db.New(lock).GroupLockProcessing(ctx, groupID); err != nil {
			return fmt.Errorf("wait for the other process that works on %s: %w", groupID, err)
		}
		return nil
	}
	free, err := db.New(lock).GroupTryLockProcessing(ctx, groupID)
	if err != nil {
		return fmt.Errorf("see whether somebody works on %s: %w", groupID, err)
	}
	if !free {
		return ErrBusy
	}
	return db.Room(ctx, e.pool)
}
