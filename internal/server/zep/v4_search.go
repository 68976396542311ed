package zep

import (
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

var v4SearchRoutes = []route{
	{"POST", "/graphs/{graph}/search/edges", v4Search("edges", v4EdgeFilters)},
	{"POST", "/graphs/{graph}/search/nodes", v4Search("nodes", v4NodeFilters)},
	{"POST", "/graphs/{graph}/search/episodes", v4Search("episodes", v4ByMetadata)},
	{"POST", "/graphs/{graph}/search/thread-summaries", v4Search("thread_summaries", v4ByMetadata)},
	{"POST", "/graphs/{graph}/subgraph", v4With((*call).v4Subgraph)},
	{"POST", "/graphs/{graph}/context", v4With((*call).v4GraphContext)},
}

// v4Query is a search as version 4 asks for it.
type v4Query struct {
	Query     string    `json:"query"`
	Filters   v4Filters `json:"filters"`
	Reranker  string    `json:"reranker"`
	MMRLambda *float64  `json:"mmr_lambda"`
	Center    string    `json:"center_node_uuid"`
	Origins   []string  `json:"bfs_origin_node_uuids"`
	Drop      bool      `json:"filter_low_quality_results"`
}

// v4Search makes the search of one scope. All its pages are of the best
// maxSearchLimit results, so that none is on two.
func v4Search(scope string, filters []string) func(*call) (any, error) {
	return v4With(func(c *call, in v4Query) (any, error) {
		s, err := c.stretch4(searchLimit, maxSearchLimit)
		if err != nil {
			return nil, err
		}
		p, _, err := c.graphIn()
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
			c.ignore("filter_low_quality_results")
		}
		most := maxSearchLimit
		q := query{
			Query: in.Query, Scope: scope, Limit: &most, Reranker: in.Reranker, MMRLambda: orZero(in.MMRLambda), Center: in.Center, Origins: in.Origins,
		}
		if q.Filters, err = in.Filters.search(filters...); err != nil {
			return nil, err
		}
		found, err := c.find(p, q)
		if err != nil {
			return nil, err
		}
		switch scope {
		case "nodes":
			return among(s, found.Nodes, p.v4Node), nil
		case "episodes":
			return among(s, found.episodes, func(h annals.EpisodeHit) v4Episode { return p.v4Hit(h, found) }), nil
		case "thread_summaries":
			return among(s, found.Threads, p.v4Saga), nil
		}
		return among(s, found.Edges, p.v4Edge), nil
	})
}

// v4Hit is an episode that was found.
func (p place) v4Hit(h annals.EpisodeHit, found results) v4Episode {
	view := p.v4Episode(notedEpisode(h))
	view.scored = found.mark(h.Score)
	return view
}

// v4Saga is a conversation's summary that was found.
func (p place) v4Saga(s sagaView) v4Summary {
	return v4Summary{
		UUID: s.UUID, ThreadUUID: threadUUID(p.group, s.Name), GraphUUID: groupUUID(p.group), Summary: s.Summary, CreatedAt: s.CreatedAt,
		SummarisedAt: s.SummarisedAt, SummarisedThrough: s.SummarisedThrough, scored: s.scored,
	}
}

func (c *call) v4Subgraph(in struct {
	Seeds     []string  `json:"seed_node_uuids"`
	Depth     *int      `json:"depth"`
	Direction string    `json:"direction"`
	MaxNodes  *int      `json:"max_nodes"`
	MaxEdges  *int      `json:"max_edges"`
	Filters   v4Filters `json:"filters"`
},
) (any, error) {
	p, _, err := c.graphIn()
	if err != nil {
		return nil, err
	}
	w := walk{Seeds: in.Seeds, Depth: in.Depth, Direction: in.Direction, MaxNodes: in.MaxNodes, MaxEdges: in.MaxEdges}
	if w.Filters, err = in.Filters.search(v4WalkFilters...); err != nil {
		return nil, err
	}
	nodes, edges, truncated, err := c.around(p, w)
	if err != nil {
		return nil, err
	}
	out := map[string]any{"nodes": views(nodes, p.v4Node), "edges": views(edges, p.v4Edge), "truncated": truncated != ""}
	if truncated != "" {
		out["truncation_reason"] = truncated
	}
	return out, nil
}

// v4Recency maps how much recent rows are preferred to the half-life of the others.
var v4Recency = map[string]time.Duration{"": 0, "off": 0, "mild": 365 * 24 * time.Hour, "strong": 30 * 24 * time.Hour}

func (c *call) v4GraphContext(in struct {
	Query         string    `json:"query"`
	Filters       v4Filters `json:"filters"`
	Results       bool      `json:"include_results"`
	MaxCharacters *int      `json:"max_characters"`
	Recency       string    `json:"recency_bias"`
	Template      string    `json:"template_uuid"`
},
) (any, error) {
	p, _, err := c.graphIn()
	if err != nil {
		return nil, err
	}
	q := query{Query: in.Query, Scope: "auto", MaxCharacters: in.MaxCharacters, RawResults: in.Results, withoutEpisodes: true}
	var known bool
	if q.recency, known = v4Recency[in.Recency]; !known {
		return nil, graph.Invalid("recency_bias", "%q is not one of off, mild, strong", in.Recency)
	}
	if q.Filters, err = in.Filters.search(v4AnyFilters...); err != nil {
		return nil, err
	}
	found, err := c.findAuto(p, q)
	if err != nil {
		return nil, err
	}
	out := map[string]any{"context": found.Context, "truncated": found.truncated}
	if in.Template != "" {
		t, err := c.templateBy(in.Template)
		if err != nil {
			return nil, err
		}
		if out["context"], err = c.filled(p, in.Query, t.Template); err != nil {
			return nil, err
		}
		out["truncated"] = false
	}
	if in.Results {
		out["results"] = map[string]any{
			"edges": views(found.Edges, p.v4Edge), "nodes": views(found.Nodes, p.v4Node), "episodes": []v4Episode{}, "observations": []string{},
			"thread_summaries": views(found.Threads, p.v4Saga),
		}
	}
	return out, nil
}
