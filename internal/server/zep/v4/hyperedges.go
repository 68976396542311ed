package v4

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server/zep/project"
	"github.com/annalsdb/annals/internal/service"
)

// A hyperedge is a statement: the facts that were read from one sentence about several pairs.
var hyperedgeRoutes = project.Routes{
	"POST /graphs/{graph}/hyperedges":                            project.OnWith(graphIn, addHyperedge),
	"POST /graphs/{graph}/hyperedges/list":                       project.OnWith(graphIn, listHyperedges),
	"GET /graphs/{graph}/hyperedges/{hyperedge}":                 project.On(hyperedgeIn, getHyperedge),
	"PATCH /graphs/{graph}/hyperedges/{hyperedge}":               project.OnWith(hyperedgeIn, updateHyperedge),
	"DELETE /graphs/{graph}/hyperedges/{hyperedge}":              ended("graph.hyperedge.delete", hyperedgeIn, removeHyperedge),
	"POST /graphs/{graph}/hyperedges/{hyperedge}/edges":          project.OnWith(hyperedgeIn, addMember),
	"DELETE /graphs/{graph}/hyperedges/{hyperedge}/edges/{edge}": ended("graph.hyperedge.delete_edge", hyperedgeIn, removeMember),
}

// hyperedge is the statement of the path, with its memory.
type hyperedge = project.At[service.Statement]

var hyperedgeIn = rowIn("hyperedge", statementOf)

func statementOf(m project.Memory, id uuid.UUID) (s service.Statement, err error) {
	found, err := m.Service.ListStatements(m.Ctx(), service.List{GroupID: m.ID, Limit: 1}, id)
	if err != nil {
		return s, err
	}
	if len(found) == 0 || len(found[0].Facts) == 0 {
		return s, project.NotFound("hyperedge not found: " + id.String())
	}
	return found[0], nil
}

// rewording returns changes that give all facts of a statement the same words.
func rewording(m project.Memory, statement uuid.UUID, fact string) ([]service.FactChange, error) {
	s, err := statementOf(m, statement)
	return each.Of(s.Facts, func(f annals.Fact) service.FactChange {
		return service.FactChange{ID: f.ID, Edit: annals.FactEdit{Fact: &fact}}
	}), err
}

// hyperedgeBody is the JSON form of a statement.
type hyperedgeBody struct {
	UUID      string   `json:"uuid"`
	Fact      string   `json:"fact"`
	Edges     []member `json:"edges"`
	CreatedAt string   `json:"created_at"`
	ValidAt   *string  `json:"valid_at,omitempty"`
	InvalidAt *string  `json:"invalid_at,omitempty"`
	ExpiredAt *string  `json:"expired_at,omitempty"`
	project.Owner
}

// member is the JSON form of one fact of a statement.
type member struct {
	UUID       string `json:"uuid"`
	Name       string `json:"name"`
	SourceUUID string `json:"source_node_uuid"`
	TargetUUID string `json:"target_node_uuid"`
}

func hyperedgeView(m project.Memory, s service.Statement) hyperedgeBody {
	first := m.EdgeOf(annals.FactHit{Fact: s.Facts[0]})
	return hyperedgeBody{
		UUID: s.ID.String(), Fact: first.Fact, CreatedAt: first.CreatedAt, ValidAt: first.ValidAt, InvalidAt: first.InvalidAt,
		ExpiredAt: first.ExpiredAt, Owner: first.Owner,
		Edges: each.Of(s.Facts, func(f annals.Fact) member {
			return member{f.ID.String(), f.Predicate, f.SourceID.String(), f.TargetID.String()}
		}),
	}
}

func getHyperedge(h hyperedge) (any, error) { return hyperedgeView(h.Memory, h.Row), nil }

func listHyperedges(g project.Graph, in filtered) (any, error) {
	if err := in.Filters.only(ofHyperedges...); err != nil {
		return nil, err
	}
	q := g.Call.URL.Query()
	var r project.Reader
	listing := project.Listing{Direction: q.Get("order"), OrderBy: q.Get("order_by"), Filters: in.Filters.RowFilters.Read(&r)}
	l, err := listing.List(g.ID, "created_at")
	l.EntityIDs = r.UUIDs("node_uuids", in.Filters.NodeUUIDs, project.MaxListed)
	if r.Note(err); r.Err != nil {
		return nil, r.Err
	}
	return ranged(g.Call, rowsPage, func(skip, limit int) ([]service.Statement, error) {
		l.Skip, l.Limit = skip, limit
		return g.Service.ListStatements(g.Ctx(), l)
	}, func(s service.Statement) hyperedgeBody { return hyperedgeView(g.Memory, s) })
}

// pair is one pair of a hyperedge to add; it is also the response.
type pair struct {
	UUID   string      `json:"uuid,omitempty"`
	Name   string      `json:"name"`
	Source project.End `json:"source_node"`
	Target project.End `json:"target_node"`
}

func (e pair) read(r *project.Reader) graph.TriplePair {
	if e.UUID != "" {
		r.Note(graph.Invalid("edges.uuid", "must be left out"))
	}
	return graph.TriplePair{Predicate: e.Name, Source: e.Source.Read(r, "source_node"), Target: e.Target.Read(r, "target_node")}
}

// newHyperedge is a hyperedge to add; it is also the response.
type newHyperedge struct {
	UUID       string          `json:"uuid,omitempty"`
	Fact       string          `json:"fact"`
	Edges      []pair          `json:"edges"`
	Attributes json.RawMessage `json:"attributes,omitempty"`
	Metadata   json.RawMessage `json:"metadata,omitempty"`
	ValidAt    string          `json:"valid_at,omitempty"`
	InvalidAt  string          `json:"invalid_at,omitempty"`
	ExpiredAt  string          `json:"expired_at,omitempty"`
}

// triple converts the hyperedge to one fact about several pairs.
func (in newHyperedge) triple(group string) (annals.Triple, error) {
	var r project.Reader
	t := annals.Triple{
		GroupID: group, Fact: in.Fact, Attributes: project.Object(in.Attributes), ValidAt: r.Time("valid_at", in.ValidAt), InvalidAt: r.Time("invalid_at", in.InvalidAt),
	}
	ends := map[string]bool{}
	for i, e := range in.Edges {
		p := e.read(&r)
		ends[strings.ToLower(p.Source.Name)+p.Source.ID.String()] = true
		ends[strings.ToLower(p.Target.Name)+p.Target.ID.String()] = true
		if i == 0 {
			t.Source, t.Target, t.Predicate = p.Source, p.Target, p.Predicate
		} else {
			t.More = append(t.More, p)
		}
	}
	switch {
	case in.ExpiredAt != "":
		r.Note(errExpired)
	case in.UUID != "":
		r.Note(graph.Invalid("uuid", "must be left out"))
	case strings.TrimSpace(in.Fact) == "":
		r.Note(graph.Invalid("fact", "is empty"))
	case len(ends) < 3:
		r.Note(graph.Invalid("edges", "span %s; a hyperedge has at least 3, and edges of two are added with graph.edge.add", each.Count(len(ends), "node")))
	}
	return t, r.Err
}

func addHyperedge(g project.Graph, in newHyperedge) (any, error) {
	t, err := in.triple(g.ID)
	if err != nil {
		return nil, err
	}
	added, err := g.Client.AddTriple(g.Ctx(), t)
	if err != nil {
		return nil, err
	}
	facts, err := g.Service.FactsByID(g.Ctx(), g.ID, added.FactIDs)
	if err != nil {
		return nil, err
	}
	if err := g.Describe(added, in.Metadata, in.note(facts)); err != nil {
		return nil, err
	}
	return accepted(withTask(g.Call, map[string]any{"hyperedge": in}, "graph.hyperedge.add", g.TaskOf(added.EpisodeID, added.EpisodeID), &taskResult{HyperedgeUUID: in.UUID}))
}

// note sets the UUIDs of the new facts, and returns the summaries of their ends.
func (in *newHyperedge) note(facts []annals.Fact) map[uuid.UUID]string {
	summaries := map[uuid.UUID]string{}
	for i, f := range facts {
		if in.UUID = f.StatementID.String(); len(facts) != len(in.Edges) {
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
	return summaries
}

func updateHyperedge(h hyperedge, in struct {
	Fact *string `json:"fact"`
},
) (any, error) {
	if in.Fact == nil {
		return getHyperedge(h)
	}
	changes, err := rewording(h.Memory, h.Row.ID, *in.Fact)
	if err != nil {
		return nil, err
	}
	if _, err := h.Service.EditEach(h.Ctx(), h.ID, changes); err != nil {
		return nil, err
	}
	if h.Row, err = statementOf(h.Memory, h.Row.ID); err != nil {
		return nil, err
	}
	return getHyperedge(h)
}

func removeHyperedge(h hyperedge) error {
	ids := each.Of(h.Row.Facts, func(f annals.Fact) uuid.UUID { return f.ID })
	return h.Service.WithdrawFacts(h.Ctx(), h.ID, ids)
}

// addMember adds a pair to a statement, with the same words and times.
func addMember(h hyperedge, in pair) (any, error) {
	var r project.Reader
	p := in.read(&r)
	if r.Err != nil {
		return nil, r.Err
	}
	first := h.Row.Facts[0]
	added, err := h.Client.AddTriple(h.Ctx(), annals.Triple{
		GroupID: h.ID, Source: p.Source, Target: p.Target, Predicate: p.Predicate, Fact: first.Fact, StatementID: h.Row.ID,
		ValidAt: first.Valid.Start, InvalidAt: first.Valid.End, OccurredAt: first.SaidAt,
	})
	if err != nil {
		return nil, err
	}
	view := newEdge{
		Triple: project.Triple{
			Fact: first.Fact, Name: in.Name, Source: in.Source, Target: in.Target, ValidAt: stampOrNone(first.Valid.Start), InvalidAt: stampOrNone(first.Valid.End),
		},
		UUID: added.FactID.String(), SourceUUID: added.SourceID.String(), TargetUUID: added.TargetID.String(), ExpiredAt: stampOrNone(first.ExpiredAt),
	}
	result := &taskResult{HyperedgeUUID: h.Row.ID.String(), resultEdge: resultEdge{view.UUID, view.SourceUUID, view.TargetUUID}}
	return accepted(withTask(h.Call, map[string]any{"edge": view}, "graph.hyperedge.create_edge", h.TaskOf(added.EpisodeID, added.EpisodeID), result))
}

// stampOrNone formats a time; empty if it is zero.
func stampOrNone(t time.Time) string { return project.OrZero(project.StampOr(t)) }

func removeMember(h hyperedge) error {
	for _, f := range h.Row.Facts {
		if f.ID.String() == strings.ToLower(h.Call.PathValue("edge")) {
			return h.Client.WithdrawFact(h.Ctx(), h.ID, f.ID)
		}
	}
	return project.NotFound("edge not found in this hyperedge: " + h.Call.PathValue("edge"))
}
