// Package graphiti answers what clients of Graphiti's REST server ask, so that
// they run on Annals with another base URL and an API key. It is off unless
// 'annals serve' is told --graphiti, as its paths stand at the root.
//
// A group_id is a group. docs/graphiti.md lists the routes and says what is
// different.
package graphiti

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/server"
	"github.com/annalsdb/annals/service"
)

// api answers the routes.
type api struct{ server *server.Server }

// Mount adds the routes of Graphiti's REST server.
func Mount(s *server.Server) {
	a := &api{s}
	s.Handle("GET /healthcheck", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		write(w, http.StatusOK, map[string]string{"status": "healthy"})
	}))
	for pattern, route := range map[string]struct {
		status int
		answer func(*http.Request) (any, error)
	}{
		"POST /messages":             {http.StatusAccepted, with(a.addMessages)},
		"POST /entity-node":          {http.StatusCreated, with(a.addNode)},
		"DELETE /entity-edge/{uuid}": {http.StatusOK, a.deleteEdge},
		"DELETE /group/{group}":      {http.StatusOK, a.deleteGroup},
		"DELETE /episode/{uuid}":     {http.StatusOK, a.deleteEpisode},
		"POST /clear":                {http.StatusOK, clear},
		"POST /search":               {http.StatusOK, with(a.search)},
		"GET /entity-edge/{uuid}":    {http.StatusOK, a.edge},
		"GET /episodes/{group}":      {http.StatusOK, a.episodes},
		"POST /get-memory":           {http.StatusOK, with(a.memory)},
	} {
		s.Handle(pattern, s.Protect("graphiti", graph.AuthorityUser, s.Bounded(server.LimitByPath(server.LargeBody), refused, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
			write(w, route.status, out)
		}))))
	}
}

// needed returns the rights that a route needs. What is deleted stays in the
// history, except a whole group.
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

// fact is an edge on the wire.
type fact struct {
	UUID      string     `json:"uuid"`
	Name      string     `json:"name"`
	Fact      string     `json:"fact"`
	ValidAt   *time.Time `json:"valid_at"`
	InvalidAt *time.Time `json:"invalid_at"`
	CreatedAt time.Time  `json:"created_at"`
	ExpiredAt *time.Time `json:"expired_at"`
}

func factOf(f annals.Fact) fact {
	shown := f.JSON()
	return fact{
		UUID: f.ID.String(), Name: f.Predicate, Fact: f.Told(), ValidAt: shown.ValidAt, InvalidAt: shown.InvalidAt,
		CreatedAt: f.CreatedAt, ExpiredAt: shown.ExpiredAt,
	}
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
	}, nil
}

// holding finds the memory that has a row with an id.
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

func (a *api) edge(r *http.Request) (any, error) {
	client, group, id, err := a.holding(r.Context(), graph.KindFact, r.PathValue("uuid"))
	if err != nil {
		return nil, err
	}
	f, err := client.Fact(r.Context(), group, id)
	if err != nil && annals.CodeOf(err) == annals.CodeNotFound { // it was removed meanwhile
		return nil, absent(id.String())
	}
	if err != nil {
		return nil, err
	}
	return factOf(f), nil
}

func (a *api) deleteEdge(r *http.Request) (any, error) {
	client, group, id, err := a.holding(r.Context(), graph.KindFact, r.PathValue("uuid"))
	if err != nil {
		return nil, err
	}
	return result{"Entity Edge deleted", true}, client.WithdrawFact(r.Context(), group, id)
}

func (a *api) deleteEpisode(r *http.Request) (any, error) {
	client, group, id, err := a.holding(r.Context(), graph.KindEpisode, r.PathValue("uuid"))
	if err != nil {
		return nil, err
	}
	_, err = client.DeleteEpisodes(r.Context(), annals.Deletion{GroupID: group, EpisodeIDs: []uuid.UUID{id}, AnyReader: true})
	return result{"Episode deleted", true}, err
}

func (a *api) deleteGroup(r *http.Request) (any, error) {
	group := r.PathValue("group")
	client, err := a.server.ClientIn(r.Context(), group)
	if err != nil {
		return nil, err
	}
	_, err = client.Erase(r.Context(), annals.Erasure{GroupID: group, Later: true})
	return result{"Group deleted", true}, err
}

// clear is refused: it would remove the memory of all groups.
func clear(*http.Request) (any, error) {
	return nil, server.NewProblem(http.StatusNotImplemented, "a request does not clear the database; delete the groups one by one")
}

const defaultFacts = 10

func (a *api) search(r *http.Request, in struct {
	GroupIDs []string `json:"group_ids"`
	GroupID  string   `json:"group_id"`
	Query    string   `json:"query"`
	MaxFacts int      `json:"max_facts"`
},
) (any, error) {
	if in.GroupID != "" {
		in.GroupIDs = append(in.GroupIDs, in.GroupID)
	}
	if len(in.GroupIDs) == 0 {
		in.GroupIDs = opened(server.CallerOf(r.Context()))
	}
	if len(in.GroupIDs) == 0 {
		return nil, graph.Invalid("group_ids", "is empty; name the groups to search, as this key opens more than it names")
	}
	facts, err := a.facts(r.Context(), annals.Query{GroupID: in.GroupIDs[0], AlsoIn: in.GroupIDs[1:], Text: in.Query, Limit: in.MaxFacts})
	return map[string]any{"facts": facts}, err
}

// opened returns the groups that a key names: a search without groups searches
// these. It is empty for a key of a namespace or of all groups.
func opened(c server.Caller) []string {
	return slices.DeleteFunc(c.Groups(), func(g string) bool { _, namespace := graph.NamespaceOf(g); return namespace })
}

func (a *api) facts(ctx context.Context, q annals.Query) ([]fact, error) {
	if q.Limit == 0 {
		q.Limit = defaultFacts
	}
	client, err := a.server.ClientOver(ctx, append([]string{q.GroupID}, q.AlsoIn...))
	if err != nil {
		return nil, err
	}
	q.Scopes, q.IncludeEnded = []graph.Kind{graph.KindFact}, true
	found, err := client.Search(ctx, q)
	facts := make([]fact, len(found.Facts))
	for i, f := range found.Facts {
		facts[i] = factOf(f.Fact)
	}
	return facts, err
}

func (a *api) memory(r *http.Request, in struct {
	GroupID  string    `json:"group_id"`
	MaxFacts int       `json:"max_facts"`
	Center   string    `json:"center_node_uuid"`
	Messages []message `json:"messages"`
},
) (any, error) {
	q := annals.Query{GroupID: in.GroupID, Conversation: true, Limit: in.MaxFacts}
	if in.Center != "" {
		var err error
		if q.Center, err = uuid.Parse(in.Center); err != nil {
			return nil, graph.Invalid("center_node_uuid", "%q is no UUID", in.Center)
		}
		q.Rerank = []annals.Rerank{annals.RerankDistance}
	}
	var said strings.Builder
	for _, m := range in.Messages {
		said.WriteString(m.Content + "\n")
	}
	q.Text = said.String()
	facts, err := a.facts(r.Context(), q)
	return map[string]any{"facts": facts}, err
}

// episodes lists the latest episodes, the oldest of them first.
func (a *api) episodes(r *http.Request) (any, error) {
	last, err := strconv.Atoi(r.URL.Query().Get("last_n"))
	if err != nil || last < 1 {
		return nil, graph.Invalid("last_n", "must be a positive number")
	}
	group := r.PathValue("group")
	client, err := a.server.ClientIn(r.Context(), group)
	if err != nil {
		return nil, err
	}
	episodes, err := client.Episodes(r.Context(), annals.EpisodeFilter{GroupID: group, Limit: min(last, annals.MaxRows)})
	out := []map[string]any{}
	for _, e := range slices.Backward(episodes) {
		out = append(out, map[string]any{
			"uuid": e.ID, "name": e.Name, "group_id": group, "labels": []string{}, "created_at": e.CreatedAt, "source": e.Source,
			"source_description": e.SourceDescription, "content": spoken(e), "valid_at": e.OccurredAt, "entity_edges": []string{},
		})
	}
	return out, err
}

// spoken returns a message with its speaker, as Graphiti keeps it.
func spoken(e annals.Episode) string {
	if e.Source != graph.SourceMessage {
		return e.Content
	}
	return e.Actor + "(" + e.Role + "): " + e.Content
}

// refused answers with a problem before a route is asked.
func refused(w http.ResponseWriter, _ *http.Request, p *server.Problem) {
	write(w, p.Status, map[string]string{"detail": p.Detail})
}

// refuse answers with an error in the form of FastAPI.
func (a *api) refuse(w http.ResponseWriter, r *http.Request, err error) {
	p, ok := errors.AsType[*server.Problem](err)
	if !ok {
		p = server.ProblemOf(err)
	}
	if p.Status == http.StatusInternalServerError {
		a.server.Log().ErrorContext(r.Context(), "request failed", "request_id", server.RequestID(r.Context()), "error", err)
	}
	write(w, p.Status, map[string]string{"detail": p.Detail})
}

func write(w http.ResponseWriter, status int, body any) {
	server.WriteJSON(w, status, body, `{"detail":"the answer cannot be written"}`)
}

// with makes a route that takes a body.
func with[T any](answer func(*http.Request, T) (any, error)) func(*http.Request) (any, error) {
	return func(r *http.Request) (any, error) {
		in, err := read[T](r)
		if err != nil {
			return nil, err
		}
		return answer(r, in)
	}
}

// read reads the body of a request and ignores unknown fields.
func read[T any](r *http.Request) (T, error) {
	var in T
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return in, graph.Invalid("body", "cannot be read to its end")
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return in, graph.Invalid("body", "is not what this route takes: %v", err)
	}
	return in, nil
}
