package zep

import (
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

var v4GraphRoutes = []route{
	{"POST", "/graphs", v4With((*call).v4AddGraph)},
	{"POST", "/graphs/list", v4With((*call).v4ListGraphs)},
	{"POST", "/graphs/lookup", v4With((*call).v4LookUpGraph)},
	{"GET", "/graphs/{graph}", on((*call).graphIn, (*call).v4GetGraph)},
	{"PATCH", "/graphs/{graph}", v4With((*call).v4UpdateGraph)},
	{"DELETE", "/graphs/{graph}", on((*call).graphIn, (*call).v4DeleteGraph)},
	{"POST", "/graphs/{graph}/clone", v4With((*call).v4CloneGraph)},
	{"POST", "/graphs/{graph}/warm", on((*call).graphIn, (*call).v4WarmGraph)},
}

// v4Graph is a graph as version 4 has it: one with a name, or that of a user.
type v4Graph struct {
	UUID        string `json:"uuid"`
	GraphID     string `json:"graph_id,omitempty"`
	UserUUID    string `json:"user_uuid,omitempty"`
	Type        string `json:"type"`
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
	TimeZone    string `json:"time_zone,omitempty"`
	CreatedAt   string `json:"created_at"`
	UpdatedAt   string `json:"updated_at"`
}

func (c *call) v4Graph(g annals.Group) v4Graph {
	view := v4Graph{
		UUID: groupUUID(g.ID), Type: "standard", Name: g.Name, Description: g.Description, TimeZone: g.TimeZone,
		CreatedAt: stamp(g.CreatedAt), UpdatedAt: stamp(g.UpdatedAt),
	}
	if g.Kind == graph.GroupUser {
		view.Type, view.UserUUID = "user", view.UUID
	} else {
		view.GraphID = c.realm.ownGroup(g.ID)
	}
	return view
}

func (c *call) v4AddGraph(in struct {
	Name        *string `json:"name"`
	Description *string `json:"description"`
	TimeZone    *string `json:"time_zone"`
	v4Policy
},
) (any, error) {
	if err := in.v4Policy.refused(); err != nil {
		return nil, err
	}
	g, err := c.makeGraph(graphFields{GraphID: service.NewNameless(), Name: in.Name, Description: in.Description, TimeZone: in.TimeZone})
	if err != nil {
		return nil, err
	}
	return created(c.v4Graph(g))
}

func (c *call) v4ListGraphs(in struct {
	Search string `json:"search"`
},
) (any, error) {
	p, s, err := c.page4Of(in.Search, map[string]string{"created_at": "", "name": "name"})
	if err != nil {
		return nil, err
	}
	graphs, total, err := c.all().Graphs(c.ctx(), p)
	if err != nil {
		return nil, err
	}
	page := page4(s, graphs, c.v4Graph)
	page.TotalSize = &total
	return page, nil
}

func (c *call) v4GetGraph(_ place, g annals.Group) (any, error) { return c.v4Graph(g), nil }

func (c *call) v4UpdateGraph(in struct {
	Name        *string `json:"name"`
	Description *string `json:"description"`
	TimeZone    *string `json:"time_zone"`
},
) (any, error) {
	p, _, err := c.graphIn()
	if err != nil {
		return nil, err
	}
	g, err := p.UpdateGroup(c.ctx(), p.group, annals.GroupChange{Name: in.Name, Description: in.Description, TimeZone: in.TimeZone})
	return c.v4Graph(g), err
}

// v4DeleteGraph erases a graph. That of a user goes with the user alone: here it would
// take them along unasked.
func (c *call) v4DeleteGraph(p place, _ annals.Group) (any, error) {
	if p.user {
		return nil, graph.Invalid("graph_uuid", "is the graph of a user, and goes with them: delete the user")
	}
	if _, err := p.Erase(c.ctx(), annals.Erasure{GroupID: p.group, Later: true}); err != nil {
		return nil, err
	}
	return acceptedTask("graph.delete")
}

// v4CloneGraph copies a graph; the clone gets a UUID of its own.
func (c *call) v4CloneGraph(struct{}) (any, error) {
	from, _, err := c.graphIn()
	if err != nil {
		return nil, err
	}
	to, err := c.free("graph", service.NewNameless())
	if err != nil {
		return nil, err
	}
	if err := c.api.server.All().Clone(c.ctx(), from.group, to.group); err != nil {
		return nil, err
	}
	g, err := to.Group(c.ctx(), to.group)
	if err != nil {
		return nil, err
	}
	return accepted(map[string]any{"graph": c.v4Graph(g), "task": doneAt("graph.clone", time.Now())})
}

func (c *call) v4WarmGraph(p place, g annals.Group) (any, error) {
	if _, err := c.warmGraph(p, g); err != nil {
		return nil, err
	}
	return acceptedTask("graph.warm")
}
