// Package resend repeats HTTP requests that a server asks to send again.
package resend

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// Policy says how often and when a request is repeated.
type Policy struct {
	Tries   uint          // total; 0: defaultTries
	Pause   time.Duration // before the second try; later pauses grow. 0: half a second
	Longest time.Duration // limit of Retry-After, beyond which it gives up; 0: two minutes
}

const (
	defaultTries   = 6
	defaultPause   = 500 * time.Millisecond
	defaultLongest = 2 * time.Minute
	longestPause   = 20 * time.Second
)

// Do sends a request until the status is none of 429, 502, 503 and 504, and returns
// the last response. Between tries it waits as long as Retry-After says. If
// repeatable, it also repeats a request that got no response. Set that only for
// requests that may be executed twice.
func (p Policy) Do(ctx context.Context, client *http.Client, request *http.Request, repeatable bool) (*http.Response, error) {
	p = p.withDefaults()
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval, pauses.MaxInterval = p.Pause, max(longestPause, p.Pause)
	var tried uint
	return backoff.Retry(ctx, func() (*http.Response, error) {
		tried++
		response, err := send(ctx, client, request)
		if err != nil {
			if ctx.Err() != nil || !repeatable {
				err = backoff.Permanent(err)
			}
			return nil, err
		}
		if !comeAgain(response.StatusCode) || tried == p.Tries {
			return response, nil
		}
		wait := retryAfter(response.Header.Get("Retry-After"), time.Now())
		if wait > p.Longest {
			return response, nil
		}
		_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10)) // to reuse the connection
		_ = response.Body.Close()
		if wait > 0 {
			return nil, &backoff.RetryAfterError{Duration: wait}
		}
		return nil, errors.New(response.Status)
	}, backoff.WithBackOff(pauses), backoff.WithMaxTries(p.Tries), backoff.WithMaxElapsedTime(0))
}

func (p Policy) withDefaults() Policy {
	if p.Tries == 0 {
		p.Tries = defaultTries
	}
	if p.Pause == 0 {
		p.Pause = defaultPause
	}
	if p.Longest == 0 {
		p.Longest = defaultLongest
	}
	return p
}

func send(ctx context.Context, client *http.Client, request *http.Request) (*http.Response, error) {
	r := request.Clone(ctx)
	if request.GetBody != nil {
		body, err := request.GetBody()
		if err != nil {
			return nil, err
		}
		r.Body = body
	}
	return client.Do(r)
}

func comeAgain(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// retryAfter parses the header: seconds or a date.
func retryAfter(written string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(written); err == nil && seconds >= 0 && seconds < 1<<31 {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(written); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}
