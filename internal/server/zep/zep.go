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
// What the clients ask for is done by package project. The packages v3 and v4 read the
// requests of their versions, and write the answers. The routes of unanswered.txt, which
// have no counterpart in Annals, are answered with 501.
package zep

import (
	"net/http"
	"strings"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/zep/project"
	"github.com/annalsdb/annals/internal/service"
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
		a := &api{generation: g, server: s, options: o, table: newTable(g.routes())}
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
		group, err = a.repeats(r, req)
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

// repeats is the group that a request adds to which may come again because its answer
// was lost; empty: there is none.
func (a *api) repeats(r *route, req *http.Request) (string, error) {
	if r.method != http.MethodPost || r.needed() == service.RightsRead || req.Header.Get("Idempotency-Key") == "" {
		return "", nil
	}
	return a.repeatable(a.call(req), r.path)
}

func (a *api) call(req *http.Request) *project.Call {
	return project.NewCall(a.server, a.options.ContextTokens, req)
}

// Headers of answers.
const (
	ignoredHeader = "Annals-Ignored"  // what was asked for and not heeded
	cursorHeader  = "Zep-Next-Cursor" // where the next page of a list begins
)

// answer answers a request on a route.
func (a *api) answer(w http.ResponseWriter, req *http.Request, r *route) {
	c := a.call(req)
	out, err := r.answer(c)
	if err != nil {
		a.refuse(w, req, r, err)
		return
	}
	if len(c.Ignored) > 0 {
		w.Header().Set(ignoredHeader, strings.Join(c.Ignored, ", "))
	}
	if c.Without != "" {
		w.Header().Set(server.WithoutHeader, c.Without)
	}
	if c.Cursor != "" {
		w.Header().Set(cursorHeader, c.Cursor)
	}
	status := http.StatusOK
	if other, ok := out.(project.Answered); ok {
		status, out = other.Status, other.Body
	}
	if status == http.StatusNoContent {
		w.WriteHeader(status)
		return
	}
	a.write(w, status, out)
}

// refuse answers with an error.
func (a *api) refuse(w http.ResponseWriter, req *http.Request, r *route, err error) {
	if req.Context().Err() != nil {
		a.refused(w, req, server.NewProblem(http.StatusServiceUnavailable, "the request was given up"))
		return
	}
	p := project.ProblemOf(err)
	if p.Status >= http.StatusInternalServerError && p.Status != http.StatusNotImplemented {
		a.server.Log().ErrorContext(req.Context(), "request failed", "request_id", server.RequestID(req.Context()), "route", r.path, "error", err)
	}
	a.refused(w, req, p)
}
