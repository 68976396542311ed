package zep

import (
	"encoding/json"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

var v4EdgeRoutes = []route{
	{"POST", "/graphs/{graph}/edges", v4With((*call).v4AddEdges)},
	{"POST", "/graphs/{graph}/edges/list", v4With((*call).v4ListEdges)},
	{"GET", "/graphs/{graph}/edges/{edge}", on((*call).edgeIn, (*call).v4GetEdge)},
	{"PATCH", "/graphs/{graph}/edges/{edge}", v4With((*call).v4UpdateEdge)},
	{"DELETE", "/graphs/{graph}/edges/{edge}", on((*call).edgeIn, (*call).v4DeleteEdge)},
}

// v4Edge is a fact as version 4 has it.
type v4Edge struct {
	edgeBody
	Scope    string   `json:"scope"`
	Episodes []string `json:"episode_uuids"`
	v4Owner
}

func (p place) v4Edge(e edgeView) v4Edge {
	return v4Edge{edgeBody: e.edgeBody, Scope: "entity", Episodes: e.Episodes, v4Owner: p.owner()}
}

// edgeIn returns the fact that the path names, and its memory.
func (c *call) edgeIn() (place, annals.Fact, error) {
	p, _, err := c.graphIn()
	if err != nil {
		return p, annals.Fact{}, err
	}
	id, err := c.uuidIn("edge")
	if err != nil {
		return p, annals.Fact{}, err
	}
	f, err := p.Fact(c.ctx(), p.group, id)
	if err != nil && annals.CodeOf(err) == annals.CodeNotFound {
		err = notFound("edge not found: " + id.String())
	}
	return p, f, err
}

// v4End is one end of an edge to add: a node by its UUID, or by its name.
type v4End struct {
	UUID       string          `json:"uuid,omitempty"`
	Name       string          `json:"name,omitempty"`
	Labels     []string        `json:"labels,omitempty"`
	Summary    string          `json:"summary,omitempty"`
	Attributes json.RawMessage `json:"attributes,omitempty"`
}

func (e v4End) end(field string) (graph.TripleEnd, error) {
	return end(field, e.Name, e.UUID, e.Labels, e.Attributes)
}

// v4NewEdge is an edge to add, and the answer to that.
type v4NewEdge struct {
	UUID       string          `json:"uuid,omitempty"`
	Fact       string          `json:"fact"`
	FactName   string          `json:"fact_name"`
	Source     v4End           `json:"source_node"`
	Target     v4End           `json:"target_node"`
	SourceUUID string          `json:"source_node_uuid,omitempty"`
	TargetUUID string          `json:"target_node_uuid,omitempty"`
	Attributes json.RawMessage `json:"attributes,omitempty"`
	Metadata   json.RawMessage `json:"metadata,omitempty"`
	ValidAt    string          `json:"valid_at,omitempty"`
	InvalidAt  string          `json:"invalid_at,omitempty"`
	ExpiredAt  string          `json:"expired_at,omitempty"`
}

// triple is the edge as version 3 has it.
func (e v4NewEdge) triple() (newTriple, error) {
	if e.ExpiredAt != "" {
		return newTriple{}, errExpired
	}
	if e.UUID+e.SourceUUID+e.TargetUUID != "" {
		return newTriple{}, graph.Invalid("uuid", "source_node_uuid and target_node_uuid must be left out: nodes are named by source_node.uuid and target_node.uuid")
	}
	return newTriple{
		Fact: e.Fact, FactName: e.FactName, SourceName: e.Source.Name, SourceUUID: e.Source.UUID, SourceLabels: e.Source.Labels,
		SourceSummary: e.Source.Summary, SourceAttributes: e.Source.Attributes, TargetName: e.Target.Name, TargetUUID: e.Target.UUID,
		TargetLabels: e.Target.Labels, TargetSummary: e.Target.Summary, TargetAttributes: e.Target.Attributes, EdgeAttributes: e.Attributes,
		Metadata: e.Metadata, ValidAt: e.ValidAt, InvalidAt: e.InvalidAt,
	}, nil
}

var errExpired = graph.Invalid("expired_at", "cannot be given: it is when Annals learned of an end; invalid_at says when it ended")

const v4MaxEdges = 100 // of one request

func (c *call) v4AddEdges(in struct {
	Edges []v4NewEdge `json:"edges"`
	Same  bool        `json:"deduplicate"`
},
) (any, error) {
	if len(in.Edges) == 0 || len(in.Edges) > v4MaxEdges {
		return nil, graph.Invalid("edges", "are %d; send 1 to %d", len(in.Edges), v4MaxEdges)
	}
	p, _, err := c.graphIn()
	if err != nil {
		return nil, err
	}
	triples := make([]newTriple, len(in.Edges))
	for i, e := range in.Edges { // all are looked at before any is added
		if triples[i], err = e.triple(); err != nil {
			return nil, err
		}
		t, err := c.triple(p, triples[i])
		if err == nil {
			err = t.Validate()
		}
		if err != nil {
			return nil, err
		}
	}
	result := &v4TaskResult{}
	var first, last uuid.UUID
	for i, t := range triples {
		added, err := c.storeTriple(p, t)
		if err != nil {
			return nil, err
		}
		e := &in.Edges[i]
		e.UUID, e.SourceUUID, e.TargetUUID = added.FactID.String(), added.SourceID.String(), added.TargetID.String()
		result.Edges = append(result.Edges, v4ResultEdge{e.UUID, e.SourceUUID, e.TargetUUID})
		if last = added.EpisodeID; i == 0 {
			first = added.EpisodeID
		}
	}
	return c.v4Added(p, map[string]any{"edges": in.Edges}, "graph.add_edges", first, last, result)
}

// v4Added answers with what was added, and the task of its episodes.
func (c *call) v4Added(p place, out map[string]any, kind string, first, last uuid.UUID, result *v4TaskResult) (any, error) {
	task, err := c.v4TaskOf(taskOf(first, last, c.realm.local(p.group)), kind)
	if err != nil {
		return nil, err
	}
	task.Result = result
	out["task"] = task
	return accepted(out)
}

func (c *call) v4ListEdges(in struct {
	Filters v4Filters `json:"filters"`
},
) (any, error) {
	p, _, err := c.graphIn()
	if err != nil {
		return nil, err
	}
	l, err := c.v4Listing(in.Filters, v4AnyFilters...)
	if err != nil {
		return nil, err
	}
	edges, err := c.edgePage(p, l)
	return listed4(c, edges, p.v4Edge), err
}

func (c *call) v4OneEdge(p place, f annals.Fact) (any, error) {
	view, err := c.oneEdge(p, f)
	return p.v4Edge(view), err
}

func (c *call) v4GetEdge(p place, f annals.Fact) (any, error) { return c.v4OneEdge(p, f) }

// v4UpdateEdge changes a fact. New words are those of all facts of its statement.
func (c *call) v4UpdateEdge(in struct {
	Fact       *string         `json:"fact"`
	Attributes json.RawMessage `json:"attributes"`
},
) (any, error) {
	p, f, err := c.edgeIn()
	if err != nil {
		return nil, err
	}
	var own annals.FactEdit // of this fact alone
	if len(object(in.Attributes)) > 0 {
		if own.Attributes, err = graph.PatchObject(f.Attributes, in.Attributes); err != nil {
			return nil, graph.Invalid("attributes", "are no object")
		}
	}
	changes := []service.FactChange{{ID: f.ID, Edit: own}}
	if in.Fact != nil {
		if changes, err = c.rewording(p, f.StatementID, *in.Fact); err != nil {
			return nil, err
		}
		for i := range changes {
			if changes[i].ID == f.ID {
				changes[i].Edit.Attributes = own.Attributes
			}
		}
	}
	if _, err := p.EditEach(c.ctx(), p.group, changes); err != nil {
		return nil, err
	}
	if f, err = p.Fact(c.ctx(), p.group, f.ID); err != nil {
		return nil, err
	}
	return c.v4OneEdge(p, f)
}

// rewording is what gives all facts of a statement the same words.
func (c *call) rewording(p place, statement uuid.UUID, fact string) ([]service.FactChange, error) {
	statements, err := p.ListStatements(c.ctx(), service.List{GroupID: p.group, Limit: 1}, statement)
	if err != nil {
		return nil, err
	}
	if len(statements) == 0 {
		return nil, notFound("edge not found: it was withdrawn meanwhile")
	}
	return views(statements[0].Facts, func(f annals.Fact) service.FactChange {
		return service.FactChange{ID: f.ID, Edit: annals.FactEdit{Fact: &fact}}
	}), nil
}

func (c *call) v4DeleteEdge(p place, f annals.Fact) (any, error) {
	if err := p.WithdrawFact(c.ctx(), p.group, f.ID); err != nil {
		return nil, err
	}
	return acceptedTask("graph.edge.delete")
}
