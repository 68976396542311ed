package v3

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server/zep/project"
	"github.com/annalsdb/annals/internal/service"
)

var searchRoutes = project.Routes{
	"POST /graph/search":   project.With(search),
	"POST /graph/subgraph": project.With(subgraph),
}

func search(c *project.Call, in struct {
	target
	project.Query
	Filters searchFilters `json:"search_filters"`
},
) (any, error) {
	began := time.Now()
	m, err := c.Either(in.UserID, in.GraphID)
	if err != nil {
		return nil, err
	}
	if in.Scope == "observations" {
		return nil, project.Unsupported("graph.search with the scope observations")
	}
	if in.Query.Filters, err = in.Filters.read(); err != nil {
		return nil, err
	}
	found, err := m.Find(in.Query)
	if err != nil {
		return nil, err
	}
	return hits{
		Context: found.Context, Edges: edgeViews(found.Edges), Nodes: nodeViews(found.Nodes), Episodes: each.Of(found.Episodes, episodeViewOf),
		Threads: each.Of(found.Threads, func(s project.Saga) foundSaga {
			return foundSaga{s, s.Thread, []string{"ThreadSummary"}}
		}),
		Response: map[string]any{"server_latency_ms": time.Since(began).Milliseconds()},
	}, nil
}

// hits is the JSON form of the result of a search.
type hits struct {
	Context  string         `json:"context,omitempty"`
	Edges    []edgeView     `json:"edges,omitempty"`
	Nodes    []nodeView     `json:"nodes,omitempty"`
	Episodes []episodeView  `json:"episodes,omitempty"`
	Threads  []foundSaga    `json:"thread_summaries,omitempty"`
	Response map[string]any `json:"response"`
}

// foundSaga is the JSON form of a thread's summary in the result of a search.
type foundSaga struct {
	project.Saga
	Name   string   `json:"name"`
	Labels []string `json:"labels"`
}

func subgraph(c *project.Call, in struct {
	target
	project.Walk
	Filters searchFilters `json:"search_filters"`
},
) (any, error) {
	m, err := c.Either(in.UserID, in.GraphID)
	if err != nil {
		return nil, err
	}
	if in.Walk.Filters, err = in.Filters.read(); err != nil {
		return nil, err
	}
	found, err := m.Subgraph(in.Walk)
	return found.Shown(nodeViews(found.Nodes), edgeViews(found.Edges)), err
}

// searchFilters is the JSON form of the filters of a search.
type searchFilters struct {
	project.RowFilters
	PropertyFilters []propertyTest               `json:"property_filters"`
	CreatedAt       [][]dateTest                 `json:"created_at"`
	ValidAt         [][]dateTest                 `json:"valid_at"`
	InvalidAt       [][]dateTest                 `json:"invalid_at"`
	ExpiredAt       [][]dateTest                 `json:"expired_at"`
	EpisodeMetadata *project.Group[propertyTest] `json:"episode_metadata_filters"`
}

// operators maps symbols to comparisons.
var operators = project.Operators{
	"=": annals.OpEqual, "<>": annals.OpNotEqual, ">": annals.OpGreater, ">=": annals.OpGreaterEqual,
	"<": annals.OpLess, "<=": annals.OpLessEqual, "CONTAINS": annals.OpContains, "IN": annals.OpIn,
	"IS NULL": annals.OpNull, "is_null": annals.OpNull, "IS NOT NULL": annals.OpNotNull,
}

// read converts the filters.
func (f searchFilters) read() (service.List, error) {
	var r project.Reader
	out := f.RowFilters.Read(&r)
	out.Filter.Created, out.Filter.Valid = dates(&r, "created_at", f.CreatedAt), dates(&r, "valid_at", f.ValidAt)
	out.Filter.Invalid, out.Filter.Expired = dates(&r, "invalid_at", f.InvalidAt), dates(&r, "expired_at", f.ExpiredAt)
	out.Filter.Attributes = project.AllOf(&r, operators, "property_filters", f.PropertyFilters)
	out.Filter.Metadata = f.EpisodeMetadata.Read(&r, operators, "episode_metadata_filters")
	return out, r.Err
}

type dateTest struct {
	Operator string `json:"comparison_operator"`
	Date     string `json:"date"`
}

// dates reads alternatives, of which one must hold with all its tests.
func dates(r *project.Reader, field string, alternatives [][]dateTest) (out annals.TimeCondition) {
	for _, tests := range alternatives {
		if len(tests) == 0 {
			r.Note(graph.Invalid(field, "has an empty list of conditions; leave it out"))
		}
		out = append(out, each.Of(tests, func(t dateTest) annals.TimeTest { return operators.Time(r, field, t.Operator, t.Date) }))
	}
	return out
}

type propertyTest struct {
	Operator string `json:"comparison_operator"`
	Name     string `json:"property_name"`
	Value    any    `json:"property_value"`
}

// Parts returns the parts of the test.
func (t propertyTest) Parts() (operator, name string, value any) { return t.Operator, t.Name, t.Value }

var addRoutes = project.Routes{
	"POST /graph":                              project.With(addData),
	"POST /graph-batch":                        project.With(addDataBatch),
	"POST /graph/add-fact-triple":              project.With(addTriple),
	"POST /graph/nodes":                        project.With(addNodes),
	"GET /graph/documents/{document}/episodes": documentEpisodes,
}

// newData is an episode to add.
type newData struct {
	project.Data
	CreatedAt string `json:"created_at"`
}

func (d newData) data() project.Data {
	d.At = d.CreatedAt
	return d.Data
}

func addData(c *project.Call, in struct {
	target
	newData
},
) (any, error) {
	added, err := addAll(c, in.target, []newData{in.newData})
	if err != nil {
		return nil, err
	}
	return added[0], nil
}

func addDataBatch(c *project.Call, in struct {
	target
	DocumentID string    `json:"document_id"`
	Episodes   []newData `json:"episodes"`
},
) (any, error) {
	if err := project.Counted("episodes", len(in.Episodes), project.MaxMessages); err != nil {
		return nil, err
	}
	if in.DocumentID != "" {
		for i := range in.Episodes {
			in.Episodes[i].DocumentID = in.DocumentID
		}
	}
	return addAll(c, in.target, in.Episodes)
}

func addAll(c *project.Call, to target, data []newData) ([]episodeView, error) {
	m, err := c.Either(to.UserID, to.GraphID)
	if err != nil {
		return nil, err
	}
	stored, task, err := m.AddData(each.Of(data, newData.data))
	return each.Of(stored, func(e annals.Episode) episodeView {
		view := episodeViewOf(m.EpisodeOf(e))
		view.TaskID = task
		return view
	}), err
}

// newTriple is a fact to add without a text.
type newTriple struct {
	target
	Fact             string          `json:"fact"`
	FactName         string          `json:"fact_name"`
	SourceName       string          `json:"source_node_name"`
	SourceUUID       string          `json:"source_node_uuid"`
	SourceLabels     []string        `json:"source_node_labels"`
	SourceSummary    string          `json:"source_node_summary"`
	SourceAttributes json.RawMessage `json:"source_node_attributes"`
	TargetName       string          `json:"target_node_name"`
	TargetUUID       string          `json:"target_node_uuid"`
	TargetLabels     []string        `json:"target_node_labels"`
	TargetSummary    string          `json:"target_node_summary"`
	TargetAttributes json.RawMessage `json:"target_node_attributes"`
	EdgeAttributes   json.RawMessage `json:"edge_attributes"`
	Metadata         json.RawMessage `json:"metadata"`
	CreatedAt        string          `json:"created_at"`
	ValidAt          string          `json:"valid_at"`
	InvalidAt        string          `json:"invalid_at"`
}

func (in newTriple) triple() project.Triple {
	return project.Triple{
		Fact: in.Fact, Name: in.FactName, Attributes: in.EdgeAttributes, Metadata: in.Metadata,
		Source:    project.End{UUID: in.SourceUUID, Name: in.SourceName, Labels: in.SourceLabels, Summary: in.SourceSummary, Attributes: in.SourceAttributes},
		Target:    project.End{UUID: in.TargetUUID, Name: in.TargetName, Labels: in.TargetLabels, Summary: in.TargetSummary, Attributes: in.TargetAttributes},
		CreatedAt: in.CreatedAt, ValidAt: in.ValidAt, InvalidAt: in.InvalidAt,
	}
}

func addTriple(c *project.Call, in newTriple) (any, error) {
	m, err := c.Either(in.UserID, in.GraphID)
	if err != nil {
		return nil, err
	}
	added, err := m.AddFact(in.triple())
	if err != nil {
		return nil, err
	}
	edges, err := m.Edges(m.Service.FactsByID(m.Ctx(), m.ID, []uuid.UUID{added.FactID}))
	if err != nil {
		return nil, err
	}
	nodes, err := m.Nodes(m.Service.EntitiesByID(m.Ctx(), m.ID, []uuid.UUID{added.SourceID, added.TargetID}))
	out := map[string]any{"task_id": m.TaskOf(added.EpisodeID, added.EpisodeID)}
	if len(edges) == 1 {
		out["edge"] = edgeViewOf(edges[0])
	}
	if len(nodes) == 2 {
		out["source_node"], out["target_node"] = nodeViewOf(nodes[0]), nodeViewOf(nodes[1])
	}
	return out, err
}

func addNodes(c *project.Call, in struct {
	target
	Nodes []project.NewNode `json:"nodes"`
},
) (any, error) {
	m, err := c.Either(in.UserID, in.GraphID)
	if err != nil {
		return nil, err
	}
	err = m.AddNodes(in.Nodes)
	return map[string]any{"nodes": in.Nodes, "task_id": doneMark + graph.EscapeGroupID(c.Local(m.ID))}, err
}

func documentEpisodes(c *project.Call) (any, error) {
	g, err := c.Graph(c.URL.Query().Get("graph_id"))
	if err != nil {
		return nil, err
	}
	return episodeList(g.DocumentEpisodes(c.PathValue("document"), 0, annals.MaxRows))
}
