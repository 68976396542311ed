package zep

import (
	"encoding/json"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

var v4NodeRoutes = []route{
	{"POST", "/graphs/{graph}/nodes", v4With((*call).v4AddNodes)},
	{"POST", "/graphs/{graph}/nodes/list", v4With((*call).v4ListNodes)},
	{"GET", "/graphs/{graph}/nodes/{node}", on((*call).nodeIn, (*call).v4GetNode)},
	{"PATCH", "/graphs/{graph}/nodes/{node}", v4With((*call).v4UpdateNode)},
	{"DELETE", "/graphs/{graph}/nodes/{node}", on((*call).nodeIn, (*call).v4DeleteNode)},
	{"POST", "/graphs/{graph}/nodes/{node}/neighbors", v4With((*call).v4Neighbors)},
}

// v4Node is an entity as version 4 has it.
type v4Node struct {
	nodeBody
	Episodes  []string `json:"episode_uuids"`
	Truncated bool     `json:"episode_uuids_truncated"`
	v4Owner
}

func (p place) v4Node(n nodeView) v4Node {
	return v4Node{nodeBody: n.nodeBody, Episodes: n.Episodes, Truncated: n.Truncated, v4Owner: p.owner()}
}

func (c *call) v4OneNode(p place, e annals.Entity) (any, error) {
	view, err := c.oneNode(p, e)
	return p.v4Node(view), err
}

// nodeIn returns the entity that the path names, and its memory.
func (c *call) nodeIn() (place, annals.Entity, error) {
	p, _, err := c.graphIn()
	if err != nil {
		return p, annals.Entity{}, err
	}
	id, err := c.uuidIn("node")
	if err != nil {
		return p, annals.Entity{}, err
	}
	e, err := p.Entity(c.ctx(), p.group, id.String())
	if err != nil && annals.CodeOf(err) == annals.CodeNotFound {
		err = notFound("node not found: " + id.String())
	}
	return p, e, err
}

func (c *call) v4AddNodes(in struct {
	Nodes []struct {
		Name       string          `json:"name"`
		Label      string          `json:"label"`
		Summary    string          `json:"summary"`
		Attributes json.RawMessage `json:"attributes"`
		Metadata   json.RawMessage `json:"metadata"`
	} `json:"nodes"`
},
) (any, error) {
	if len(in.Nodes) == 0 || len(in.Nodes) > maxNodes {
		return nil, graph.Invalid("nodes", "are %d; send 1 to %d", len(in.Nodes), maxNodes)
	}
	p, _, err := c.graphIn()
	if err != nil {
		return nil, err
	}
	nodes := make([]newNode, len(in.Nodes))
	for i, n := range in.Nodes {
		nodes[i] = newNode{Name: n.Name, Label: n.Label, Summary: n.Summary, Attributes: n.Attributes, Metadata: n.Metadata}
	}
	if err := c.storeNodes(p, nodes); err != nil {
		return nil, err
	}
	now := time.Now()
	for i := range nodes {
		nodes[i].CreatedAt = stamp(now)
	}
	return accepted(map[string]any{"nodes": nodes, "task": doneAt("graph.add_nodes", now)})
}

func (c *call) v4ListNodes(in struct {
	Filters v4Filters `json:"filters"`
},
) (any, error) {
	p, _, err := c.graphIn()
	if err != nil {
		return nil, err
	}
	l, err := c.v4Listing(in.Filters, v4NodesListed...)
	if err != nil {
		return nil, err
	}
	nodes, err := c.nodePage(p, l)
	return listed4(c, nodes, p.v4Node), err
}

func (c *call) v4GetNode(p place, e annals.Entity) (any, error) { return c.v4OneNode(p, e) }

func (c *call) v4UpdateNode(in struct {
	Name       *string         `json:"name"`
	Summary    *string         `json:"summary"`
	Attributes json.RawMessage `json:"attributes"`
},
) (any, error) {
	p, e, err := c.nodeIn()
	if err != nil {
		return nil, err
	}
	if e, err = p.EditEntity(c.ctx(), p.group, e.ID, annals.EntityEdit{Name: in.Name, Summary: in.Summary, Attributes: object(in.Attributes)}); err != nil {
		return nil, err
	}
	return c.v4OneNode(p, e)
}

func (c *call) v4DeleteNode(p place, e annals.Entity) (any, error) {
	if err := p.DeleteEntity(c.ctx(), p.group, e.ID); err != nil {
		return nil, err
	}
	return acceptedTask("graph.node.delete")
}

func (c *call) v4Neighbors(in struct {
	Direction string    `json:"direction"`
	Filters   v4Filters `json:"filters"`
},
) (any, error) {
	p, e, err := c.nodeIn()
	if err != nil {
		return nil, err
	}
	l, err := c.v4Listing(in.Filters, v4AnyFilters...)
	if err != nil {
		return nil, err
	}
	found, err := c.neighborPage(p, e, in.Direction, l)
	return listed4(c, found, func(n neighbor) map[string]any {
		return map[string]any{"node": p.v4Node(n.Node), "edges": views(n.Edges, p.v4Edge)}
	}), err
}
