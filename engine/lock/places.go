package lock

import (
	"context"
	"sync"
	"time"
)

// How many groups one engine works on at once, and how long it is before one
// more is tried where a pooler had no room for more.
const (
	maxGroups   = 16
	oneMoreIn   = time.Minute
	fewestTaken = 1
)

// places bounds how many groups are worked on at once. Each keeps a connection
// for its lock: behind a pooler there may be room for fewer than maxGroups, which
// shows only when it is full.
type places struct {
	mu      sync.Mutex
	taken   int
	most    int
	oneMore time.Time     // when most may grow
	left    chan struct{} // closed when a place is left
}

func newPlaces() *places { return &places{most: maxGroups, left: make(chan struct{})} }

// take waits for a place. It is [ErrBusy] when stop is closed meanwhile.
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

// tryTake takes a place, or returns what is closed when one may be free.
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

// leave gives a place up. Where it was one too many, for a while no more places are
// taken than are taken now.
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
