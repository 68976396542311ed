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

// limits counts the requests of each caller. It holds at most one entry a key.
type limits struct {
	perSecond rate.Limit
	mu        sync.Mutex
	callers   map[string]*rate.Limiter
}

func newLimits(perSecond float64) *limits {
	return &limits{perSecond: rate.Limit(perSecond), callers: map[string]*rate.Limiter{}}
}

// take counts a request. It returns how long to wait where that is one too
// many, else zero.
func (l *limits) take(caller string) time.Duration {
	if l.perSecond <= 0 {
		return 0
	}
	reserved := l.of(caller).Reserve()
	wait := reserved.Delay()
	if wait > 0 {
		reserved.Cancel()
	}
	return wait
}

func (l *limits) of(caller string) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	limiter, ok := l.callers[caller]
	if !ok {
		limiter = rate.NewLimiter(l.perSecond, max(1, int(2*l.perSecond)))
		l.callers[caller] = limiter
	}
	return limiter
}

// seconds is a wait as Retry-After has it, in whole seconds.
func seconds(wait time.Duration) string { return strconv.Itoa(int(math.Ceil(wait.Seconds()))) }

// fingerprint tells secrets apart without giving them away.
func fingerprint(secret string) string {
	hash := sha256.Sum256([]byte("annals:" + secret))
	return hex.EncodeToString(hash[:4])
}
