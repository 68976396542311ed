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

// limits limits the rate of requests of each caller.
type limits struct {
	perSecond rate.Limit
	callers   perCaller[*rate.Limiter]
}

// perCaller holds a value for each caller, which is one for each API key.
type perCaller[T any] struct {
	mu sync.Mutex
	of map[string]T
}

// get returns the value of a caller, and makes it if there is none.
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

// take counts a request. If it exceeds the rate, take returns how long to wait, else zero.
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

// seconds formats a wait for Retry-After, in whole seconds.
func seconds(wait time.Duration) string { return strconv.Itoa(int(math.Ceil(wait.Seconds()))) }

// fingerprint identifies a secret without revealing it.
func fingerprint(secret string) string {
	hash := sha256.Sum256([]byte("annals:" + secret))
	return hex.EncodeToString(hash[:4])
}
