package v3

import (
	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server/zep/project"
	"github.com/annalsdb/annals/internal/service"
)

var userRoutes = project.Routes{
	"POST /users":               project.With(addUser),
	"GET /users-ordered":        listUsers,
	"GET /users/{user}":         project.On(namedUser, getUser),
	"PATCH /users/{user}":       project.OnWith(namedUser, updateUser),
	"DELETE /users/{user}":      ended(namedUser, project.User.EraseAll),
	"GET /users/{user}/node":    project.On(namedUser, ownNode),
	"GET /users/{user}/threads": project.On(namedUser, threadsOf),
	"GET /users/{user}/warm":    ended(namedUser, project.User.Warm),
}

func namedUser(c *project.Call) (project.User, error) { return c.User(c.PathValue("user")) }

// userView is the JSON form of a user.
type userView struct {
	project.UserView
	UserID      string `json:"user_id"`
	ProjectUUID string `json:"project_uuid"`
	UpdatedAt   string `json:"updated_at"`
}

func userViewOf(c *project.Call, u service.User) userView {
	return userView{c.UserView(u), c.Local(u.GroupID), c.ProjectUUID(), project.Stamp(u.UpdatedAt)}
}

func addUser(c *project.Call, in project.UserFields) (any, error) {
	u, err := c.MakeUser(in)
	return userViewOf(c, u), err
}

func listUsers(c *project.Call) (any, error) {
	p, _, err := page(c, "created_at", "user_id", "email")
	if err != nil {
		return nil, err
	}
	users, total, err := c.All().Users(c.Context(), p)
	shown := each.Of(users, func(u service.User) userView { return userViewOf(c, u) })
	return map[string]any{"users": shown, "total_count": total, "row_count": len(users)}, err
}

func getUser(u project.User) (any, error) { return userViewOf(u.Call, u.Who), nil }

func updateUser(u project.User, in project.UserFields) (any, error) {
	after, err := u.Change(in)
	return userViewOf(u.Call, after), err
}

func ownNode(u project.User) (any, error) {
	node, found, err := u.Own()
	if err != nil || !found {
		return map[string]any{}, err
	}
	return map[string]any{"node": nodeViewOf(node)}, nil
}

func threadsOf(u project.User) (any, error) {
	threads, _, err := u.Call.All().ThreadsWithin(u.Ctx(), service.Page{
		Within: service.Within{Among: []string{u.ID}}, Limit: annals.MaxRows,
	})
	return threadViews(u.Call, threads), err
}

var graphRoutes = project.Routes{
	"POST /graph/create":      project.With(addGraph),
	"GET /graph/list-all":     listGraphs,
	"GET /graph/{graph}":      project.On(namedGraph, getGraph),
	"PATCH /graph/{graph}":    project.OnWith(namedGraph, updateGraph),
	"DELETE /graph/{graph}":   ended(namedGraph, project.Graph.EraseAll),
	"GET /graph/{graph}/warm": ended(namedGraph, project.Graph.Warm),
	"POST /graph/clone":       project.With(cloneGraph),
}

func namedGraph(c *project.Call) (project.Graph, error) { return c.Graph(c.PathValue("graph")) }

// graphView is the JSON form of a named graph.
type graphView struct {
	project.GraphView
	GraphID     string `json:"graph_id"`
	GraphUUID   string `json:"canonical_graph_uuid"`
	ProjectUUID string `json:"project_uuid"`
}

func graphViewOf(c *project.Call, g annals.Group) graphView {
	view := c.GraphView(g)
	return graphView{view, c.Local(g.ID), view.UUID, c.ProjectUUID()}
}

func addGraph(c *project.Call, in struct {
	GraphID string `json:"graph_id"`
	project.GraphFields
},
) (any, error) {
	g, err := c.MakeGraph(in.GraphID, in.GraphFields)
	return graphViewOf(c, g), err
}

func listGraphs(c *project.Call) (any, error) {
	p, number, err := page(c, "created_at", "graph_id", "name")
	if err != nil {
		return nil, err
	}
	graphs, total, err := c.All().Graphs(c.Context(), p)
	return map[string]any{
		"graphs":      each.Of(graphs, func(g annals.Group) graphView { return graphViewOf(c, g) }),
		"total_count": total, "row_count": len(graphs), "page_number": number, "page_size": p.Limit,
	}, err
}

func getGraph(g project.Graph) (any, error) { return graphViewOf(g.Call, g.Group), nil }

func updateGraph(g project.Graph, in project.GraphFields) (any, error) {
	after, err := g.Change(in)
	return graphViewOf(g.Call, after), err
}

func cloneGraph(c *project.Call, in struct {
	SourceGraph string `json:"source_graph_id"`
	SourceUser  string `json:"source_user_id"`
	TargetGraph string `json:"target_graph_id"`
	TargetUser  string `json:"target_user_id"`
},
) (any, error) {
	from, err := c.Either(in.SourceUser, in.SourceGraph)
	if err != nil {
		return nil, err
	}
	if from.IsUser != (in.TargetUser != "") || in.TargetUser != "" && in.TargetGraph != "" {
		return nil, graph.Invalid("target_graph_id", "a user is cloned to a target_user_id, a graph to a target_graph_id")
	}
	kind, id := "graph_id", in.TargetGraph
	if from.IsUser {
		kind, id = "user_id", in.TargetUser
	}
	to, err := c.Free("target", id)
	if err != nil {
		return nil, err
	}
	if err := from.CopyTo(to); err != nil {
		return nil, project.Taken(err, id)
	}
	return map[string]string{"task_id": cloneMark + graph.EscapeGroupID(id), kind: id}, nil
}
