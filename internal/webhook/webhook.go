// Package webhook notifies other programs over HTTP. Messages are signed as in
// Standard Webhooks (https://www.standardwebhooks.com), so that its libraries
// can verify them. They are sent only to addresses that the operator allows,
// whatever URL a user gives.
package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"syscall"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/public"
)

// MaxURL is the limit of a URL, in bytes.
const MaxURL = 2048

// CheckURL fails with [graph.CodeInvalid] unless deliveries may go to a URL. It
// must be https without a user; with insecure also http. The address that its
// name resolves to is checked at delivery.
func CheckURL(address string, insecure bool) error {
	u, err := url.Parse(address)
	switch {
	case len(address) > MaxURL:
		return graph.Invalid("url", "is %d bytes long; the limit is %d", len(address), MaxURL)
	case err != nil || u.Hostname() == "" || u.Opaque != "":
		return graph.Invalid("url", "is no URL; write it as https://example.com/hook")
	case u.User != nil:
		return graph.Invalid("url", "has a user in it; check the signature instead")
	case u.Fragment != "":
		return graph.Invalid("url", "has a fragment, which is never sent; leave it out")
	case u.Scheme != "https" && !(insecure && u.Scheme == "http"):
		return graph.Invalid("url", "does not begin with https://, which deliveries go by; the operator can allow others (ANNALS_INSECURE_WEBHOOKS)")
	}
	if address, err := netip.ParseAddr(u.Hostname()); err == nil && !insecure && !public.Is(address) {
		return graph.Invalid("url", "is an address of a private network; the operator can allow that (ANNALS_INSECURE_WEBHOOKS)")
	}
	return nil
}

// Message is a notification.
type Message struct {
	ID      string // the same in repeated deliveries
	URL     string
	Secret  []byte
	Payload []byte
}

// Sender sends messages. It follows no redirects, uses no proxy and connects
// only to public addresses, unless it is insecure.
type Sender struct {
	client   *http.Client
	insecure bool
}

const (
	sendTimeout = 10 * time.Second
	dialTimeout = 5 * time.Second
	maxAnswer   = 64 << 10 // bytes read of an answer, to reuse the connection
)

// NewSender returns a sender. An insecure one may use http and addresses of
// private networks.
func NewSender(insecure bool) *Sender {
	dialer := &net.Dialer{Timeout: dialTimeout}
	if !insecure {
		dialer.Control = publicOnly
	}
	return &Sender{insecure: insecure, client: &http.Client{
		Timeout:       sendTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: dialer.DialContext, TLSHandshakeTimeout: dialTimeout, ForceAttemptHTTP2: true,
			MaxIdleConns: 16, IdleConnTimeout: 30 * time.Second,
		},
	}}
}

// Close closes the idle connections.
func (s *Sender) Close() { s.client.CloseIdleConnections() }

// Send sends a message and returns the status of the answer, or 0 without one. A
// status outside of 200 to 299 is an error.
func (s *Sender) Send(ctx context.Context, m Message) (status int, err error) {
	if err := CheckURL(m.URL, s.insecure); err != nil {
		return 0, err
	}
	request, err := signed(ctx, m, time.Now())
	if err != nil {
		return 0, err
	}
	response, err := s.client.Do(request)
	if err != nil {
		return 0, fmt.Errorf("cannot be reached: %s", whyNot(err))
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, maxAnswer)) // the body is irrelevant
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return response.StatusCode, fmt.Errorf("answered with %s", response.Status)
	}
	return response.StatusCode, nil
}

// whyNot describes a failed delivery to the user who chose the URL. It omits the
// URL, which may contain a secret, and addresses of the operator's network:
// those of the name and of its resolver.
func whyNot(err error) string {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	var timeout net.Error
	if _, unknown := errors.AsType[*net.DNSError](err); unknown {
		return "its name leads to no address"
	}
	if errors.Is(err, errPrivate) {
		return errPrivate.Error()
	}
	if errors.As(err, &timeout) && timeout.Timeout() {
		return "it did not answer in time"
	}
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno.Error()
	}
	if _, ok := errors.AsType[*net.OpError](err); ok {
		return "the connection failed"
	}
	return err.Error()
}

var errPrivate = errors.New("its address is one of a private network")

func signed(ctx context.Context, m Message, now time.Time) (*http.Request, error) {
	key, err := standardwebhooks.NewWebhookRaw(m.Secret)
	if err != nil {
		return nil, fmt.Errorf("use the secret: %w", err)
	}
	signature, err := key.Sign(m.ID, now, m.Payload)
	if err != nil {
		return nil, fmt.Errorf("sign: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, m.URL, bytes.NewReader(m.Payload))
	if err != nil {
		return nil, fmt.Errorf("make a request: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "annals")
	request.Header.Set(standardwebhooks.HeaderWebhookID, m.ID)
	request.Header.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(now.Unix(), 10))
	request.Header.Set(standardwebhooks.HeaderWebhookSignature, signature)
	return request, nil
}

// publicOnly refuses connections to addresses that are not public. It checks the
// resolved address, so that a name cannot be changed after the check.
func publicOnly(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !public.Is(to.Addr()) {
		return errPrivate
	}
	return nil
}
