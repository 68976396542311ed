package project

import (
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/service"
)

// Walk is a request for a subgraph. It grows from seeds, level by level, within limits.
type Walk struct {
	Seeds     []string     `json:"seed_node_uuids"`
	Depth     *int         `json:"depth"`
	Direction string       `json:"direction"`
	MaxNodes  *int         `json:"max_nodes"`
	MaxEdges  *int         `json:"max_edges"`
	Filters   service.List `json:"-"`
}

// bounds are the limits of a walk.
type bounds struct{ depth, nodes, edges int }

func checkDirection(direction string) error {
	if !slices.Contains([]string{"", "both", "in", "out"}, direction) {
		return graph.Invalid("direction", "%q is not one of in, out, both", direction)
	}
	return nil
}

// grown is the subgraph that a walk has collected so far.
type grown struct {
	nodes     []uuid.UUID
	edges     []annals.Fact
	truncated string // the limit that was reached; empty: none
}

// Subgraph is the result of a walk.
type Subgraph struct {
	Nodes     []Node
	Edges     []Edge
	Truncated string // the limit that was reached; empty: none
}

// Shown returns the response with the JSON forms of a subgraph's nodes and edges.
func (g Subgraph) Shown(nodes, edges any) map[string]any {
	out := map[string]any{"nodes": nodes, "edges": edges, "truncated": g.Truncated != ""}
	if g.Truncated != "" {
		out["truncation_reason"] = g.Truncated
	}
	return out
}

// Subgraph walks from seeds.
func (m Memory) Subgraph(in Walk) (out Subgraph, err error) {
	if len(in.Seeds) == 0 {
		return out, graph.Invalid("seed_node_uuids", "is empty; name 1 to 20 nodes")
	}
	var r Reader
	seeds := r.UUIDs("seed_node_uuids", in.Seeds, 20)
	limits := bounds{
		depth: r.Bounded("depth", in.Depth, 1, 3), nodes: r.Bounded("max_nodes", in.MaxNodes, 100, 500), edges: r.Bounded("max_edges", in.MaxEdges, 200, 1000),
	}
	if r.Note(checkDirection(in.Direction)); r.Err != nil {
		return out, r.Err
	}
	if in.Filters.Filter.Metadata != nil {
		return out, graph.Invalid("search_filters.episode_metadata_filters", "cannot be heeded on a walk over the graph")
	}
	g, err := m.grow(in, seeds, limits)
	if err != nil {
		return out, err
	}
	out.Truncated = g.truncated
	if out.Nodes, err = m.Nodes(m.Service.EntitiesByID(m.Ctx(), m.ID, g.nodes)); err != nil {
		return out, err
	}
	out.Edges, err = m.Edges(g.edges, nil)
	return out, err
}

func (m Memory) grow(in Walk, seeds []uuid.UUID, limits bounds) (*grown, error) {
	known, err := m.Service.EntitiesByID(m.Ctx(), m.ID, seeds)
	if err != nil {
		return nil, err
	}
	g := &grown{nodes: each.Of(known, entityID)}
	frontier := g.nodes
	for range limits.depth {
		if len(frontier) == 0 {
			break
		}
		facts, more, err := m.edgesAt(frontier, in.Direction, in.Filters)
		if err != nil {
			return nil, err
		}
		if more {
			g.truncated = "max_edges"
		}
		var next []uuid.UUID
		for _, node := range frontier {
			for _, f := range facts {
				if !follows(f, node, in.Direction) {
					continue
				}
				if id, added := g.take(f, node, limits); added {
					next = append(next, id)
				}
			}
		}
		frontier = next
	}
	return g, nil
}

// take adds an edge and the node at its other end, if the limits allow.
func (g *grown) take(f annals.Fact, from uuid.UUID, limits bounds) (uuid.UUID, bool) {
	if slices.ContainsFunc(g.edges, func(e annals.Fact) bool { return e.ID == f.ID }) {
		return uuid.Nil, false
	}
	other := otherEnd(f, from)
	isNew := !slices.Contains(g.nodes, other)
	switch {
	case len(g.edges) >= limits.edges:
		g.truncated = "max_edges"
		return uuid.Nil, false
	case isNew && len(g.nodes) >= limits.nodes:
		g.truncated = "max_nodes"
		return uuid.Nil, false
	}
	g.edges = append(g.edges, f)
	if isNew {
		g.nodes = append(g.nodes, other)
	}
	return other, isNew
}

func otherEnd(f annals.Fact, one uuid.UUID) uuid.UUID {
	if f.SourceID == one {
		return f.TargetID
	}
	return f.SourceID
}

// follows reports whether a fact leads from a node in a direction.
func follows(f annals.Fact, node uuid.UUID, direction string) bool {
	return f.SourceID == node && direction != "in" || f.TargetID == node && direction != "out"
}

// edgesAt lists the facts at some nodes, in a direction, that pass the filters, the newest first.
// more reports that there may be further ones. Filters by label apply to the nodes at the other
// ends.
func (m Memory) edgesAt(nodes []uuid.UUID, direction string, l service.List) (facts []annals.Fact, more bool, err error) {
	filters := l
	labels, excluded := l.Filter.Labels, l.Filter.ExcludedLabels
	l.Filter.Labels, l.Filter.ExcludedLabels = nil, nil
	l.GroupID, l.OrderBy, l.Limit, l.EntityIDs = m.ID, "created_at", annals.MaxRows, nodes
	if facts, err = m.Service.ListFacts(m.Ctx(), l); err != nil {
		return nil, false, err
	}
	more = len(facts) == annals.MaxRows
	admits, err := m.labelled(facts, labels, excluded)
	return slices.DeleteFunc(facts, func(f annals.Fact) bool {
		return !passes(filters, f) || !slices.ContainsFunc(nodes, func(n uuid.UUID) bool {
			return follows(f, n, direction) && admits(otherEnd(f, n))
		})
	}), more, err
}

// labelled returns a function that reports whether an end of a fact has one of the labels and none
// of the excluded ones.
func (m Memory) labelled(facts []annals.Fact, labels, excluded []string) (func(uuid.UUID) bool, error) {
	if len(labels)+len(excluded) == 0 {
		return func(uuid.UUID) bool { return true }, nil
	}
	ends, err := m.endsOf(facts)
	admitted := map[uuid.UUID]bool{}
	for _, e := range ends {
		has := func(label string) bool { return slices.Contains(e.Labels, label) }
		admitted[e.ID] = (len(labels) == 0 || slices.ContainsFunc(labels, has)) && !slices.ContainsFunc(excluded, has)
	}
	return func(id uuid.UUID) bool { return admitted[id] }, err
}
