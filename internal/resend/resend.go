// Package resend sends requests of HTTP again where a server asks to come again.
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

// Policy says how often a request is sent, and when.
type Policy struct {
	Tries   uint          // in all; 0: defaultTries
	Pause   time.Duration // before the second try; each further one waits longer. 0: half a second
	Longest time.Duration // a server that asks for more is not waited for; 0: two minutes
}

const (
	defaultTries   = 6
	defaultPause   = 500 * time.Millisecond
	defaultLongest = 2 * time.Minute
	longestPause   = 20 * time.Second
)

// Do sends a request until it is answered with a status other than 429, 502, 503
// or 504, and returns the last answer. Between tries it waits as long as Retry-After
// says. Where repeatable, a request that got no answer is sent again too: say so of
// those alone that may be done twice.
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
		_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10)) // so that the connection is used again
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

// retryAfter reads the header: seconds, or a date.
func retryAfter(written string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(written); err == nil && seconds >= 0 && seconds < 1<<31 {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(written); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}
