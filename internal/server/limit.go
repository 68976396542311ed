package server

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// limits counts the requests of each caller.
type limits struct {
	perSecond rate.Limit
	callers   perCaller[*rate.Limiter]
}

// perCaller has something for each caller. It holds at most one entry a key.
type perCaller[T any] struct {
	mu sync.Mutex
	of map[string]T
}

// get returns what a caller has, which is made where there is nothing yet.
func (p *perCaller[T]) get(caller string, make func() T) T {
	p.mu.Lock()
	defer p.mu.Unlock()
	has, ok := p.of[caller]
	if !ok {
		if p.of == nil {
			p.of = map[string]T{}
		}
		has = make()
		p.of[caller] = has
	}
	return has
}

// take counts a request. It returns how long to wait where that is one too
// many, else zero.
func (l *limits) take(caller string) time.Duration {
	if l.perSecond <= 0 {
		return 0
	}
	limiter := l.callers.get(caller, func() *rate.Limiter { return rate.NewLimiter(l.perSecond, max(1, int(2*l.perSecond))) })
	reserved := limiter.Reserve()
	wait := reserved.Delay()
	if wait > 0 {
		reserved.Cancel()
	}
	return wait
}

// seconds is a wait as Retry-After has it, in whole seconds.
func seconds(wait time.Duration) string { return strconv.Itoa(int(math.Ceil(wait.Seconds()))) }

// fingerprint tells secrets apart without giving them away.
func fingerprint(secret string) string {
	hash := sha256.Sum256([]byte("annals:" + secret))
	return hex.EncodeToString(hash[:4])
}
