// Package graphiti implements the routes that clients of Graphiti's REST server use, so that they
// run on Annals with another base URL and an API key. 'annals serve --graphiti' turns it on; it is
// off by default because its paths are at the root.
//
// A group_id is a group. docs/graphiti.md lists the routes and the differences.
package graphiti

import (
	"context"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/service"
)

// api implements the routes.
type api struct{ server *server.Server }

// door is the origin that is recorded for writes through this interface.
const door = "graphiti"

// Options configures the interface. The zero value is ready to use.
type Options struct {
	// KeyOptional admits requests from this machine without an API key, because Graphiti's clients
	// send none; see [server.Server.ProtectFromAfar].
	KeyOptional bool
}

// Mount adds the routes of Graphiti's REST server, each also with a trailing slash.
func Mount(s *server.Server, o Options) {
	a := &api{s}
	protect := s.Protect
	if o.KeyOptional {
		protect = s.ProtectFromAfar
	}
	s.Handle("GET /healthcheck", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		write(w, http.StatusOK, map[string]string{"status": "healthy"})
	}))
	for pattern, route := range a.routes() {
		handler := protect(door, graph.AuthorityUser, s.Bounded(server.LimitByPath(server.LargeBody), refused, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			server.NoteRoute(r.Context(), pattern)
			var out any
			err := server.Require(r.Context(), needed(pattern))
			if err == nil {
				out, err = route.answer(r)
			}
			if err != nil {
				a.refuse(w, r, err)
				return
			}
			if found, ok := out.(foundFacts); ok && found.without != "" {
				w.Header().Set(server.WithoutHeader, found.without)
			}
			write(w, route.status, out)
		})))
		s.Handle(pattern, handler)
		s.Handle(pattern+"/{$}", handler)
	}
}

// route is a handler and the status of its success.
type route struct {
	status int
	answer func(*http.Request) (any, error)
}

// routes returns the routes that take an API key.
func (a *api) routes() map[string]route {
	return map[string]route{
		"POST /messages":             {http.StatusAccepted, with(a.addMessages)},
		"POST /entity-node":          {http.StatusCreated, with(a.addNode)},
		"DELETE /entity-edge/{uuid}": {http.StatusOK, a.deleteEdge},
		"DELETE /group/{group}":      {http.StatusOK, a.deleteGroup},
		"DELETE /episode/{uuid}":     {http.StatusOK, a.deleteEpisode},
		"POST /clear":                {http.StatusOK, with(a.clear)},
		"POST /search":               {http.StatusOK, with(a.search)},
		"GET /entity-edge/{uuid}":    {http.StatusOK, a.edge},
		"GET /episodes/{group}":      {http.StatusOK, a.episodes},
		"POST /get-memory":           {http.StatusOK, with(a.memory)},
	}
}

// Routes returns the routes that take an API key, with the rights that each needs.
func Routes() map[string]service.Rights {
	needs := map[string]service.Rights{}
	for pattern := range (&api{}).routes() {
		needs[pattern] = needed(pattern)
	}
	return needs
}

// needed returns the rights that a route needs. Deleted facts and episodes stay in the history; a
// deleted group does not.
func needed(pattern string) service.Rights {
	switch method, path, _ := strings.Cut(pattern, " "); path {
	case "/search", "/get-memory":
		return service.RightsRead
	case "/entity-edge/{uuid}", "/episode/{uuid}":
		if method == http.MethodDelete {
			return service.RightsWrite
		}
		return service.RightsRead
	case "/clear":
		return service.RightsErase
	default:
		return server.NeededFor(method)
	}
}

// result is the answer to a change.
type result struct {
	Message string `json:"message"`
	Success bool   `json:"success"`
}

func (a *api) addNode(r *http.Request, in struct {
	UUID    string `json:"uuid"`
	GroupID string `json:"group_id"`
	Name    string `json:"name"`
	Summary string `json:"summary"`
},
) (any, error) {
	client, err := a.server.ClientIn(r.Context(), in.GroupID)
	if err != nil {
		return nil, err
	}
	ids, err := client.AddEntities(r.Context(), in.GroupID, []annals.Entity{{Name: in.Name, Summary: in.Summary}})
	if err != nil {
		return nil, err
	}
	nodes, err := service.New(client).EntitiesByID(r.Context(), in.GroupID, ids)
	if err != nil || len(nodes) == 0 {
		return nil, err
	}
	n := nodes[0]
	return map[string]any{
		"uuid": n.ID, "group_id": in.GroupID, "name": n.Name, "summary": n.Summary, "labels": n.Labels, "created_at": n.CreatedAt,
		"attributes": n.Attributes, "name_embedding": nil,
	}, nil
}

// holding finds the group that has a row with this id, and its client.
func (a *api) holding(ctx context.Context, kind graph.Kind, text string) (*annals.Client, string, uuid.UUID, error) {
	id, err := uuid.Parse(text)
	if err != nil {
		return nil, "", id, graph.Invalid("uuid", "%q is no UUID", text)
	}
	group, err := service.New(a.server.All()).GroupOf(ctx, server.CallerOf(ctx).Within(), kind, id)
	if err != nil {
		return nil, "", id, err
	}
	if group == "" {
		return nil, "", id, absent(text)
	}
	client, err := a.server.ClientIn(ctx, group)
	return client, group, id, err
}

func absent(id string) error {
	return server.NewProblem(http.StatusNotFound, "there is nothing with the uuid "+id)
}

// refused writes a problem that occurred before the route's handler.
func refused(w http.ResponseWriter, _ *http.Request, p *server.Problem) {
	write(w, p.Status, map[string]string{"detail": p.Detail})
}

// refuse writes an error in FastAPI's form.
func (a *api) refuse(w http.ResponseWriter, r *http.Request, err error) {
	p := server.ProblemOf(err)
	if p.Status == http.StatusInternalServerError {
		a.server.Log().ErrorContext(r.Context(), "request failed", "request_id", server.RequestID(r.Context()), "error", err)
	}
	write(w, p.Status, map[string]string{"detail": p.Detail})
}

func write(w http.ResponseWriter, status int, body any) {
	server.WriteJSON(w, status, body, `{"detail":"the answer cannot be written"}`)
}

// with makes a handler that decodes a body.
func with[T any](answer func(*http.Request, T) (any, error)) func(*http.Request) (any, error) {
	return func(r *http.Request) (any, error) {
		var in T
		if err := server.ReadJSON(r, &in); err != nil {
			return nil, err
		}
		return answer(r, in)
	}
}
