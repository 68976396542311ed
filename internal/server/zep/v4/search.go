package v4

import (
	"time"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server/zep/project"
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
func search[Row, View any](scope string, known []string, hits func(project.Results) []Row, view func(project.Memory, Row) View) project.Answer {
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
		return cut(s, hits(found), viewIn(g.Memory, view)), err
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
	return reached.Shown(viewsIn(g.Memory, reached.Nodes, nodeView), viewsIn(g.Memory, reached.Edges, edgeView)), err
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
			"edges": viewsIn(g.Memory, found.Edges, edgeView), "nodes": viewsIn(g.Memory, found.Nodes, nodeView), "episodes": []string{},
			"observations": []string{}, "thread_summaries": viewsIn(g.Memory, found.Threads, sagaView),
		}
	}
	return out, nil
}
