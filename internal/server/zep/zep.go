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
	"cmp"
	"net/http"
	"regexp"
	"strings"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/zep/project"
	"github.com/annalsdb/annals/internal/server/zep/v3"
	"github.com/annalsdb/annals/internal/server/zep/v4"
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

// generation describes what clients of one version expect: the root of the routes, the form of
// errors, and the requests that may be repeated.
type generation struct {
	root       string
	clients    []string // versions of the official clients
	answered   func() project.Routes
	decode     func(r *http.Request, into any) error
	problem    func(*http.Request, *server.Problem) any
	repeatable func(c *project.Call, path string) (group string, err error)
}

var generations = []*generation{
	{
		root: v3.Root, clients: []string{"2", "3"}, answered: v3.Routes, decode: server.ReadJSON,
		problem:    func(_ *http.Request, p *server.Problem) any { return v3.Message{Message: p.Detail} },
		repeatable: func(*project.Call, string) (string, error) { return "", nil },
	},
	{root: v4.Root, clients: []string{"4"}, answered: v4.Routes, decode: v4.Decode, problem: v4.Problem, repeatable: v4.Repeatable},
}

// refused writes a problem.
func (g *generation) refused(w http.ResponseWriter, r *http.Request, p *server.Problem) {
	status := p.Status
	if status == http.StatusNotImplemented && retries(r) {
		status = http.StatusMethodNotAllowed
		w.Header().Set("Allow", "")
	}
	g.write(w, status, g.problem(r, p))
}

func (g *generation) write(w http.ResponseWriter, status int, body any) {
	server.WriteJSON(w, status, body, `{"message":"the answer cannot be written"}`)
}

// retries reports whether a request comes from an official client. All of them retry a 5xx for
// seconds. A 501 never changes, so it is sent to them as a 405, on which they fail at once.
func retries(r *http.Request) bool { return r.Header.Get("X-Fern-Language") != "" }

// agent matches the User-Agent of the official clients.
var agent = regexp.MustCompile(`^@?(?:getzep/)?zep-cloud/v?([0-9.]+)`)

// wrongClient returns a problem for a client of another generation, and that generation, in whose
// form the problem is written. Both have routes of the same names with other fields: without this
// check the client would see empty lists.
func (g *generation) wrongClient(r *http.Request) (*generation, *server.Problem) {
	version := r.Header.Get("X-Fern-SDK-Version")
	if found := agent.FindStringSubmatch(r.UserAgent()); version == "" && found != nil {
		version = found[1]
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	for _, other := range generations {
		for _, client := range other.clients {
			if client == major && other != g {
				name := cmp.Or(r.Header.Get("X-Fern-SDK-Name"), "zep-cloud")
				return other, server.NewProblem(http.StatusBadRequest,
					"this is "+name+" "+version+", which speaks "+other.root+", and was sent to "+g.root+": give it a base URL that ends in "+other.root)
			}
		}
	}
	return nil, nil
}
