package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/annalsdb/annals/graph"
)

const (
	fetchTimeout  = 15 * time.Second
	maxFetched    = 64 << 10 // bytes of a response that are read
	maxPayload    = 64 << 10
	maxRedirects  = 3
	fetchedTokens = 1000
)

type requestArguments struct {
	Method  string `json:"method" jsonschema:"GET, POST, PUT, PATCH or DELETE"`
	URL     string `json:"url" jsonschema:"the whole address"`
	Payload string `json:"payload_json,omitempty" jsonschema:"what is sent, JSON"`
}

func httpFunctions(f *fetcher) []function {
	return []function{
		reads("http_request", "Sends a request to one of the hosts that are allowed, and reads the answer.",
			func(ctx context.Context, _ *turn, a requestArguments) (string, error) { return f.fetch(ctx, a) }),
	}
}

// fetcher sends requests to allowed hosts with public addresses. It checks an address when it
// dials, so that neither a name server nor a redirect can lead into a private network.
type fetcher struct {
	hosts   []string
	timeout time.Duration
	client  *http.Client
}

func newFetcher(hosts []string, allowed func(netip.Addr) bool, timeout time.Duration) *fetcher {
	f := &fetcher{timeout: timeout}
	for _, host := range hosts {
		f.hosts = append(f.hosts, strings.ToLower(strings.TrimSpace(host)))
	}
	dialer := &net.Dialer{Timeout: timeout, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil || !allowed(at.Addr().Unmap()) {
			return errPrivate
		}
		return nil
	}}
	f.client = &http.Client{
		Transport: &http.Transport{ // no proxy, which would resolve names itself
			DialContext: dialer.DialContext, TLSHandshakeTimeout: timeout, ResponseHeaderTimeout: timeout,
			MaxResponseHeaderBytes: 64 << 10, DisableKeepAlives: true, ForceAttemptHTTP2: true,
		},
		CheckRedirect: func(r *http.Request, before []*http.Request) error {
			if len(before) > maxRedirects {
				return graph.Invalid("url", "leads on more than %d times", maxRedirects)
			}
			return f.admit(r.URL)
		},
	}
	return f
}

var errPrivate = errors.New("the address is not a public one")

func (f *fetcher) admit(u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return graph.Invalid("url", "must begin with http:// or https:// and a host")
	}
	host, port := strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")), u.Port()
	if port == "" || port == "80" && u.Scheme == "http" || port == "443" && u.Scheme == "https" {
		if slices.Contains(f.hosts, host) {
			return nil
		}
	}
	if slices.Contains(f.hosts, net.JoinHostPort(host, port)) {
		return nil
	}
	return graph.Invalid("url", "%q is not among the hosts that are allowed: %s", u.Host, strings.Join(f.hosts, ", "))
}

func (f *fetcher) fetch(ctx context.Context, a requestArguments) (string, error) {
	u, err := url.Parse(a.URL)
	if err != nil {
		return "", graph.Invalid("url", "is no address")
	}
	if err := f.admit(u); err != nil {
		return "", err
	}
	method := strings.ToUpper(a.Method)
	if !slices.Contains([]string{"GET", "POST", "PUT", "PATCH", "DELETE"}, method) {
		return "", graph.Invalid("method", "%q is none of GET, POST, PUT, PATCH, DELETE", a.Method)
	}
	if a.Payload != "" && !json.Valid([]byte(a.Payload)) || len(a.Payload) > maxPayload {
		return "", graph.Invalid("payload_json", "must be JSON of at most %d bytes", maxPayload)
	}
	ctx, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, u.String(), strings.NewReader(a.Payload))
	if err != nil {
		return "", graph.Invalid("url", "is no address")
	}
	request.Header.Set("User-Agent", "annals-agent")
	if a.Payload != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	return f.read(request)
}

// read sends the request and reads the beginning of the response.
func (f *fetcher) read(request *http.Request) (string, error) {
	response, err := f.client.Do(request)
	if err != nil {
		return "", refusedFetch(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxFetched+1))
	if err != nil {
		return "", refusedFetch(err)
	}
	note := ""
	if len(body) > maxFetched {
		body, note = body[:maxFetched], "\n… [cut after 64 KiB]"
	}
	text := cutToTokens(strings.ToValidUTF8(string(body), "\uFFFD"), fetchedTokens, "\n… [cut]")
	return fmt.Sprintf("%s\n%s%s", response.Status, text, note), nil
}

// refusedFetch converts an error to one that the model can act on.
func refusedFetch(err error) error {
	var e *graph.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, errPrivate):
		return graph.Invalid("url", "leads to an address that is not public")
	case errors.Is(err, context.DeadlineExceeded):
		return graph.Invalid("url", "did not answer in time")
	}
	return graph.Invalid("url", "could not be reached")
}
