package engine

import (
	"context"
	"sync"
)

// turns lets those of one process that want to work on the same group wait for
// each other, where waiting costs no connection. The zero value is ready.
type turns struct {
	mu     sync.Mutex
	groups map[string]*turn
}

// turn is who is in line for a group.
type turn struct {
	token   chan struct{} // held by the one who works
	waiting int           // with the one who works
}

// join puts the caller in line.
func (t *turns) join(groupID string) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.groups == nil {
		t.groups = map[string]*turn{}
	}
	g := t.groups[groupID]
	if g == nil {
		g = &turn{token: make(chan struct{}, 1)}
		t.groups[groupID] = g
	}
	g.waiting++
	return g
}

// try reports whether it is the caller's turn at once; done then passes it on.
func (t *turns) try(groupID string) (done func(), ok bool) {
	g := t.join(groupID)
	select {
	case g.token <- struct{}{}:
		return func() { <-g.token; t.leave(groupID) }, true
	default:
		t.leave(groupID)
		return nil, false
	}
}

// wait returns when it is the caller's turn; done passes it on.
func (t *turns) wait(ctx context.Context, groupID string) (done func(), err error) {
	g := t.join(groupID)
	select {
	case g.token <- struct{}{}:
		return func() { <-g.token; t.leave(groupID) }, nil
	case <-ctx.Done():
		t.leave(groupID)
		return nil, ctx.Err()
	}
}

func (t *turns) leave(groupID string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	g := t.groups[groupID]
	if g.waiting--; g.waiting == 0 {
		delete(t.groups, groupID)
	}
}
