package v4

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server/zep/project"
	"github.com/annalsdb/annals/internal/service"
)

var searchRoutes = project.Routes{
	"POST /graphs/{graph}/search/edges":            search("edges", edgeFilters, func(r project.Results) []project.Edge { return r.Edges }, edgeView),
	"POST /graphs/{graph}/search/nodes":            search("nodes", nodeFilters, func(r project.Results) []project.Node { return r.Nodes }, nodeView),
	"POST /graphs/{graph}/search/episodes":         search("episodes", byMetadata, func(r project.Results) []project.Episode { return r.Episodes }, episodeView),
	"POST /graphs/{graph}/search/thread-summaries": search("thread_summaries", byMetadata, func(r project.Results) []project.Saga { return r.Threads }, sagaView),

	"POST /graphs/{graph}/subgraph": project.OnWith(graphIn, subgraph),
	"POST /graphs/{graph}/context":  project.OnWith(graphIn, graphContext),
}

// query is the JSON form of a search.
type query struct {
	filtered
	Query     string   `json:"query"`
	Reranker  string   `json:"reranker"`
	MMRLambda *float64 `json:"mmr_lambda"`
	Center    string   `json:"center_node_uuid"`
	Origins   []string `json:"bfs_origin_node_uuids"`
	Drop      bool     `json:"filter_low_quality_results"`
}

// search makes a handler for a search in one scope. Each page is a range of the same best results,
// so that no result is on two pages.
func search[Row, View any](scope string, known []string, hits func(project.Results) []Row, view func(Row) View) project.Answer {
	return project.OnWith(graphIn, func(g project.Graph, in query) (any, error) {
		s, err := stretchOf(g.Call, project.SearchLimit, project.MaxSearchLimit)
		if err != nil {
			return nil, err
		}
		if in.Reranker == "mmr" && in.MMRLambda == nil {
			return nil, graph.Invalid("mmr_lambda", "is missing; mmr needs it")
		}
		if in.Drop && (in.Reranker != "cross_encoder" || scope == "episodes") {
			return nil, graph.Invalid("filter_low_quality_results", "goes with the reranker cross_encoder alone, and not with episodes")
		}
		if in.Drop {
			g.Call.Ignore("filter_low_quality_results")
		}
		most := project.MaxSearchLimit
		q := project.Query{
			Query: in.Query, Scope: scope, Limit: &most, Reranker: in.Reranker, MMRLambda: project.OrZero(in.MMRLambda), Center: in.Center, Origins: in.Origins,
		}
		if q.Filters, err = in.Filters.read(known...); err != nil {
			return nil, err
		}
		found, err := g.Find(q)
		return cut(s, hits(found), view), err
	})
}

func subgraph(g project.Graph, in struct {
	filtered
	project.Walk
},
) (any, error) {
	var err error
	if in.Walk.Filters, err = in.filtered.Filters.read(walkFilters...); err != nil {
		return nil, err
	}
	reached, err := g.Subgraph(in.Walk)
	return reached.Shown(each.Of(reached.Nodes, nodeView), each.Of(reached.Edges, edgeView)), err
}

// recency maps the strength of the preference for recent rows to the half-life of a row.
var recency = map[string]time.Duration{"": 0, "off": 0, "mild": 365 * 24 * time.Hour, "strong": 30 * 24 * time.Hour}

func graphContext(g project.Graph, in struct {
	filtered
	Query         string `json:"query"`
	Results       bool   `json:"include_results"`
	MaxCharacters *int   `json:"max_characters"`
	Recency       string `json:"recency_bias"`
	Template      string `json:"template_uuid"`
},
) (any, error) {
	q := project.Query{Query: in.Query, Scope: "auto", MaxCharacters: in.MaxCharacters, RawResults: in.Results, WithoutEpisodes: true}
	var known bool
	if q.Recency, known = recency[in.Recency]; !known {
		return nil, graph.Invalid("recency_bias", "%q is not one of off, mild, strong", in.Recency)
	}
	var err error
	if q.Filters, err = in.Filters.read(anyFilters...); err != nil {
		return nil, err
	}
	found, err := g.Find(q)
	if err != nil {
		return nil, err
	}
	out := map[string]any{"context": found.Context, "truncated": found.Truncated}
	if in.Template != "" {
		t, err := templateBy(g.Call, in.Template)
		if err != nil {
			return nil, err
		}
		if out["context"], err = g.Filled(q, t.Row.Template); err != nil {
			return nil, err
		}
		out["truncated"] = false
		if in.MaxCharacters != nil {
			g.Call.Ignore("max_characters")
		}
	}
	if in.Results {
		out["results"] = map[string]any{
			"edges": each.Of(found.Edges, edgeView), "nodes": each.Of(found.Nodes, nodeView), "episodes": []string{},
			"observations": []string{}, "thread_summaries": each.Of(found.Threads, sagaView),
		}
	}
	return out, nil
}

// filters is the JSON form of the filters of a search or a list.
type filters struct {
	project.RowFilters
	MentionedNodeUUIDs []string                     `json:"mentioned_node_uuids"`
	NodeUUIDs          []string                     `json:"node_uuids"`
	PropertyFilters    []propertyTest               `json:"property_filters"`
	DateFilters        *dateFilters                 `json:"date_filters"`
	MetadataFilters    *project.Group[propertyTest] `json:"metadata_filters"`
	PolicyViolated     json.RawMessage              `json:"content_policy_violated"`
}

type dateFilters struct {
	AnyOf []struct {
		AllOf []dateTest `json:"all_of"`
	} `json:"any_of"`
}

type dateTest struct {
	Field    string `json:"field"`
	Operator string `json:"operator"`
	Value    string `json:"value"`
}

// propertyTest is a condition on a property.
type propertyTest struct {
	Name     string `json:"property_name"`
	Operator string `json:"operator"`
	Value    any    `json:"value"`
}

// Parts returns the parts of the test.
func (t propertyTest) Parts() (operator, name string, value any) { return t.Operator, t.Name, t.Value }

// operators maps names to comparisons.
var operators = project.Operators{
	"eq": annals.OpEqual, "ne": annals.OpNotEqual, "gt": annals.OpGreater, "gte": annals.OpGreaterEqual, "lt": annals.OpLess,
	"lte": annals.OpLessEqual, "in": annals.OpIn, "contains": annals.OpContains, "is_null": annals.OpNull, "is_not_null": annals.OpNotNull,
}

// The filters that each search or list accepts.
var (
	edgeFilters = []string{
		"edge_types", "exclude_edge_types", "edge_uuids", "episode_uuids", "connected_node_uuids", "source_node_uuids", "target_node_uuids",
		"property_filters", "date_filters", "metadata_filters",
	}
	nodeFilters    = []string{"node_labels", "exclude_node_labels", "episode_uuids", "property_filters", "metadata_filters"}
	nodesListed    = append([]string{"date_filters"}, nodeFilters...)
	byMetadata     = []string{"metadata_filters"}
	episodesListed = append([]string{"mentioned_node_uuids"}, byMetadata...)
	anyFilters     = append([]string{"node_labels", "exclude_node_labels"}, edgeFilters...)
	walkFilters    = anyFilters[:len(anyFilters)-1] // without metadata
	ofHyperedges   = []string{"node_uuids", "edge_uuids", "episode_uuids"}
)

// only refuses filters that are set and not among the known ones.
func (f filters) only(known ...string) error {
	for field, given := range map[string]bool{
		"node_labels": f.NodeLabels != nil, "exclude_node_labels": f.ExcludeNodeLabels != nil, "edge_types": f.EdgeTypes != nil,
		"exclude_edge_types": f.ExcludeEdgeTypes != nil, "edge_uuids": f.EdgeUUIDs != nil, "episode_uuids": f.EpisodeUUIDs != nil,
		"connected_node_uuids": f.ConnectedNodeUUIDs != nil, "source_node_uuids": f.SourceNodeUUIDs != nil,
		"target_node_uuids": f.TargetNodeUUIDs != nil, "mentioned_node_uuids": f.MentionedNodeUUIDs != nil, "node_uuids": f.NodeUUIDs != nil,
		"property_filters": f.PropertyFilters != nil, "date_filters": f.DateFilters != nil, "metadata_filters": f.MetadataFilters != nil,
		"content_policy_violated": f.PolicyViolated != nil,
	} {
		if given && !slices.Contains(known, field) {
			return graph.Invalid("filters."+field, "is not a filter of this operation; those are: %s", strings.Join(known, ", "))
		}
	}
	return nil
}

// read converts the filters, and refuses those that are not among the known ones.
func (f filters) read(known ...string) (service.List, error) {
	if err := f.only(known...); err != nil {
		return service.List{}, err
	}
	var r project.Reader
	out := f.RowFilters.Read(&r)
	out.Mentions = r.UUIDs("mentioned_node_uuids", f.MentionedNodeUUIDs, project.MaxListed)
	out.Filter.Attributes = project.AllOf(&r, operators, "property_filters", f.PropertyFilters)
	out.Filter.Metadata = f.MetadataFilters.Read(&r, operators, "metadata_filters")
	f.DateFilters.into(&r, &out)
	return out, r.Err
}

// into adds the conditions on times. Alternatives (any_of) work only if all of them are about the
// same field.
func (d *dateFilters) into(r *project.Reader, out *service.List) {
	if d == nil {
		return
	}
	const name = "filters.date_filters"
	fields := map[string]*annals.TimeCondition{
		"created_at": &out.Filter.Created, "valid_at": &out.Filter.Valid, "invalid_at": &out.Filter.Invalid, "expired_at": &out.Filter.Expired,
	}
	about := map[string]bool{}
	for _, group := range d.AnyOf {
		tests := map[string][]annals.TimeTest{}
		for _, f := range group.AllOf {
			if fields[f.Field] == nil {
				r.Note(graph.Invalid(name, "%q is not one of created_at, valid_at, invalid_at, expired_at", f.Field))
				return
			}
			about[f.Field] = true
			tests[f.Field] = append(tests[f.Field], operators.Time(r, f.Field, f.Operator, f.Value))
		}
		if len(tests) == 0 {
			r.Note(graph.Invalid(name, "have a group without a condition; leave it out"))
		}
		for field, all := range tests {
			*fields[field] = append(*fields[field], all)
		}
	}
	if len(d.AnyOf) > 1 && len(about) > 1 {
		r.Note(graph.Invalid(name, "with several groups in any_of must all be about one field; ask once for each group"))
	}
}
