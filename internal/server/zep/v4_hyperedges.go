package zep

import (
	"encoding/json"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// A hyperedge is a statement: the facts that one sentence gave for several pairs.
var v4HyperedgeRoutes = []route{
	{"POST", "/graphs/{graph}/hyperedges", v4With((*call).v4AddHyperedge)},
	{"POST", "/graphs/{graph}/hyperedges/list", v4With((*call).v4ListHyperedges)},
	{"GET", "/graphs/{graph}/hyperedges/{hyperedge}", on((*call).hyperedgeIn, (*call).v4GetHyperedge)},
	{"PATCH", "/graphs/{graph}/hyperedges/{hyperedge}", v4With((*call).v4UpdateHyperedge)},
	{"DELETE", "/graphs/{graph}/hyperedges/{hyperedge}", on((*call).hyperedgeIn, (*call).v4DeleteHyperedge)},
	{"POST", "/graphs/{graph}/hyperedges/{hyperedge}/edges", v4With((*call).v4AddMember)},
	{"DELETE", "/graphs/{graph}/hyperedges/{hyperedge}/edges/{edge}", on((*call).hyperedgeIn, (*call).v4DeleteMember)},
}

// v4Hyperedge is a statement as version 4 has it.
type v4Hyperedge struct {
	UUID      string     `json:"uuid"`
	Fact      string     `json:"fact"`
	Edges     []v4Member `json:"edges"`
	CreatedAt string     `json:"created_at"`
	ValidAt   *string    `json:"valid_at,omitempty"`
	InvalidAt *string    `json:"invalid_at,omitempty"`
	ExpiredAt *string    `json:"expired_at,omitempty"`
	v4Owner
}

// v4Member is one of its facts.
type v4Member struct {
	UUID       string `json:"uuid"`
	Name       string `json:"name"`
	SourceUUID string `json:"source_node_uuid"`
	TargetUUID string `json:"target_node_uuid"`
}

func (p place) v4Hyperedge(s service.Statement) v4Hyperedge {
	first := edgeViewOf(annals.FactHit{Fact: s.Facts[0]})
	return v4Hyperedge{
		UUID: s.ID.String(), Fact: first.Fact, CreatedAt: first.CreatedAt, ValidAt: first.ValidAt, InvalidAt: first.InvalidAt,
		ExpiredAt: first.ExpiredAt, v4Owner: p.owner(),
		Edges: views(s.Facts, func(f annals.Fact) v4Member {
			return v4Member{f.ID.String(), f.Predicate, f.SourceID.String(), f.TargetID.String()}
		}),
	}
}

// hyperedgeIn returns the statement that the path names, and its memory.
func (c *call) hyperedgeIn() (place, service.Statement, error) {
	p, _, err := c.graphIn()
	if err != nil {
		return p, service.Statement{}, err
	}
	id, err := c.uuidIn("hyperedge")
	if err != nil {
		return p, service.Statement{}, err
	}
	found, err := p.ListStatements(c.ctx(), service.List{GroupID: p.group, Limit: 1}, id)
	if err == nil && (len(found) == 0 || len(found[0].Facts) == 0) {
		err = notFound("hyperedge not found: " + id.String())
	}
	if err != nil {
		return p, service.Statement{}, err
	}
	return p, found[0], nil
}

func (c *call) v4GetHyperedge(p place, s service.Statement) (any, error) {
	return p.v4Hyperedge(s), nil
}

func (c *call) v4ListHyperedges(in struct {
	Filters v4Filters `json:"filters"`
},
) (any, error) {
	p, _, err := c.graphIn()
	if err != nil {
		return nil, err
	}
	if err := in.Filters.only(v4OfHyperedges...); err != nil {
		return nil, err
	}
	s, err := c.stretch4(defaultPage, annals.MaxRows-1)
	if err != nil {
		return nil, err
	}
	q := c.URL.Query()
	l, err := listing{Direction: q.Get("order"), OrderBy: q.Get("order_by")}.list(p.group, "created_at")
	if err != nil {
		return nil, err
	}
	l.Skip, l.Limit = s.skip, s.size+1
	for _, list := range []struct {
		field string
		from  []string
		to    *[]uuid.UUID
	}{
		{"edge_uuids", in.Filters.EdgeUUIDs, &l.IDs},
		{"node_uuids", in.Filters.NodeUUIDs, &l.EntityIDs},
		{"episode_uuids", in.Filters.EpisodeUUIDs, &l.EpisodeIDs},
	} {
		if *list.to, err = uuids(list.field, list.from, maxListed); err != nil {
			return nil, err
		}
	}
	statements, err := p.ListStatements(c.ctx(), l)
	return page4(s, statements, p.v4Hyperedge), err
}

// v4Pair is a pair of a hyperedge to add, and the answer to that.
type v4Pair struct {
	UUID   string `json:"uuid,omitempty"`
	Name   string `json:"name"`
	Source v4End  `json:"source_node"`
	Target v4End  `json:"target_node"`
}

func (e v4Pair) pair() (p graph.TriplePair, err error) {
	p.Predicate = e.Name
	if e.UUID != "" {
		return p, graph.Invalid("edges.uuid", "must be left out")
	}
	if p.Source, err = e.Source.end("source_node"); err != nil {
		return p, err
	}
	p.Target, err = e.Target.end("target_node")
	return p, err
}

// v4NewHyperedge is a hyperedge to add, and the answer to that.
type v4NewHyperedge struct {
	UUID       string          `json:"uuid,omitempty"`
	Fact       string          `json:"fact"`
	Edges      []v4Pair        `json:"edges"`
	Attributes json.RawMessage `json:"attributes,omitempty"`
	Metadata   json.RawMessage `json:"metadata,omitempty"`
	ValidAt    string          `json:"valid_at,omitempty"`
	InvalidAt  string          `json:"invalid_at,omitempty"`
	ExpiredAt  string          `json:"expired_at,omitempty"`
}

// triple is the hyperedge as one fact about several pairs.
func (in v4NewHyperedge) triple(group string) (annals.Triple, error) {
	t := annals.Triple{GroupID: group, Fact: in.Fact, Attributes: object(in.Attributes)}
	ends := map[string]bool{}
	for i, e := range in.Edges {
		pair, err := e.pair()
		if err != nil {
			return t, err
		}
		ends[strings.ToLower(pair.Source.Name)+pair.Source.ID.String()] = true
		ends[strings.ToLower(pair.Target.Name)+pair.Target.ID.String()] = true
		if i == 0 {
			t.Source, t.Target, t.Predicate = pair.Source, pair.Target, pair.Predicate
		} else {
			t.More = append(t.More, pair)
		}
	}
	switch {
	case in.ExpiredAt != "":
		return t, errExpired
	case in.UUID != "":
		return t, graph.Invalid("uuid", "must be left out")
	case strings.TrimSpace(in.Fact) == "":
		return t, graph.Invalid("fact", "is empty")
	case len(ends) < 3:
		return t, graph.Invalid("edges", "span %d nodes; a hyperedge has at least 3, and edges of two are added with graph.edge.add", len(ends))
	}
	var err error
	t.OccurredAt, t.ValidAt, t.InvalidAt, err = times3("", in.ValidAt, in.InvalidAt)
	return t, err
}

func (c *call) v4AddHyperedge(in v4NewHyperedge) (any, error) {
	p, _, err := c.graphIn()
	if err != nil {
		return nil, err
	}
	t, err := in.triple(p.group)
	if err != nil {
		return nil, err
	}
	added, err := p.AddTriple(c.ctx(), t)
	if err != nil {
		return nil, err
	}
	facts, err := p.FactsByID(c.ctx(), p.group, added.FactIDs)
	if err != nil {
		return nil, err
	}
	if err := c.noteHyperedge(p, &in, added, facts); err != nil {
		return nil, err
	}
	return c.v4Added(p, map[string]any{"hyperedge": in}, "graph.hyperedge.add", added.EpisodeID, added.EpisodeID, &v4TaskResult{HyperedgeUUID: in.UUID})
}

// noteHyperedge stores what is said beside the facts of a hyperedge, and their ids.
func (c *call) noteHyperedge(p place, in *v4NewHyperedge, added annals.AddedTriple, facts []annals.Fact) error {
	if len(object(in.Metadata)) > 0 {
		if err := p.SetMetadata(c.ctx(), p.group, added.EpisodeID, in.Metadata); err != nil {
			return err
		}
	}
	summaries := map[uuid.UUID]string{}
	for i, f := range facts {
		if in.UUID = f.StatementID.String(); i >= len(in.Edges) || len(facts) != len(in.Edges) {
			continue
		}
		e := &in.Edges[i]
		e.UUID = f.ID.String()
		if e.Source.Summary != "" {
			summaries[f.SourceID] = e.Source.Summary
		}
		if e.Target.Summary != "" {
			summaries[f.TargetID] = e.Target.Summary
		}
	}
	return c.sumUp(p, summaries)
}

func (c *call) v4UpdateHyperedge(in struct {
	Fact *string `json:"fact"`
},
) (any, error) {
	p, s, err := c.hyperedgeIn()
	if err != nil {
		return nil, err
	}
	if in.Fact != nil {
		changes, err := c.rewording(p, s.ID, *in.Fact)
		if err != nil {
			return nil, err
		}
		if _, err := p.EditEach(c.ctx(), p.group, changes); err != nil {
			return nil, err
		}
		if p, s, err = c.hyperedgeIn(); err != nil {
			return nil, err
		}
	}
	return p.v4Hyperedge(s), nil
}

func (c *call) v4DeleteHyperedge(p place, s service.Statement) (any, error) {
	if err := p.WithdrawFacts(c.ctx(), p.group, views(s.Facts, func(f annals.Fact) uuid.UUID { return f.ID })); err != nil {
		return nil, err
	}
	return acceptedTask("graph.hyperedge.delete")
}

// v4AddMember adds a pair to a statement, with its words and times.
func (c *call) v4AddMember(in v4Pair) (any, error) {
	p, s, err := c.hyperedgeIn()
	if err != nil {
		return nil, err
	}
	pair, err := in.pair()
	if err != nil {
		return nil, err
	}
	first := s.Facts[0]
	added, err := p.AddTriple(c.ctx(), annals.Triple{
		GroupID: p.group, Source: pair.Source, Target: pair.Target, Predicate: pair.Predicate, Fact: first.Fact, StatementID: s.ID,
		ValidAt: first.Valid.Start, InvalidAt: first.Valid.End, OccurredAt: first.SaidAt,
	})
	if err != nil {
		return nil, err
	}
	view := v4NewEdge{
		UUID: added.FactID.String(), Fact: first.Fact, FactName: in.Name, Source: in.Source, Target: in.Target,
		SourceUUID: added.SourceID.String(), TargetUUID: added.TargetID.String(),
		ValidAt: orZero(stampOr(first.Valid.Start)), InvalidAt: orZero(stampOr(first.Valid.End)), ExpiredAt: orZero(stampOr(first.ExpiredAt)),
	}
	result := &v4TaskResult{HyperedgeUUID: s.ID.String(), EdgeUUID: view.UUID, SourceUUID: view.SourceUUID, TargetUUID: view.TargetUUID}
	return c.v4Added(p, map[string]any{"edge": view}, "graph.hyperedge.create_edge", added.EpisodeID, added.EpisodeID, result)
}

func (c *call) v4DeleteMember(p place, s service.Statement) (any, error) {
	for _, f := range s.Facts {
		if f.ID.String() == strings.ToLower(c.PathValue("edge")) {
			if err := p.WithdrawFact(c.ctx(), p.group, f.ID); err != nil {
				return nil, err
			}
			return acceptedTask("graph.hyperedge.delete_edge")
		}
	}
	return nil, notFound("edge not found in this hyperedge: " + c.PathValue("edge"))
}
