// Package client uses a memory that another process serves over REST. Its methods have the
// signatures, results and error codes of [annals.Client], so that a program can switch between
// the two. [Memory] is the interface of both. docs/client.md lists the differences.
//
//	memory, err := client.New(client.Config{URL: "http://127.0.0.1:8080", Key: key})
//	stored, err := memory.Add(ctx, annals.Episode{GroupID: "alice", Content: "I live in Paris."})
//
// It needs no database. It is safe for concurrent use.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/paging"
	"github.com/annalsdb/annals/internal/resend"
)

// Config holds the address of the service and the limits of requests. URL and Key are required.
type Config struct {
	URL string // such as http://127.0.0.1:8080
	Key string // an API key; 'annals keys create' makes keys

	// HTTP sends the requests. Defaults to a client that follows no redirects and keeps
	// connections. The context of a call limits its time.
	HTTP *http.Client

	// Tries is the most times a request is sent. It is sent again after status 429 or 503, after
	// the pause of Retry-After, up to two minutes. Defaults to 6; 1: never again.
	Tries uint

	// MaxAnswer is the limit of an answer in bytes. Exports stream and have none. Defaults to
	// DefaultMaxAnswer.
	MaxAnswer int64
}

// DefaultMaxAnswer is the default of [Config.MaxAnswer], 64 MiB.
const DefaultMaxAnswer = 64 << 20

// Client is a memory over REST.
type Client struct {
	config Config
	base   string
}

// New returns a client. It sends no request.
func New(config Config) (*Client, error) {
	at, err := url.Parse(config.URL)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" || at.RawQuery != "" || at.Fragment != "" {
		return nil, graph.Invalid("url", "%q is no address of a service, such as http://127.0.0.1:8080", config.URL)
	}
	if config.Key == "" || strings.ContainsAny(config.Key, "\r\n") {
		return nil, graph.Invalid("key", "is missing; 'annals keys create' makes one")
	}
	if config.HTTP == nil {
		config.HTTP = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // a redirect would send the key to another address
		}}
	}
	if config.MaxAnswer <= 0 {
		config.MaxAnswer = DefaultMaxAnswer
	}
	return &Client{config: config, base: strings.TrimSuffix(config.URL, "/") + "/v1"}, nil
}

// Close closes idle connections.
func (c *Client) Close() { c.config.HTTP.CloseIdleConnections() }

// call is a request.
type call struct {
	method string
	path   []string // below /v1
	query  url.Values
	body   any         // sent as JSON; nil: none
	lines  []byte      // sent as JSON lines instead of body
	header http.Header // further headers
	once   bool        // a POST that writes; an idempotency key makes it safe to repeat
}

// in returns a call about a group.
func in(method, groupID string, path ...string) call {
	return to(method, append([]string{"groups", groupID}, path...)...)
}

func to(method string, path ...string) call {
	return call{method: method, path: path, query: url.Values{}, header: http.Header{}}
}

// asking returns the call with parameters in its URL.
func (k call) asking(said any) call {
	k.query = input.Values(said)
	return k
}

// saying returns the call with a body.
func (k call) saying(body any) call {
	k.body = body
	return k
}

// doing returns the call as a POST that writes.
func (k call) doing() call {
	k.once = true
	return k
}

const jsonLines = "application/x-ndjson"

// request returns the HTTP request of a call.
func (c *Client) request(ctx context.Context, k call) (*http.Request, error) {
	at := c.base
	for _, part := range k.path {
		if part == "" {
			return nil, graph.Invalid("id", "is empty; name what is meant")
		}
		at += "/" + url.PathEscape(part)
	}
	if len(k.query) > 0 {
		at += "?" + k.query.Encode()
	}
	body, kind := k.lines, jsonLines
	if k.body != nil {
		var err error
		if body, err = json.Marshal(k.body); err != nil {
			return nil, graph.Invalid("body", "cannot be written as JSON: %v", err)
		}
		kind = "application/json"
	}
	request, err := http.NewRequestWithContext(ctx, k.method, at, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", err)
	}
	maps.Copy(request.Header, k.header)
	request.Header.Set("Authorization", "Bearer "+c.config.Key)
	if body != nil {
		request.Header.Set("Content-Type", kind)
	}
	if k.once {
		request.Header.Set("Idempotency-Key", uuid.NewString())
	}
	return request, nil
}

// send sends a call and decodes the answer.
func send[Answer any](ctx context.Context, c *Client, k call) (Answer, http.Header, error) {
	var out Answer
	if len(k.path) > 1 && k.path[0] == "groups" {
		if err := graph.ValidateGroupID(k.path[1]); err != nil {
			return out, nil, err
		}
	}
	request, err := c.request(ctx, k)
	if err != nil {
		return out, nil, err
	}
	repeatable := k.once || k.method == http.MethodGet || k.method == http.MethodPut || isQuestion(k)
	response, err := resend.Policy{Tries: c.config.Tries}.Do(ctx, c.config.HTTP, request, repeatable)
	if err != nil {
		return out, nil, unreached(ctx, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, c.config.MaxAnswer+1))
	switch {
	case err != nil:
		return out, nil, unreached(ctx, err)
	case int64(len(text)) > c.config.MaxAnswer:
		return out, nil, graph.Invalid("limit", "the answer is longer than %d bytes; ask for less, or raise MaxAnswer", c.config.MaxAnswer)
	case response.StatusCode >= http.StatusMultipleChoices:
		return out, nil, problem(response, text)
	case response.StatusCode == http.StatusNoContent:
		return out, response.Header, nil
	}
	if err := json.Unmarshal(text, &out); err != nil {
		return out, nil, &annals.Error{Code: annals.CodeInternal, Message: "the service answers with what is not of Annals; look at the URL", Err: err}
	}
	return out, response.Header, nil
}

// isQuestion reports whether a POST only reads.
func isQuestion(k call) bool {
	last := k.path[len(k.path)-1]
	return k.method == http.MethodPost && (last == "search" || last == "context")
}

// get sends a call and converts its answer to a value of the library.
func get[View, Value any](ctx context.Context, c *Client, k call, of func(View) Value) (Value, error) {
	view, _, err := send[View](ctx, c, k)
	if err != nil {
		var none Value
		return none, err
	}
	return of(view), nil
}

// member sends a call and returns one member of the object in the answer, zero if it is missing.
func member[View any](ctx context.Context, c *Client, k call, name string) (View, error) {
	var view View
	object, _, err := send[map[string]json.RawMessage](ctx, c, k)
	if err != nil || object[name] == nil {
		return view, err
	}
	if err := json.Unmarshal(object[name], &view); err != nil {
		return view, &annals.Error{Code: annals.CodeInternal, Message: "the service answers with what is not of Annals; look at the URL", Err: err}
	}
	return view, nil
}

// list sends a call and converts the named member of the answer to rows.
func list[View, Row any](ctx context.Context, c *Client, k call, name string, of func(View) Row) ([]Row, error) {
	views, err := member[[]View](ctx, c, k, name)
	return each.Of(views, of), err
}

// page requests the page of a list that follows the row after; nil: the first page.
func page[View, Row any](ctx context.Context, c *Client, k call, l paging.List[Row], after *Row, limit int, name string, of func(View) Row) ([]Row, error) {
	most, err := graph.RowLimit(limit)
	if err != nil {
		return nil, err
	}
	k.query.Set("limit", fmt.Sprint(most))
	if after != nil {
		k.query.Set("cursor", l.After(after))
	}
	return list(ctx, c, k, name, of)
}

// itself is the conversion for answers that are values of the library.
func itself[T any](value T) T { return value }
