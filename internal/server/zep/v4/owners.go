package v4

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server/zep/project"
	"github.com/annalsdb/annals/internal/service"
)

// ownerRoutes are the routes for users and graphs.
var ownerRoutes = project.Routes{
	"POST /users":            project.With(addUser),
	"POST /users/list":       project.With(listUsers),
	"POST /users/lookup":     project.With(lookUpUser),
	"GET /users/{user}":      project.On(userIn, getUser),
	"PATCH /users/{user}":    project.OnWith(userIn, updateUser),
	"DELETE /users/{user}":   ended("user.delete", userIn, project.User.EraseAll),
	"GET /users/{user}/node": project.On(userIn, ownNode),

	"POST /graphs":               project.With(addGraph),
	"POST /graphs/list":          project.With(listGraphs),
	"POST /graphs/lookup":        project.With(lookUpGraph),
	"GET /graphs/{graph}":        project.On(graphIn, getGraph),
	"PATCH /graphs/{graph}":      project.OnWith(graphIn, updateGraph),
	"DELETE /graphs/{graph}":     ended("graph.delete", graphIn, eraseGraph),
	"POST /graphs/{graph}/clone": project.OnWith(graphIn, cloneGraph),
	"POST /graphs/{graph}/warm":  ended("graph.warm", graphIn, project.Graph.Warm),

	"POST /lookup": project.With(lookUpAll),
}

// userIn returns the user of the path.
func userIn(c *project.Call) (project.User, error) { return userOf(c, c.PathValue("user")) }

// policy is a content policy. Annals has none, so it is refused.
type policy struct {
	Policy json.RawMessage `json:"content_policy"`
}

func (p policy) refused() error {
	if len(project.Object(p.Policy)) > 0 {
		return graph.Invalid("content_policy", "is not there in Annals; leave it out")
	}
	return nil
}

const maxUserID = 500 // characters, as in Zep

func addUser(c *project.Call, in struct {
	project.UserFields
	policy
},
) (any, error) {
	if err := in.refused(); err != nil {
		return nil, err
	}
	if n := utf8.RuneCountInString(in.UserID); n > maxUserID {
		return nil, graph.Invalid("user_id", "has %d characters; the limit is %d", n, maxUserID)
	}
	if in.UserID == "" {
		in.UserID = service.NewNameless()
	}
	u, err := c.MakeUser(in.UserFields)
	return created(c.UserView(u), err)
}

// searched is a list that is narrowed by a text.
type searched struct {
	Search string `json:"search"`
}

func (in searched) page(c *project.Call) service.Page {
	return service.Page{Within: c.Within, Search: in.Search}
}

func listUsers(c *project.Call, in searched) (any, error) {
	orders := map[string]string{"created_at": "", "user_id": "user_id", "email": "email"}
	return over(c, in.page(c), orders, c.All().Users, c.UserView)
}

func getUser(u project.User) (any, error) { return u.Call.UserView(u.Who), nil }

func updateUser(u project.User, in project.UserFields) (any, error) {
	if in.UserID != "" {
		return nil, graph.Invalid("user_id", "cannot be changed")
	}
	after, err := u.Change(in)
	return u.Call.UserView(after), err
}

func ownNode(u project.User) (any, error) {
	own, found, err := u.Own()
	if err == nil && !found {
		err = project.NotFound("the node of user " + u.Call.PathValue("user") + " not found")
	}
	return nodeView(own), err
}

// graphIn returns the graph of the path.
func graphIn(c *project.Call) (project.Graph, error) {
	return graphOf(c, "graph", c.PathValue("graph"))
}

// graphView is the JSON form of a graph: a named one, or that of a user.
type graphView struct {
	project.GraphView
	UserUUID string `json:"user_uuid,omitempty"`
	Type     string `json:"type"`
}

func graphViewOf(c *project.Call, g annals.Group) graphView {
	view := graphView{GraphView: c.GraphView(g), Type: "standard"}
	if g.Kind == graph.GroupUser {
		view.Type, view.UserUUID, view.GraphID = "user", view.UUID, ""
	}
	return view
}

func addGraph(c *project.Call, in struct {
	project.GraphFields
	policy
},
) (any, error) {
	if err := in.refused(); err != nil {
		return nil, err
	}
	g, err := c.MakeGraph(service.NewNameless(), in.GraphFields)
	return created(graphViewOf(c, g), err)
}

var graphOrders = map[string]string{"created_at": "", "name": "name"}

func listGraphs(c *project.Call, in searched) (any, error) {
	return over(c, in.page(c), graphOrders, c.All().Graphs, func(g annals.Group) graphView { return graphViewOf(c, g) })
}

func getGraph(g project.Graph) (any, error) { return graphViewOf(g.Call, g.Group), nil }

func updateGraph(g project.Graph, in project.GraphFields) (any, error) {
	after, err := g.Change(in)
	return graphViewOf(g.Call, after), err
}

// eraseGraph erases a graph. It refuses the graph of a user: erasing it would erase the user as
// well.
func eraseGraph(g project.Graph) error {
	if g.IsUser {
		return graph.Invalid("graph_uuid", "is the graph of a user, and goes with them: delete the user")
	}
	return g.EraseAll()
}

// cloneGraph copies a graph; the copy gets a new UUID.
func cloneGraph(from project.Graph, _ struct{}) (any, error) {
	to, err := from.Call.Free("graph", service.NewNameless())
	if err != nil {
		return nil, err
	}
	if err := from.CopyTo(to); err != nil {
		return nil, err
	}
	g, err := to.Client.Group(to.Ctx(), to.ID)
	return accepted(map[string]any{"graph": graphViewOf(to.Call, g), "task": doneAt("graph.clone", time.Now())}, err)
}

// lookup identifies a row by an id of the application's.
type lookup struct {
	GraphID  string `json:"graph_id"`
	ThreadID string `json:"thread_id"`
	UserID   string `json:"user_id"`
}

// find returns the memory that the lookup identifies.
func (in lookup) find(c *project.Call) (project.Memory, error) {
	given := slices.DeleteFunc([]string{in.GraphID, in.ThreadID, in.UserID}, func(id string) bool { return id == "" })
	if len(given) != 1 {
		return project.Memory{}, graph.Invalid("user_id", "graph_id, thread_id and user_id are %d; name one of them", len(given))
	}
	if in.ThreadID != "" {
		t, err := c.HasThread(in.ThreadID)
		return t.Memory, err
	}
	return c.Either(in.UserID, in.GraphID)
}

func lookUpUser(c *project.Call, in lookup) (any, error) {
	m, err := in.find(c)
	if err != nil {
		return nil, err
	}
	u, err := m.Service.User(c.Context(), m.ID)
	if annals.CodeOf(err) == annals.CodeNotFound {
		return nil, project.NotFound("user not found: it is a graph of no user")
	}
	return c.UserView(u), err
}

func lookUpThread(c *project.Call, in lookup) (any, error) {
	if in.ThreadID == "" {
		return nil, graph.Invalid("thread_id", "is missing; a user and a graph may have many threads: thread.list lists them")
	}
	m, err := in.find(c)
	if err != nil {
		return nil, err
	}
	t, err := threadBy(c, project.ThreadUUID(m.ID, in.ThreadID))
	return threadViewOf(t.Place), err
}

func lookUpGraph(c *project.Call, in lookup) (any, error) {
	m, err := in.find(c)
	if err != nil {
		return nil, err
	}
	g, err := m.Client.Group(c.Context(), m.ID)
	return graphViewOf(c, g), err
}

const maxLookups = 1000

// found is the result of one lookup.
type found struct {
	Kind  string `json:"resource_type"`
	ID    string `json:"legacy_id"`
	Found bool   `json:"found"`
	UUID  string `json:"uuid,omitempty"`
}

func lookUpAll(c *project.Call, in struct {
	Graphs  []string `json:"graphs"`
	Threads []string `json:"threads"`
	Users   []string `json:"users"`
},
) (any, error) {
	if n := len(in.Graphs) + len(in.Threads) + len(in.Users); n > maxLookups {
		return nil, graph.Invalid("graphs", "threads and users are %d together; the limit is %d", n, maxLookups)
	}
	items := []found{}
	for _, list := range []struct {
		kind string
		ids  []string
		find func(id string) (uuid string, err error)
	}{
		{"user", in.Users, func(id string) (string, error) { u, err := c.User(id); return project.GroupUUID(u.ID), err }},
		{"thread", in.Threads, func(id string) (string, error) { t, err := c.HasThread(id); return project.ThreadUUID(t.ID, id), err }},
		{"graph", in.Graphs, func(id string) (string, error) { g, err := c.Graph(id); return project.GroupUUID(g.ID), err }},
	} {
		for _, id := range list.ids {
			item := found{Kind: list.kind, ID: id}
			at, err := list.find(id)
			switch {
			case err == nil:
				item.Found, item.UUID = true, at
			case !slices.Contains([]int{http.StatusNotFound, http.StatusBadRequest}, project.ProblemOf(err).Status):
				return nil, err
			}
			items = append(items, item)
		}
	}
	return map[string]any{"items": items}, nil
}
