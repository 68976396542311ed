// Package zep answers what the official clients of Zep, version 3, ask, so that
// an application that was written for it runs on Annals with another base URL:
//
//	const client = new ZepClient({ apiKey: KEY, baseUrl: "http://127.0.0.1:8080/api/v2" });
//
// A user and a graph with a name are groups. An API key of a namespace, such as
// acme:*, is a project: its user alice is the group acme:alice, and no other key
// sees her. docs/zep.md lists the routes and says what is different.
//
// Routes without a counterpart in Annals are answered with 501 and their name.
// Errors have the body {"message": …}, which the clients turn into their typed
// errors.
package zep

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/server"
)

// Options configures the interface.
type Options struct {
	// MaxBody is how many bytes the body of a request may have. Defaults to
	// DefaultMaxBody.
	MaxBody int64

	// ContextTokens is the most a context block may have. Defaults to
	// DefaultContextTokens.
	ContextTokens int
}

// The defaults of [Options].
const (
	DefaultMaxBody       = server.LargeBody
	DefaultContextTokens = 4000
)

const root = "/api/v2"

// api answers the routes.
type api struct {
	server  *server.Server
	options Options
	table   table
}

// Mount adds the routes of Zep's version 2 interface, which version 3 of its
// clients uses, under /api/v2.
func Mount(s *server.Server, o Options) {
	if o.MaxBody == 0 {
		o.MaxBody = DefaultMaxBody
	}
	if o.ContextTokens == 0 {
		o.ContextTokens = DefaultContextTokens
	}
	a := &api{server: s, options: o, table: newTable(routes())}
	s.Handle(root+"/", s.Protect("zep", graph.AuthorityUser, s.Bounded(server.LimitByPath(o.MaxBody), refused, a)))
}

// ServeHTTP answers a request.
func (a *api) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r, allowed := a.table.find(req)
	if r == nil {
		status := http.StatusNotFound
		if len(allowed) > 0 {
			status = http.StatusMethodNotAllowed
			w.Header().Set("Allow", strings.Join(allowed, ", "))
		}
		write(w, status, message{"there is no such route; docs/zep.md lists them"})
		return
	}
	server.NoteRoute(req.Context(), r.method+" "+root+r.path)
	c := &call{api: a, Request: req, header: w.Header(), began: time.Now(), realm: realmOf(server.CallerOf(req.Context()))}
	out, err := r.answer(c)
	if err != nil {
		a.refuse(w, req, r, err)
		return
	}
	write(w, http.StatusOK, out)
}

// call is a request being answered.
type call struct {
	*http.Request
	api    *api
	realm  realm
	header http.Header // of the answer
	began  time.Time
}

// message is the body of answers without other content.
type message struct {
	Message string `json:"message"`
}

var done = message{"OK"}

// refused answers with a problem before a route is found.
func refused(w http.ResponseWriter, _ *http.Request, p *server.Problem) {
	write(w, p.Status, message{p.Detail})
}

// refuse answers with an error.
func (a *api) refuse(w http.ResponseWriter, req *http.Request, r *route, err error) {
	if req.Context().Err() != nil {
		write(w, http.StatusServiceUnavailable, message{"the request was given up"})
		return
	}
	status, text := statusOf(err)
	if status >= http.StatusInternalServerError && status != http.StatusNotImplemented {
		a.server.Log().ErrorContext(req.Context(), "request failed", "request_id", server.RequestID(req.Context()), "route", r.path, "error", err)
	}
	write(w, status, message{text})
}

// refusal is an error with its status of HTTP.
type refusal struct {
	status int
	text   string
}

// Error returns the text of the refusal.
func (r *refusal) Error() string { return r.text }

func notFound(what string) error { return &refusal{http.StatusNotFound, what} }
func forbidden(why string) error { return &refusal{http.StatusForbidden, why} }
func conflict(what string) error { return &refusal{http.StatusConflict, what} }

// statusOf returns the status and text of an error for the caller. Like Zep it
// answers 400 to conflicts, as where a user exists already.
func statusOf(err error) (int, string) {
	if known, ok := errors.AsType[*refusal](err); ok {
		return known.status, known.text
	}
	if problem, ok := errors.AsType[*server.Problem](err); ok {
		return problem.Status, problem.Detail
	}
	p := server.ProblemOf(err)
	switch annals.CodeOf(err) {
	case annals.CodeInvalid, annals.CodeConflict:
		return http.StatusBadRequest, p.Detail
	}
	return p.Status, p.Detail
}

func write(w http.ResponseWriter, status int, body any) {
	server.WriteJSON(w, status, body, `{"message":"the answer cannot be written"}`)
}

// read reads the body of a request. Like Zep it ignores unknown fields; an
// empty body is the zero value.
func read[T any](c *call) (T, error) {
	var in T
	text, err := io.ReadAll(c.Body)
	if err != nil {
		return in, graph.Invalid("body", "cannot be read to its end")
	}
	if len(strings.TrimSpace(string(text))) == 0 {
		return in, nil
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return in, graph.Invalid("body", "is not what this route takes: %v", err)
	}
	return in, nil
}

// with makes a route that takes a body.
func with[T any](answer func(*call, T) (any, error)) func(*call) (any, error) {
	return func(c *call) (any, error) {
		in, err := read[T](c)
		if err != nil {
			return nil, err
		}
		return answer(c, in)
	}
}

// on makes a route about the thing that its path names, and the memory or
// project it is in.
func on[In, What any](find func(*call) (In, What, error), answer func(*call, In, What) (any, error)) func(*call) (any, error) {
	return func(c *call) (any, error) {
		in, what, err := find(c)
		if err != nil {
			return nil, err
		}
		return answer(c, in, what)
	}
}

// ctx is the request's.
func (c *call) ctx() context.Context { return c.Context() }
