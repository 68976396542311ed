package agent

import (
	"context"
	"sync"
)

// gates let one goroutine of the process run an agent at a time, so that those
// that wait hold no connections.
type gates struct {
	mu    sync.Mutex
	queue map[string]*gate
}

type gate struct {
	turn    chan struct{} // holds a token while it is free
	waiting int
}

func newGates() *gates { return &gates{queue: map[string]*gate{}} }

// enter waits until the gate is free.
func (g *gates) enter(ctx context.Context, name string) (leave func(), err error) {
	g.mu.Lock()
	one, ok := g.queue[name]
	if !ok {
		one = &gate{turn: make(chan struct{}, 1)}
		one.turn <- struct{}{}
		g.queue[name] = one
	}
	one.waiting++
	g.mu.Unlock()
	done := func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if one.waiting--; one.waiting == 0 {
			delete(g.queue, name)
		}
	}
	select {
	case <-one.turn:
		return func() { one.turn <- struct{}{}; done() }, nil
	case <-ctx.Done():
		done()
		return nil, ctx.Err()
	}
}
