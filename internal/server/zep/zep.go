// Package zep answers what the official clients of Zep ask, so that an application
// that was written for them runs on Annals with another base URL. Those of
// version 3 speak /api/v2, those of version 4 /api/v4:
//
//	const client = new ZepClient({ apiKey: KEY, baseUrl: "http://127.0.0.1:8080/api/v2" });
//	client = Zep(api_key=KEY, base_url="http://127.0.0.1:8080/api/v4")
//
// A user and a graph with a name are groups. An API key of a namespace, such as
// acme:*, is a project: its user alice is the group acme:alice, and no other key
// sees her. Version 4 knows users, graphs and threads by UUIDs, which are made of
// their names. docs/zep.md lists the routes and says what is different.
//
// Both generations are answered by the same functions of [call]; what begins with
// v4 reads and writes the fields of version 4. Routes without a counterpart in
// Annals are answered with 501 and their name.
package zep

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
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

// api answers the routes of one generation.
type api struct {
	*generation
	server  *server.Server
	options Options
	table   table
}

// Mount adds the routes of Zep's interface: those of version 3 of its clients under
// /api/v2, and those of version 4 under /api/v4.
func Mount(s *server.Server, o Options) {
	if o.MaxBody == 0 {
		o.MaxBody = DefaultMaxBody
	}
	if o.ContextTokens == 0 {
		o.ContextTokens = DefaultContextTokens
	}
	for _, g := range generations {
		a := &api{generation: g, server: s, options: o, table: newTable(routesOf(g))}
		bounded := s.Bounded(server.LimitByPath(o.MaxBody), g.refused, a)
		s.Handle(g.root+"/", s.ProtectWith("zep", graph.AuthorityUser, g.refused, bounded))
	}
}

// ServeHTTP answers a request.
func (a *api) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if other, problem := a.wrongClient(req); problem != nil {
		other.refused(w, req, problem)
		return
	}
	r, allowed := a.table.find(a.root, req)
	if r == nil {
		problem := server.NewProblem(http.StatusNotFound, "there is no such route; docs/zep.md lists them")
		if len(allowed) > 0 {
			problem = server.NewProblem(http.StatusMethodNotAllowed, problem.Detail)
			w.Header().Set("Allow", strings.Join(allowed, ", "))
		}
		a.refused(w, req, problem)
		return
	}
	server.NoteRoute(req.Context(), r.method+" "+a.root+r.path)
	answer := http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { a.answer(w, req, r) })
	err := server.Require(req.Context(), r.needed())
	var group string
	if err == nil {
		group, err = a.call(w, req).repeatable(r)
	}
	switch {
	case err != nil:
		a.refuse(w, req, r, err)
	case group != "":
		a.server.OnceIn(group, a.refused, answer).ServeHTTP(w, req)
	default:
		answer(w, req)
	}
}

// call is a request to be answered.
func (a *api) call(w http.ResponseWriter, req *http.Request) *call {
	return &call{api: a, Request: req, header: w.Header(), began: time.Now(), realm: realmOf(server.CallerOf(req.Context()))}
}

// answer answers a request on a route.
func (a *api) answer(w http.ResponseWriter, req *http.Request, r *route) {
	c := a.call(w, req)
	out, err := r.answer(c)
	if err != nil {
		a.refuse(w, req, r, err)
		return
	}
	if len(c.ignored) > 0 {
		w.Header().Set(ignoredHeader, strings.Join(c.ignored, ", "))
	}
	status := http.StatusOK
	if other, ok := out.(answered); ok {
		status, out = other.status, other.body
	}
	if status == http.StatusNoContent {
		w.WriteHeader(status)
		return
	}
	a.write(w, status, out)
}

// answered is an answer with a status other than 200.
type answered struct {
	status int
	body   any
}

// ignoredHeader names what was asked for and not heeded.
const ignoredHeader = "Annals-Ignored"

// ignore notes that something was asked for which is not heeded.
func (c *call) ignore(fields ...string) {
	for _, f := range fields {
		if !slices.Contains(c.ignored, f) {
			c.ignored = append(c.ignored, f)
		}
	}
}

// call is a request being answered.
type call struct {
	*http.Request
	api    *api
	realm  realm
	header http.Header // of the answer
	began  time.Time

	ignored []string // what was asked for and is not heeded
	cursor  string   // of the next page of a list; empty: there is none
}

// message is the body of answers without other content.
type message struct {
	Message string `json:"message"`
}

var done = message{"OK"}

// refuse answers with an error.
func (a *api) refuse(w http.ResponseWriter, req *http.Request, r *route, err error) {
	if req.Context().Err() != nil {
		a.refused(w, req, server.NewProblem(http.StatusServiceUnavailable, "the request was given up"))
		return
	}
	p := problemOf(err)
	if p.Status >= http.StatusInternalServerError && p.Status != http.StatusNotImplemented {
		a.server.Log().ErrorContext(req.Context(), "request failed", "request_id", server.RequestID(req.Context()), "route", r.path, "error", err)
	}
	a.refused(w, req, p)
}

func refusal(status int, text string) error { return server.NewProblem(status, text) }
func notFound(what string) error            { return refusal(http.StatusNotFound, what) }
func forbidden(why string) error            { return refusal(http.StatusForbidden, why) }
func conflict(what string) error            { return refusal(http.StatusConflict, what) }

// problemOf returns what to tell the caller of an error. Like Zep it answers 400 to
// conflicts, as where a user exists already.
func problemOf(err error) *server.Problem {
	if problem, ok := errors.AsType[*server.Problem](err); ok {
		return problem
	}
	p := server.ProblemOf(err)
	switch annals.CodeOf(err) {
	case annals.CodeInvalid, annals.CodeConflict:
		p.Status = http.StatusBadRequest
	}
	return p
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
