package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/annalsdb/annals/db"
)

// ErrBusy says that another process works on the group.
var ErrBusy = errors.New("another process works on the group")

// crowdedPatience is how long to try for the two connections of a pooler that
// working on a group takes.
const crowdedPatience = time.Minute

// lockGroup runs work while no other process works on the group; where one
// does, it waits for that or returns [ErrBusy], as the portion says. held fails
// once the lock is lost.
func (e *Engine) lockGroup(ctx context.Context, groupID string, portion Portion, work func(held func() error) error) error {
	done, err := e.turn(ctx, groupID, portion.wait())
	if err != nil {
		return err
	}
	defer done()
	lock, err := e.lock(ctx, groupID, portion)
	if err != nil {
		return err
	}
	defer func() {
		lock.Release(ctx)
		e.places.leave(false, time.Now())
	}()
	return work(func() error { return lock.Held(ctx) })
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

// lock takes the lock of a group, and a place. Where it must wait it asks again, as
// behind a pooler no statement may wait.
func (e *Engine) lock(ctx context.Context, groupID string, portion Portion) (*db.Lock, error) {
	pause := backoff.NewExponentialBackOff()
	pause.InitialInterval, pause.MaxInterval = 50*time.Millisecond, 2*time.Second
	var crowded time.Time // since when there is no room
	for {
		if err := e.places.take(ctx, portion.Stop); err != nil {
			return nil, err
		}
		lock, err := db.TakeLock(ctx, e.pool, db.LockProcess(groupID), portion.wait())
		if err == nil {
			return lock, nil
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
		locked := errors.Is(err, db.ErrLocked)
		switch {
		case locked && !portion.wait():
			return nil, ErrBusy
		case !locked && !noRoom:
			return nil, fmt.Errorf("process %s: %w", groupID, err)
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
