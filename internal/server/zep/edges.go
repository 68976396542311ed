package zep

import (
	"encoding/json"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

var edgeRoutes = []route{
	{"POST", "/graph/edge/graph/{graph}", with((*call).listEdges)},
	{"POST", "/graph/edge/user/{user}", with((*call).listEdges)},
	{"GET", "/graph/edge/{edge}", on((*call).edge, (*call).getEdge)},
	{"PATCH", "/graph/edge/{edge}", with((*call).updateEdge)},
	{"DELETE", "/graph/edge/{edge}", on((*call).edge, (*call).deleteEdge)},
}

func (c *call) listEdges(in listing) (any, error) {
	p, err := c.either(c.PathValue("user"), c.PathValue("graph"))
	if err != nil {
		return nil, err
	}
	return c.edgePage(p, in)
}

func (c *call) edgePage(p place, in listing) ([]edgeView, error) {
	l, err := in.list(p.group, "created_at", "valid_at")
	if err != nil {
		return nil, err
	}
	kept, err := in.Filters.rows()
	if err != nil {
		return nil, err
	}
	kept.narrow(&l)
	facts, err := p.ListFacts(c.ctx(), l)
	if err != nil {
		return nil, err
	}
	if len(facts) > 0 {
		c.next(l, len(facts), facts[len(facts)-1].ID)
	}
	return c.edgesOf(p, facts)
}

// edge returns the fact that the path names, and its memory.
func (c *call) edge() (place, annals.Fact, error) {
	p, id, err := c.holding(graph.KindFact, c.PathValue("edge"))
	if err != nil {
		return p, annals.Fact{}, err
	}
	f, err := p.Fact(c.ctx(), p.group, id)
	if err != nil && annals.CodeOf(err) == annals.CodeNotFound {
		err = notFound("edge not found: " + id.String())
	}
	return p, f, err
}

func (c *call) getEdge(p place, f annals.Fact) (any, error) {
	return c.oneEdge(p, f)
}

func (c *call) updateEdge(in struct {
	Name       *string          `json:"name"`
	Fact       *string          `json:"fact"`
	Attributes json.RawMessage  `json:"attributes"`
	ValidAt    nullable[string] `json:"valid_at"`
	InvalidAt  nullable[string] `json:"invalid_at"`
},
) (any, error) {
	p, f, err := c.edge()
	if err != nil {
		return nil, err
	}
	change := annals.FactEdit{Predicate: in.Name, Fact: in.Fact}
	if len(object(in.Attributes)) > 0 {
		if change.Attributes, err = graph.PatchObject(f.Attributes, in.Attributes); err != nil {
			return nil, graph.Invalid("attributes", "are no object")
		}
	}
	for _, t := range []struct {
		field string
		from  nullable[string]
		to    **time.Time
	}{
		{"valid_at", in.ValidAt, &change.ValidAt}, {"invalid_at", in.InvalidAt, &change.InvalidAt},
	} {
		if !t.from.given {
			continue
		}
		at, err := graph.ParseTime(t.field, t.from.value)
		if err != nil {
			return nil, err
		}
		*t.to = &at
	}
	if f, err = p.EditFact(c.ctx(), p.group, f.ID, change); err != nil {
		return nil, err
	}
	return c.oneEdge(p, f)
}

func (c *call) deleteEdge(p place, f annals.Fact) (any, error) {
	return done, p.WithdrawFact(c.ctx(), p.group, f.ID)
}

// times3 reads three times.
func times3(created, valid, invalid string) (c, v, i time.Time, err error) {
	for _, t := range []struct {
		field, from string
		to          *time.Time
	}{{"created_at", created, &c}, {"valid_at", valid, &v}, {"invalid_at", invalid, &i}} {
		if *t.to, err = graph.ParseTime(t.field, t.from); err != nil {
			return c, v, i, err
		}
	}
	return c, v, i, nil
}
