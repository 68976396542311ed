package model

import (
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
)

const (
	maxResponse   = 4 << 20 // bytes of a response that are read
	maxBackoff    = 30 * time.Second
	maxRetryAfter = 2 * time.Minute // a longer Retry-After is not waited for
	maxTimeouts   = 2               // tries that may time out
)

// transport sends the requests of langchaingo's clients. It adds what they
// lack: retries that respect Retry-After, limits, a timeout for each try,
// structured output, errors that keep their cause.
type transport struct {
	base     http.RoundTripper
	provider provider
	key      string
	timeout  time.Duration
	backoff  time.Duration
	tries    uint
	limits   *limits
	log      *slog.Logger
}

// connections keeps idle connections for as many calls as are usually in
// flight.
var connections = func() http.RoundTripper {
	t, ok := http.DefaultTransport.(*http.Transport)
	if !ok { // a program has replaced it
		return http.DefaultTransport
	}
	t = t.Clone()
	t.MaxIdleConnsPerHost = 2 * defaultConcurrency
	return t
}()

// client returns an HTTP client for a provider that sends through a transport.
// Any status but 200 becomes a [*CallError], which is also stored in the
// exchange of the request's context.
func (p provider) client(c Config) *http.Client {
	c = c.withDefaults()
	t := &transport{
		base: connections, provider: p, key: c.APIKey,
		timeout: c.Timeout, backoff: c.Backoff, tries: uint(max(c.Retries, 0)) + 1,
		limits: limitsOf(p, c), log: c.Log,
	}
	if c.HTTPClient != nil && c.HTTPClient.Transport != nil {
		t.base = c.HTTPClient.Transport
	}
	return &http.Client{
		Transport: t,
		// A redirect would send the key to another address.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// RoundTrip sends a request, with retries.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	x := exchangeOf(r.Context())
	body, err := requestBody(r)
	if err == nil {
		body, err = t.provider.rewrite(body, x)
	}
	if err != nil {
		x.err = err
		return nil, err
	}
	response, err := backoff.Retry(r.Context(), t.tryAgain(r, body, x),
		backoff.WithBackOff(t.pauses()), backoff.WithMaxTries(t.tries), backoff.WithMaxElapsedTime(0),
		backoff.WithNotify(func(_ error, wait time.Duration) {
			t.log.WarnContext(r.Context(), "a call to a model failed and is tried again", "error", x.err, "wait", wait)
		}))
	if err == nil {
		return response, nil
	}
	if r.Context().Err() != nil {
		x.err = r.Context().Err()
	}
	return nil, x.err
}

// pauses returns the pauses between tries, which double within bounds.
func (t *transport) pauses() *backoff.ExponentialBackOff {
	p := backoff.NewExponentialBackOff()
	p.InitialInterval, p.MaxInterval, p.Multiplier = t.backoff, max(maxBackoff, t.backoff), 2
	return p
}

// tryAgain returns the operation for the retry loop: a try whose error says
// whether to retry.
func (t *transport) tryAgain(r *http.Request, body []byte, x *exchange) backoff.Operation[*http.Response] {
	timeouts := 0
	return func() (*http.Response, error) {
		response, err := t.try(r, body, x)
		if errors.Is(err, errTimeout) {
			timeouts++
		}
		return response, worthRetrying(err, timeouts)
	}
}

func requestBody(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	body, err := io.ReadAll(r.Body)
	return body, errors.Join(err, r.Body.Close())
}

// try sends the request once, when the limits allow it, and records the outcome
// in x.
func (t *transport) try(r *http.Request, body []byte, x *exchange) (*http.Response, error) {
	release, err := t.limits.acquire(r.Context(), len(body)/4)
	if err != nil {
		x.err = err
		return nil, err
	}
	started := time.Now()
	response, data, err := t.send(r, body)
	this := attempt{latency: time.Since(started), err: err}
	if err == nil {
		seen := t.provider.dialect.inspect(data)
		this.usage, x.answered, x.cut, x.refusal = seen.usage.countable(), seen.answered, seen.cut, seen.refusal
	}
	release(this.usage.input + this.usage.output)
	if reached(err) {
		x.attempts = append(x.attempts, this)
	}
	x.err = err
	return response, err
}

// send returns the complete response, or an error.
func (t *transport) send(r *http.Request, body []byte) (*http.Response, []byte, error) {
	ctx, cancel := context.WithTimeout(r.Context(), t.timeout)
	defer cancel()
	again := r.Clone(ctx)
	again.Body = io.NopCloser(bytes.NewReader(body))
	again.ContentLength = int64(len(body))
	again.GetBody = nil
	if t.provider.dialect == ollamaChat && t.key != "" {
		again.Header.Set("Authorization", "Bearer "+t.key)
	}
	response, err := t.base.RoundTrip(again)
	if err != nil {
		return nil, nil, t.broken(r.Context(), ctx, err)
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, maxResponse+1))
	_ = response.Body.Close()
	switch {
	case err != nil:
		return nil, nil, t.broken(r.Context(), ctx, fmt.Errorf("the connection broke in the middle of the answer: %w", err))
	case response.StatusCode != http.StatusOK:
		return nil, nil, t.failed(response, data)
	case len(data) > maxResponse:
		return nil, nil, &CallError{Provider: t.provider.name, Message: fmt.Sprintf("the answer is larger than %d MiB", maxResponse>>20), Err: errTooLarge}
	}
	if status, said := t.provider.dialect.failedWithin(data); status != 0 {
		response.StatusCode = status
		return nil, nil, t.failed(response, said)
	}
	data = t.provider.dialect.readable(data)
	response.Body = io.NopCloser(bytes.NewReader(data))
	response.ContentLength = int64(len(data))
	return response, data, nil
}

var (
	errTooLarge = errors.New("too large")
	errTimeout  = errors.New("timeout")
)

// broken returns the error of a request without an answer: the context's error
// if that ended.
func (t *transport) broken(caller, this context.Context, err error) error {
	if caller.Err() != nil {
		return caller.Err()
	}
	e := &CallError{Provider: t.provider.name, Err: err}
	if this.Err() != nil {
		e.Message, e.Err = fmt.Sprintf("no answer within %s", t.timeout), errTimeout
		e.advice = "allow more time, or ask a faster model"
		return e
	}
	e.Message = redact(strings.TrimSpace(err.Error()), t.key)
	e.Message = "cannot reach " + hostOf(t.provider.baseURL) + ": " + e.Message
	if t.provider.local() {
		e.advice = "is the server running?"
	}
	return e
}

// failed returns the error of a status other than 200.
func (t *transport) failed(response *http.Response, data []byte) error {
	said := redact(messageIn(data), t.key)
	e := &CallError{
		Provider: t.provider.name, Status: response.StatusCode, Message: said,
		RetryAfter: retryAfter(response.Header, time.Now()),
		advice:     adviceFor(t.provider, response.StatusCode, said),
	}
	if strings.Contains(said, "json_validate_failed") { // Groq's error about the answer, not the request
		e.Err = errNoAnswer
	}
	return e
}

// worthRetrying marks an error for the retry loop: permanent, to be retried
// after Retry-After, or after the usual pause.
func worthRetrying(err error, timeouts int) error {
	if err == nil {
		return nil
	}
	call, ok := errors.AsType[*CallError](err)
	if !ok || !call.mayPass() || timeouts >= maxTimeouts {
		return backoff.Permanent(err)
	}
	if call.RetryAfter > 0 {
		return &backoff.RetryAfterError{Duration: call.RetryAfter}
	}
	return err
}

// mayPass reports whether the same call may succeed later.
func (e *CallError) mayPass() bool {
	switch {
	case e.RetryAfter > maxRetryAfter, outOfCredit(e.Message), tooLong(e.Message):
		return false
	case e.Status != 0:
		return e.Status == http.StatusRequestTimeout || e.Status == http.StatusTooEarly || e.Status == http.StatusTooManyRequests ||
			e.Status >= 500 && e.Status != http.StatusNotImplemented
	case errors.Is(e.Err, errTooLarge), e.Err == nil:
		return false
	}
	return !hopeless(e.Err)
}

// hopeless reports whether a connection fails for a lasting reason: an unknown
// host name, an untrusted certificate.
func hopeless(err error) bool {
	if name, ok := errors.AsType[*net.DNSError](err); ok && name.IsNotFound {
		return true
	}
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	return errors.As(err, &authority) || errors.As(err, &host) || errors.As(err, &invalid)
}

// reached reports whether a request reached the provider.
func reached(err error) bool {
	operation, ok := errors.AsType[*net.OpError](err)
	return (!ok || operation.Op != "dial") && !hopeless(err)
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the server"
	}
	return u.Scheme + "://" + u.Host
}

// retryAfter returns the pause that a provider asks for: seconds or a date (RFC
// 9110, section 10.2.3), or the milliseconds that some send. 0: none.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 && ms < 1e12 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	value := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds > 0 && seconds < 1e9 {
		return time.Duration(seconds * float64(time.Second))
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(date.Sub(now), 0)
	}
	return 0
}

// cutTo shortens a text to n bytes and marks the cut by ….
func cutTo(text string, n int) string {
	text = strings.ToValidUTF8(text, "")
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "") + "…"
}
