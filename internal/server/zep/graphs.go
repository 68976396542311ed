package zep

import (
	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

var graphRoutes = []route{
	{"POST", "/graph/create", with((*call).addGraph)},
	{"GET", "/graph/list-all", (*call).listGraphs},
	{"GET", "/graph/{graph}", on((*call).namedGraph, (*call).getGraph)},
	{"PATCH", "/graph/{graph}", with((*call).updateGraph)},
	{"DELETE", "/graph/{graph}", on((*call).namedGraph, (*call).deleteGraph)},
	{"GET", "/graph/{graph}/warm", on((*call).namedGraph, (*call).warmGraph)},
	{"POST", "/graph/clone", with((*call).cloneGraph)},
}

// graphView is a graph with a name on the wire.
type graphView struct {
	UUID        string `json:"uuid"`
	GraphUUID   string `json:"canonical_graph_uuid"`
	ProjectUUID string `json:"project_uuid"`
	GraphID     string `json:"graph_id"`
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
	TimeZone    string `json:"time_zone,omitempty"`
	CreatedAt   string `json:"created_at"`
	UpdatedAt   string `json:"updated_at"`
}

func (c *call) graphView(g annals.Group) graphView {
	return graphView{
		UUID: groupUUID(g.ID), GraphUUID: groupUUID(g.ID), ProjectUUID: c.realm.projectUUID(),
		GraphID: c.realm.local(g.ID), Name: g.Name, Description: g.Description, TimeZone: g.TimeZone,
		CreatedAt: stamp(g.CreatedAt), UpdatedAt: stamp(g.UpdatedAt),
	}
}

type graphFields struct {
	GraphID     string  `json:"graph_id"`
	Name        *string `json:"name"`
	Description *string `json:"description"`
	TimeZone    *string `json:"time_zone"`
}

func (c *call) addGraph(in graphFields) (any, error) {
	g, err := c.makeGraph(in)
	return c.graphView(g), err
}

func (c *call) makeGraph(in graphFields) (annals.Group, error) {
	p, err := c.free("graph_id", in.GraphID)
	if err != nil {
		return annals.Group{}, err
	}
	g, err := p.CreateGroup(c.ctx(), annals.Group{
		ID: p.group, Kind: graph.GroupGraph, Name: orZero(in.Name), Description: orZero(in.Description), TimeZone: orZero(in.TimeZone), Force: true,
	})
	if err != nil {
		return g, taken(err, in.GraphID)
	}
	return g, c.adopt(p)
}

func (c *call) listGraphs() (any, error) {
	page, number, err := c.page(50, "created_at", "graph_id", "name")
	if err != nil {
		return nil, err
	}
	graphs, total, err := c.all().Graphs(c.ctx(), page)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"graphs": views(graphs, c.graphView), "total_count": total, "row_count": len(graphs), "page_number": number, "page_size": page.Limit,
	}, nil
}

// namedGraph returns the graph that the path names.
func (c *call) namedGraph() (place, annals.Group, error) { return c.graph(c.PathValue("graph")) }

func (c *call) getGraph(_ place, g annals.Group) (any, error) { return c.graphView(g), nil }

func (c *call) updateGraph(in graphFields) (any, error) {
	p, _, err := c.graph(c.PathValue("graph"))
	if err != nil {
		return nil, err
	}
	g, err := p.UpdateGroup(c.ctx(), p.group, annals.GroupChange{Name: in.Name, Description: in.Description, TimeZone: in.TimeZone})
	return c.graphView(g), err
}

// deleteGraph erases a graph with everything in it.
func (c *call) deleteGraph(p place, _ annals.Group) (any, error) {
	_, err := p.Erase(c.ctx(), annals.Erasure{GroupID: p.group, Later: true})
	return done, err
}

func (c *call) warmGraph(p place, g annals.Group) (any, error) {
	_, err := p.Search(c.ctx(), annals.Query{GroupID: p.group, Text: g.Name})
	return done, err
}

// cloneGraph copies a graph; the copies of its rows have ids of their own.
func (c *call) cloneGraph(in struct {
	SourceGraph string `json:"source_graph_id"`
	SourceUser  string `json:"source_user_id"`
	TargetGraph string `json:"target_graph_id"`
	TargetUser  string `json:"target_user_id"`
},
) (any, error) {
	from, err := c.either(in.SourceUser, in.SourceGraph)
	if err != nil {
		return nil, err
	}
	if from.user != (in.TargetUser != "") || in.TargetUser != "" && in.TargetGraph != "" {
		return nil, graph.Invalid("target_graph_id", "a user is cloned to a target_user_id, a graph to a target_graph_id")
	}
	id := in.TargetGraph
	if from.user {
		id = in.TargetUser
	}
	to, err := c.free("target", id)
	if err != nil {
		return nil, err
	}
	if err := c.api.server.All().Clone(c.ctx(), from.group, to.group); err != nil {
		return nil, taken(err, id)
	}
	out := map[string]string{"task_id": cloneTask(id)}
	if from.user {
		out["user_id"] = id
	} else {
		out["graph_id"] = id
	}
	return out, nil
}
