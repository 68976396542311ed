// Package lock serialises the processes that work on a group.
package lock

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/annalsdb/annals/db"
)

// ErrBusy reports that another process works on the group.
var ErrBusy = errors.New("another process works on the group")

// crowdedPatience is how long to wait for a connection of a full pooler.
const crowdedPatience = time.Minute

// Locks gives a group to one caller at a time, across all processes.
type Locks struct {
	pool   db.Pool
	places *places
	turns  *Turns
}

// New returns locks on a database.
func New(pool db.Pool) *Locks { return &Locks{pool: pool, places: newPlaces(), turns: &Turns{}} }

// On returns the same locks on another view of the database, such as that of one tenant.
func (l *Locks) On(pool db.Pool) *Locks { return &Locks{pool, l.places, l.turns} }

// Hold runs work once no other process works on the group.
func (l *Locks) Hold(ctx context.Context, groupID string, work func() error) error {
	return l.HoldUntil(ctx, groupID, true, nil, func(func() error) error { return work() })
}

// HoldUntil is [Locks.Hold] that returns [ErrBusy] when stop is closed, or at once if wait is
// false. held fails once the lock is lost.
func (l *Locks) HoldUntil(
	ctx context.Context, groupID string, wait bool, stop <-chan struct{}, work func(held func() error) error,
) error {
	done, err := l.turns.Take(ctx, groupID, wait, stop)
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

// lock takes a place and the lock of a group. It polls, as statements must not wait behind a
// pooler.
func (l *Locks) lock(ctx context.Context, groupID string, wait bool, stop <-chan struct{}) (*db.Lock, error) {
	pause := backoff.NewExponentialBackOff()
	pause.InitialInterval, pause.MaxInterval = 50*time.Millisecond, 2*time.Second
	var crowded time.Time // when the pooler was first full
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

// maxGroups is how many groups an engine works on at once. oneMoreIn is the wait before one more is
// tried after a pooler was full.
const (
	maxGroups   = 16
	oneMoreIn   = time.Minute
	fewestTaken = 1
)

// places bounds how many groups are worked on at once, as each keeps a connection. A pooler may
// have room for fewer, which shows only when it is full.
type places struct {
	mu      sync.Mutex
	taken   int
	most    int
	oneMore time.Time     // when most may grow again
	left    chan struct{} // closed when a place becomes free
}

func newPlaces() *places { return &places{most: maxGroups, left: make(chan struct{})} }

// take waits for a place. It returns [ErrBusy] when stop is closed.
func (p *places) take(ctx context.Context, stop <-chan struct{}) error {
	for {
		left := p.tryTake(time.Now())
		if left == nil {
			return nil
		}
		select {
		case <-left:
		case <-stop:
			return ErrBusy
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// tryTake takes a place, or returns a channel that is closed when one may have become free.
func (p *places) tryTake(now time.Time) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.most < maxGroups && now.After(p.oneMore) {
		p.most, p.oneMore = p.most+1, now.Add(oneMoreIn)
	}
	if p.taken < p.most {
		p.taken++
		return nil
	}
	return p.left
}

// leave frees a place. With tooMany, the number of places is limited for a while to those still
// taken.
func (p *places) leave(tooMany bool, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken--
	if tooMany {
		p.most, p.oneMore = max(p.taken, fewestTaken), now.Add(oneMoreIn)
	}
	close(p.left)
	p.left = make(chan struct{})
}

// Turns makes goroutines that want the same thing wait for each other without holding a connection.
// The zero value is ready to use.
type Turns struct {
	mu     sync.Mutex
	things map[string]*turn
}

// turn is the queue for a thing.
type turn struct {
	token   chan struct{} // held by the goroutine at work
	waiting int           // goroutines in the queue, including the one at work
}

func (t *Turns) join(name string) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.things == nil {
		t.things = map[string]*turn{}
	}
	g := t.things[name]
	if g == nil {
		g = &turn{token: make(chan struct{}, 1)}
		t.things[name] = g
	}
	g.waiting++
	return g
}

// Take waits for the caller's turn. It returns [ErrBusy] when stop is closed, or at once if wait is
// false. done passes the turn on.
func (t *Turns) Take(ctx context.Context, name string, wait bool, stop <-chan struct{}) (done func(), err error) {
	g := t.join(name)
	done = func() { <-g.token; t.leave(name) }
	select {
	case g.token <- struct{}{}:
		return done, nil
	default:
	}
	if !wait {
		t.leave(name)
		return nil, ErrBusy
	}
	select {
	case g.token <- struct{}{}:
		return done, nil
	case <-stop:
		t.leave(name)
		return nil, ErrBusy
	case <-ctx.Done():
		t.leave(name)
		return nil, ctx.Err()
	}
}

func (t *Turns) leave(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	g := t.things[name]
	if g.waiting--; g.waiting == 0 {
		delete(t.things, name)
	}
}
