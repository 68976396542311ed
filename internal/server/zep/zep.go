// Package zep implements the routes that Zep's official clients use, so that an application that
// was written for them runs on Annals with another base URL. Clients of version 3 use /api/v2,
// those of version 4 /api/v4:
//
//	const client = new ZepClient({ apiKey: KEY, baseUrl: "http://127.0.0.1:8080/api/v2" });
//	client = Zep(api_key=KEY, base_url="http://127.0.0.1:8080/api/v4")
//
// Users and named graphs are groups. An API key of a namespace, such as acme:*, is a project: its
// user alice is the group acme:alice, and keys of other namespaces do not see her. Version 4
// identifies users, graphs and threads by UUIDs, which are derived from their names. docs/zep.md
// lists the routes and the differences.
//
// Package project executes the requests. The packages v3 and v4 decode the requests of their
// versions and encode the responses. The routes of unanswered.txt have no counterpart in Annals and
// answer with 501.
package zep

import (
	"net/http"
	"strings"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/zep/project"
	"github.com/annalsdb/annals/internal/service"
)

// api serves the routes of one generation.
type api struct {
	*generation
	server *server.Server
	table  table
}

// Mount adds Zep's routes: those of version 3 of its clients under /api/v2, and those of version 4
// under /api/v4.
func Mount(s *server.Server) {
	for _, g := range generations {
		a := &api{g, s, newTable(g)}
		bounded := s.Bounded(server.LimitByPath(server.LargeBody), g.refused, a)
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

// repeats returns the group to which a request adds, if the request may be repeated because its
// response was lost; empty: it may not.
func (a *api) repeats(r *route, req *http.Request) (string, error) {
	if r.method != http.MethodPost || r.needed() == service.RightsRead || req.Header.Get("Idempotency-Key") == "" {
		return "", nil
	}
	return a.repeatable(project.NewCall(a.server, req, a.decode), r.path)
}

// Headers of responses.
const (
	ignoredHeader = "Annals-Ignored"  // parameters that have no effect
	cursorHeader  = "Zep-Next-Cursor" // the cursor of the next page
)

// answer executes a request on a route.
func (a *api) answer(w http.ResponseWriter, req *http.Request, r *route) {
	c := project.NewCall(a.server, req, a.decode)
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

// refuse writes an error.
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
