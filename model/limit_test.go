package model

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// sent is a request that passed the limits.
type sent struct {
	at     time.Time
	tokens int
}

// send sends prompts of these sizes as soon as the limits allow.
func send(t *testing.T, perMinute int, sizes []int) []sent {
	var all []sent
	synctest.Test(t, func(t *testing.T) {
		l := newLimits()
		l.set(Config{TokensPerMinute: perMinute})
		for _, size := range sizes {
			release, err := l.acquire(t.Context(), size)
			if err != nil {
				t.Error(err)
				return
			}
			all = append(all, sent{time.Now(), size})
			release(size)
		}
	})
	return all
}

func TestNoMinuteSeesMoreThanItsLimit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		perMinute := rapid.IntRange(1, 100_000).Draw(rt, "per minute")
		sizes := rapid.SliceOfN(rapid.IntRange(1, max(1, perMinute/2)), 1, 40).Draw(rt, "sizes")
		all := send(t, perMinute, sizes)
		for i, first := range all {
			sum := 0
			for _, one := range all[i:] {
				if one.at.Sub(first.at) < time.Minute-time.Millisecond {
					sum += one.tokens
				}
			}
			if sum > max(perMinute, 2) { // 1 a minute is one at once and one at its end
				rt.Fatalf("a minute saw %d tokens, the limit is %d", sum, perMinute)
			}
		}
	})
}

func TestTokensNobodyGuessedAreWaitedForLater(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLimits()
		l.set(Config{TokensPerMinute: 600}) // half at once, then 5 a second
		for range 2 {
			release, err := l.acquire(t.Context(), 100)
			if err != nil {
				t.Fatal(err)
			}
			release(800)
		}
		started := time.Now()
		if _, err := l.acquire(t.Context(), 100); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(started); waited < 2*time.Minute || waited > 4*time.Minute {
			t.Errorf("after twice 700 tokens too many the wait is %s", waited)
		}
	})
}

func TestLimitsOfOneProviderAreShared(t *testing.T) {
	t.Parallel()
	p := provider{name: "test", baseURL: "http://" + t.Name()}
	first := limitsOf(p, Config{Concurrency: 1})
	if limitsOf(p, Config{}) != first || limitsOf(provider{name: "test", baseURL: "http://elsewhere"}, Config{}) == first {
		t.Fatal("limits are not those of the provider and its address")
	}
	release, err := first.acquire(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	limitsOf(p, Config{Concurrency: 1}) // the same again changes nothing
	full, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := first.acquire(full, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want to wait for the only slot", err)
	}
	limitsOf(p, Config{Concurrency: 2})
	more, err := first.acquire(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	more(1)
	release(1)
}
