package zep

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

var searchRoutes = []route{
	{"POST", "/graph/search", with((*call).search)},
	{"POST", "/graph/subgraph", with((*call).subgraph)},
}

// query is a search on the wire.
type query struct {
	target
	Query         string        `json:"query"`
	Scope         string        `json:"scope"`
	Limit         *int          `json:"limit"`
	Reranker      string        `json:"reranker"`
	MMRLambda     float64       `json:"mmr_lambda"`
	Center        string        `json:"center_node_uuid"`
	Origins       []string      `json:"bfs_origin_node_uuids"`
	MaxCharacters *int          `json:"max_characters"`
	RawResults    bool          `json:"return_raw_results"`
	Filters       searchFilters `json:"search_filters"`

	recency         time.Duration // half-life of rows; zero: age does not matter
	withoutEpisodes bool          // of the scope auto
}

const (
	searchLimit       = 10
	maxSearchLimit    = 50
	autoCharacters    = 2500
	maxAutoCharacters = 50_000
	maxQuery          = 400 // characters, in Zep; longer ones are taken, but not put together
)

// scopes are the scopes of a search.
var scopes = map[string][]graph.Kind{
	"": {graph.KindFact}, "edges": {graph.KindFact}, "nodes": {graph.KindEntity}, "episodes": {graph.KindEpisode},
	"thread_summaries": {graph.KindThread}, "auto": {graph.KindFact, graph.KindEntity, graph.KindEpisode, graph.KindThread}, "observations": {graph.KindEntity},
}

// rerankers maps names to the library's rerankers. The one by mentions in given
// episodes is made here.
var rerankers = map[string][]annals.Rerank{
	"": nil, "rrf": nil, "mmr": {annals.RerankMMR}, "node_distance": {annals.RerankDistance},
	"episode_mentions": nil, "cross_encoder": {annals.RerankModel},
}

// results is the result of a search on the wire.
type results struct {
	Context   string              `json:"context,omitempty"`
	Edges     []edgeView          `json:"edges,omitempty"`
	Nodes     []nodeView          `json:"nodes,omitempty"`
	Episodes  []episodeView       `json:"episodes,omitempty"`
	Threads   []sagaView          `json:"thread_summaries,omitempty"`
	Response  map[string]any      `json:"response"`
	episodes  []annals.EpisodeHit // Episodes as they were found
	relevance bool
	truncated bool // more was found than there was room for
}

// sagaView is a conversation's summary as a search finds it.
type sagaView struct {
	UUID              string   `json:"uuid"`
	Name              string   `json:"name"`
	Labels            []string `json:"labels"`
	Summary           string   `json:"summary"`
	CreatedAt         string   `json:"created_at"`
	SummarisedAt      *string  `json:"last_summarized_at,omitempty"`
	SummarisedThrough *string  `json:"last_summarized_episode_valid_at,omitempty"`
	scored
}

func (c *call) search(in query) (any, error) {
	p, err := c.either(in.UserID, in.GraphID)
	if err != nil {
		return nil, err
	}
	if in.Scope == "observations" {
		return nil, unsupported("graph.search with the scope observations")
	}
	find := c.find
	if in.Scope == "auto" {
		find = c.findAuto
	}
	out, err := find(p, in)
	out.Response = map[string]any{"server_latency_ms": time.Since(c.began).Milliseconds()}
	return out, err
}

// find searches one scope.
func (c *call) find(p place, in query) (results, error) {
	if strings.TrimSpace(in.Query) == "" {
		return results{}, graph.Invalid("query", "is empty")
	}
	q, kept, err := in.query(p.group)
	if err != nil {
		return results{}, err
	}
	limit := q.Limit
	if kept.any() {
		q.Limit = annals.MaxLimit // what is left out is chosen afterwards
	}
	found, reranked, err := c.ranked(p, q)
	if err != nil {
		return results{}, err
	}
	if err := c.narrow(p, &found, kept); err != nil {
		return results{}, err
	}
	if in.Reranker == "episode_mentions" {
		kept.byEpisodes(found.Facts)
	}
	if !kept.any() {
		found = withAgainst(q, found)
	}
	found.Facts = found.Facts[:min(limit, len(found.Facts))]
	found.Entities = found.Entities[:min(limit, len(found.Entities))]
	found.Episodes = found.Episodes[:min(limit, len(found.Episodes))]
	out := results{relevance: reranked}
	if in.Scope == "thread_summaries" {
		if out.Threads, err = c.sagas(p, found, limit); err != nil {
			return results{}, err
		}
		found.Episodes = nil
	}
	err = c.show(p, &out, found)
	return out, err
}

// ranked searches. Where a model was to rank what is found and there is none, it is
// ranked by fusion, as without one, and the answer says so.
func (c *call) ranked(p place, q annals.Query) (found annals.Result, reranked bool, err error) {
	found, err = p.Search(c.ctx(), q)
	if !slices.Contains(q.Rerank, annals.RerankModel) {
		return found, false, err
	}
	if known, ok := errors.AsType[*annals.Error](err); !ok || known.Field != "rerank" {
		return found, true, err
	}
	c.ignore("reranker=cross_encoder")
	q.Rerank = nil
	found, err = p.Search(c.ctx(), q)
	return found, false, err
}

// query turns a request into a query of the library.
func (in query) query(group string) (annals.Query, rows, error) {
	q := annals.Query{GroupID: group, Text: in.Query, Limit: searchLimit, IncludeEnded: true, Former: true, Changes: true, Lambda: in.MMRLambda}
	var ok bool
	if q.Scopes, ok = scopes[in.Scope]; !ok {
		return q, rows{}, graph.Invalid("scope", "%q is not one of edges, nodes, episodes, thread_summaries, auto", in.Scope)
	}
	if q.Rerank, ok = rerankers[in.Reranker]; !ok {
		return q, rows{}, graph.Invalid("reranker", "%q is not one of rrf, mmr, node_distance, episode_mentions, cross_encoder", in.Reranker)
	}
	if in.Limit != nil {
		if *in.Limit < 1 {
			return q, rows{}, graph.Invalid("limit", "is %d; it must be 1 to %d", *in.Limit, maxSearchLimit)
		}
		q.Limit = min(*in.Limit, maxSearchLimit)
	}
	if in.Center != "" {
		center, err := uuid.Parse(in.Center)
		if err != nil {
			return q, rows{}, graph.Invalid("center_node_uuid", "%q is no UUID", in.Center)
		}
		q.Center = center
	}
	if in.Reranker == "node_distance" && in.Center == "" {
		return q, rows{}, graph.Invalid("center_node_uuid", "is missing; node_distance needs the node to measure from")
	}
	var err error
	if q.Seeds, err = uuids("bfs_origin_node_uuids", in.Origins, annals.MaxSeeds); err != nil {
		return q, rows{}, err
	}
	if len(q.Seeds) > 0 {
		q.Methods = []annals.Method{annals.MethodTerms, annals.MethodVector, annals.MethodGraph}
	}
	if q.Filter, err = in.Filters.filter(); err != nil {
		return q, rows{}, err
	}
	kept, err := in.Filters.rows()
	if err == nil && !slices.Contains(q.Scopes, graph.KindFact) {
		err = kept.noEdges()
	}
	return q, kept, err
}

// narrow keeps the hits that pass the filters by ids.
func (c *call) narrow(p place, found *annals.Result, kept rows) error {
	if !kept.any() {
		return nil
	}
	found.Threads = nil // they have no such ids
	found.Facts = slices.DeleteFunc(found.Facts, func(f annals.FactHit) bool { return !kept.passes(f.Fact) })
	if len(kept.episodes) == 0 {
		return nil
	}
	mentioned := map[uuid.UUID]bool{}
	for _, id := range kept.episodes {
		entities, err := p.EntitiesMentioned(c.ctx(), p.group, id)
		if err != nil {
			return err
		}
		for _, e := range entities {
			mentioned[e.ID] = true
		}
	}
	found.Entities = slices.DeleteFunc(found.Entities, func(e annals.EntityHit) bool { return !mentioned[e.ID] })
	found.Episodes = slices.DeleteFunc(found.Episodes, func(e annals.EpisodeHit) bool { return !slices.Contains(kept.episodes, e.ID) })
	return nil
}

// show turns hits into their form on the wire.
func (c *call) show(p place, out *results, found annals.Result) error {
	var err error
	if out.Edges, err = c.edges(p, found.Facts); err != nil {
		return err
	}
	for i, f := range found.Facts {
		out.Edges[i].scored = out.mark(f.Score)
	}
	if out.Nodes, err = c.nodes(p, found.Entities); err != nil {
		return err
	}
	for i, e := range found.Entities {
		out.Nodes[i].scored = out.mark(e.Score)
	}
	out.episodes = found.Episodes
	for _, e := range found.Episodes {
		view := c.episodeView(notedEpisode(e))
		view.scored = out.mark(e.Score)
		out.Episodes = append(out.Episodes, view)
	}
	return nil
}

// mark shows a score.
func (r results) mark(score float64) scored {
	s := scored{Score: &score}
	if r.relevance { // of a model that says how well each fits, from 0 to 1
		relevance := max(0, min(1, score))
		s.Relevance = &relevance
	}
	return s
}

// sagas returns the summaries of the conversations that were found.
func (c *call) sagas(p place, found annals.Result, limit int) ([]sagaView, error) {
	var out []sagaView
	for _, h := range found.Threads {
		if len(out) == limit {
			break
		}
		if isDocument(h.ID) {
			continue
		}
		t, err := p.Thread(c.ctx(), p.group, h.ID)
		if annals.CodeOf(err) == annals.CodeNotFound && err != nil {
			continue // it was removed meanwhile
		}
		if err != nil {
			return nil, err
		}
		s := summaryOf(p.group, t)
		out = append(out, sagaView{
			UUID: s.UUID, Name: t.ID, Labels: []string{"ThreadSummary"}, Summary: s.Summary, CreatedAt: s.CreatedAt,
			SummarisedAt: s.SummarisedAt, SummarisedThrough: s.SummarisedThrough, scored: scored{Score: &h.Score},
		})
	}
	return out, nil
}
