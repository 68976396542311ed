package model

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"
)

// limits are the limits of this process at a provider's base URL.
type limits struct {
	mu       sync.Mutex
	asked    Config // the numbers requested last
	slots    *semaphore.Weighted
	requests *rate.Limiter
	tokens   *rate.Limiter
}

// allLimits holds the limits of every provider and base URL that the process
// has used. Providers count the calls of all models of a program together.
var allLimits = struct {
	sync.Mutex
	at map[string]*limits
}{at: map[string]*limits{}}

// limitsOf returns the limits of a provider, updated from c.
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

// set applies the numbers of c that are positive and new. Calls in flight keep
// their slots.
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

// perMinute returns a limiter of n per minute with bursts. The burst is
// deducted from the rate, so that no minute exceeds n.
func perMinute(n, burst int) *rate.Limiter {
	return rate.NewLimiter(rate.Limit(float64(max(n-burst, 1))/time.Minute.Seconds()), burst)
}

// acquire waits until a request of an estimated number of tokens may be sent.
// release ends the request and reports the tokens it used.
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
	err := l.WaitN(ctx, min(n, l.Burst())) // WaitN fails for more than a burst
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("wait for the limit of %s a minute: %w", what, ctx.Err())
	default: // the deadline comes before the end of the wait
		return fmt.Errorf("the limit of %s a minute does not allow the call in time: %w", what, context.DeadlineExceeded)
	}
}

// charge deducts tokens after the fact, so that later requests wait longer.
func charge(l *rate.Limiter, n int) {
	if l.Limit() == rate.Inf {
		return
	}
	for now := time.Now(); n > 0; n -= l.Burst() {
		l.ReserveN(now, min(n, l.Burst()))
	}
}
