package resend

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestDo(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name       string
		statuses   []int // in turn, the last one for ever
		retryAfter string
		policy     Policy
		want       int
		tries      int32
	}{
		{"at once", []int{200}, "", Policy{}, 200, 1},
		{"asked to come again", []int{429, 503, 200}, "0", Policy{Pause: time.Millisecond}, 200, 3},
		{"after a second", []int{429, 200}, "1", Policy{Pause: time.Millisecond}, 200, 2},
		{"never", []int{503}, "", Policy{Tries: 3, Pause: time.Millisecond}, 503, 3},
		{"too long", []int{429}, "3600", Policy{Pause: time.Millisecond}, 429, 1},
		{"refused", []int{422}, "1", Policy{}, 422, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var tries atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				n := int(tries.Add(1))
				if body, err := io.ReadAll(r.Body); err != nil || string(body) != "said" {
					t.Errorf("try %d sends %q (%v)", n, body, err)
				}
				w.Header().Set("Retry-After", tt.retryAfter)
				w.WriteHeader(tt.statuses[min(n, len(tt.statuses))-1])
			}))
			defer server.Close()
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader("said"))
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			response, err := tt.policy.Do(t.Context(), server.Client(), request, false)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			if response.StatusCode != tt.want || tries.Load() != tt.tries {
				t.Errorf("%d after %d tries, want %d after %d", response.StatusCode, tries.Load(), tt.want, tt.tries)
			}
			if tt.retryAfter == "1" && tt.want == 200 && time.Since(began) < time.Second {
				t.Errorf("it came again after %v, asked for a second", time.Since(began))
			}
		})
	}
}

// A request without an answer is repeated only if it may be executed twice.
// Nothing is sent after the caller gave up.
func TestNoAnswer(t *testing.T) {
	t.Parallel()
	var tries atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		tries.Add(1)
		panic(http.ErrAbortHandler)
	}))
	defer server.Close()
	for _, tt := range []struct {
		repeatable bool
		tries      int32
	}{{false, 1}, {true, 3}} {
		tries.Store(0)
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		transport := &http.Transport{DisableKeepAlives: true} // which would send again by itself
		response, err := Policy{Tries: 3, Pause: time.Millisecond}.Do(t.Context(), &http.Client{Transport: transport}, request, tt.repeatable)
		if err == nil {
			_ = response.Body.Close()
			t.Error("an answer")
		}
		if tries.Load() < tt.tries || !tt.repeatable && tries.Load() > 1 {
			t.Errorf("repeatable %t: %d tries, want %d", tt.repeatable, tries.Load(), tt.tries)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if response, err := (Policy{}).Do(ctx, server.Client(), request, true); !errors.Is(err, context.Canceled) {
		_ = response.Body.Close()
		t.Errorf("after the caller gave up: %v", err)
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	for written, want := range map[string]time.Duration{
		"": 0, "soon": 0, "-1": 0, "3": 3 * time.Second, "99999999999": 0,
		"Mon, 23 Nov 2026 12:00:05 GMT": 5 * time.Second, "Mon, 23 Nov 2026 11:00:05 GMT": 0,
	} {
		if got := retryAfter(written, now); got != want {
			t.Errorf("%q is %v, want %v", written, got, want)
		}
	}
}
