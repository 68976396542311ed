package model

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"
)

// limits are the limits of a provider on this process, at one base URL.
type limits struct {
	mu       sync.Mutex
	asked    Config // the numbers that were asked for
	slots    *semaphore.Weighted
	requests *rate.Limiter
	tokens   *rate.Limiter
}

// allLimits has those of every provider and base URL the process has used:
// a provider counts what all of a program's models send.
var allLimits = struct {
	sync.Mutex
	at map[string]*limits
}{at: map[string]*limits{}}

// limitsOf returns the limits of a provider, set to what c asks for.
func limitsOf(p provider, c Config) *limits {
	allLimits.Lock()
	defer allLimits.Unlock()
	key := p.name + " " + p.baseURL
	l, known := allLimits.at[key]
	if !known {
		l = newLimits()
		allLimits.at[key] = l
	}
	l.set(c)
	return l
}

func newLimits() *limits {
	return &limits{
		slots:    semaphore.NewWeighted(defaultConcurrency),
		requests: rate.NewLimiter(rate.Inf, 0),
		tokens:   rate.NewLimiter(rate.Inf, 0),
	}
}

// set changes what c names anew. Calls in flight keep the slots they have.
func (l *limits) set(c Config) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := c.Concurrency; n > 0 && n != l.asked.Concurrency {
		l.asked.Concurrency, l.slots = n, semaphore.NewWeighted(int64(n))
	}
	if n := c.RequestsPerMinute; n > 0 && n != l.asked.RequestsPerMinute {
		l.asked.RequestsPerMinute, l.requests = n, perMinute(n, max(1, n/10))
	}
	if n := c.TokensPerMinute; n > 0 && n != l.asked.TokensPerMinute {
		l.asked.TokensPerMinute, l.tokens = n, perMinute(n, max(1, n/2))
	}
}

// perMinute allows n a minute, burst of them at once. What a burst takes is
// taken from the rate, so that no minute sees more than n.
func perMinute(n, burst int) *rate.Limiter {
	return rate.NewLimiter(rate.Limit(float64(max(n-burst, 1))/time.Minute.Seconds()), burst)
}

// acquire waits until a request of so many tokens may be sent. The returned
// function says that it is over and how many tokens it was in the end.
func (l *limits) acquire(ctx context.Context, tokens int) (release func(used int), err error) {
	l.mu.Lock()
	slots, requests, budget := l.slots, l.requests, l.tokens
	l.mu.Unlock()
	if err := wait(ctx, requests, 1, "requests"); err != nil {
		return nil, err
	}
	if err := wait(ctx, budget, tokens, "tokens"); err != nil {
		return nil, err
	}
	if err := slots.Acquire(ctx, 1); err != nil {
		return nil, fmt.Errorf("wait for other calls to the model: %w", err)
	}
	return func(used int) {
		slots.Release(1)
		charge(budget, used-min(tokens, budget.Burst()))
	}, nil
}

func wait(ctx context.Context, l *rate.Limiter, n int, what string) error {
	if l.Limit() == rate.Inf {
		return nil
	}
	err := l.WaitN(ctx, min(n, l.Burst())) // more than a burst can never be had at once
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("wait for the limit of %s a minute: %w", what, ctx.Err())
	default: // the time left is shorter than the wait
		return fmt.Errorf("the limit of %s a minute does not allow the call in time: %w", what, context.DeadlineExceeded)
	}
}

// charge takes tokens that no one waited for; the next requests wait longer.
func charge(l *rate.Limiter, n int) {
	if l.Limit() == rate.Inf {
		return
	}
	for now := time.Now(); n > 0; n -= l.Burst() {
		l.ReserveN(now, min(n, l.Burst()))
	}
}
