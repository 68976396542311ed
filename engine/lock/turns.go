package lock

import (
	"context"
	"sync"
)

// Turns lets those of one process that want to work on the same thing wait for each
// other, where waiting costs no connection. The zero value is ready.
type Turns struct {
	mu     sync.Mutex
	things map[string]*turn
}

// turn is who is in line for a thing.
type turn struct {
	token   chan struct{} // held by the one who works
	waiting int           // with the one who works
}

// join puts the caller in line.
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

// Take returns when it is the caller's turn; done passes it on. Who may not wait gets
// [ErrBusy] where it is not the caller's turn at once.
func (t *Turns) Take(ctx context.Context, name string, wait bool) (done func(), err error) {
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
