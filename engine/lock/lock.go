// Package lock lets one process at a time work on a group.
package lock

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

// Locks gives a group to one caller at a time, among all processes.
type Locks struct {
	pool   db.Pool
	places *places
	turns  *Turns
}

// New returns locks on a database.
func New(pool db.Pool) *Locks { return &Locks{pool: pool, places: newPlaces(), turns: &Turns{}} }

// On returns the same locks on another view of the same database, such as that of
// one tenant.
func (l *Locks) On(pool db.Pool) *Locks { return &Locks{pool, l.places, l.turns} }

// Hold runs work once no other process works on the group.
func (l *Locks) Hold(ctx context.Context, groupID string, work func() error) error {
	return l.HoldUntil(ctx, groupID, true, nil, func(func() error) error { return work() })
}

// HoldUntil is [Locks.Hold] that returns [ErrBusy] when stop is closed while it waits,
// and, unless it may wait, where another process works on the group. held fails once the
// lock is lost.
func (l *Locks) HoldUntil(
	ctx context.Context, groupID string, wait bool, stop <-chan struct{}, work func(held func() error) error,
) error {
	done, err := l.turns.Take(ctx, groupID, wait)
	if err != nil {
		return err
	}
	defer done()
	lock, err := l.lock(ctx, groupID, wait, stop)
	if err != nil {
		return err
	}
	defer func() {
		lock.Release(ctx)
		l.places.leave(false, time.Now())
	}()
	return work(func() error { return lock.Held(ctx) })
}

// lock takes the lock of a group, and a place. Where it must wait it asks again, as
// behind a pooler no statement may wait.
func (l *Locks) lock(ctx context.Context, groupID string, wait bool, stop <-chan struct{}) (*db.Lock, error) {
	pause := backoff.NewExponentialBackOff()
	pause.InitialInterval, pause.MaxInterval = 50*time.Millisecond, 2*time.Second
	var crowded time.Time // since when there is no room
	for {
		if err := l.places.take(ctx, stop); err != nil {
			return nil, err
		}
		lock, err := db.TakeLock(ctx, l.pool, db.LockProcess(groupID), wait)
		if err == nil {
			return lock, nil
		}
		noRoom, locked := errors.Is(err, db.ErrNoRoom), errors.Is(err, db.ErrLocked)
		l.places.leave(noRoom, time.Now())
		switch {
		case locked && !wait:
			return nil, ErrBusy
		case locked:
			crowded = time.Time{}
		case !noRoom:
			return nil, fmt.Errorf("process %s: %w", groupID, err)
		case crowded.IsZero():
			crowded = time.Now()
		case time.Since(crowded) > crowdedPatience:
			return nil, err
		}
		select {
		case <-time.After(pause.NextBackOff()):
		case <-stop:
			return nil, ErrBusy
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
