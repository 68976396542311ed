package project

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/service"
)

// Query is a search.
type Query struct {
	Query         string   `json:"query"`
	Scope         string   `json:"scope"`
	Limit         *int     `json:"limit"`
	Reranker      string   `json:"reranker"`
	MMRLambda     float64  `json:"mmr_lambda"`
	Center        string   `json:"center_node_uuid"`
	Origins       []string `json:"bfs_origin_node_uuids"`
	MaxCharacters *int     `json:"max_characters"`
	RawResults    bool     `json:"return_raw_results"`

	Filters         service.List  `json:"-"`
	Recency         time.Duration `json:"-"` // half-life of rows; zero: age does not matter
	WithoutEpisodes bool          `json:"-"` // leave episodes out of the scope auto
}

// The limits on the number of hits.
const (
	SearchLimit    = 10
	MaxSearchLimit = 50
)

const (
	autoCharacters    = 2500
	maxAutoCharacters = 50_000
	maxQuery          = 400 // characters, as in Zep; longer queries are accepted, but About returns none
)

// scopes maps scopes to kinds of hits.
var scopes = map[string][]graph.Kind{
	"": {graph.KindFact}, "edges": {graph.KindFact}, "nodes": {graph.KindEntity}, "episodes": {graph.KindEpisode},
	"thread_summaries": {graph.KindThread}, "auto": {graph.KindFact, graph.KindEntity, graph.KindEpisode, graph.KindThread}, "observations": {graph.KindEntity},
}

// rerankers maps names to the library's rerankers. The one by mentions in given episodes is
// byMentions.
var rerankers = map[string][]annals.Rerank{
	"": nil, "rrf": nil, "mmr": {annals.RerankMMR}, "node_distance": {annals.RerankDistance},
	"episode_mentions": nil, "cross_encoder": {annals.RerankModel},
}

// Results are the hits of a search.
type Results struct {
	Context   string
	Edges     []Edge
	Nodes     []Node
	Episodes  []Episode
	Threads   []Saga
	Truncated bool // more was found than fits

	relevance bool
}

// Find searches the memory.
func (m Memory) Find(in Query) (Results, error) {
	if strings.TrimSpace(in.Query) == "" {
		return Results{}, graph.Invalid("query", "is empty")
	}
	if in.Scope == "auto" {
		return m.findAuto(in)
	}
	q, err := in.query(m.ID)
	if err != nil {
		return Results{}, err
	}
	found, reranked, err := m.best(q, in.Filters)
	if err != nil {
		return Results{}, err
	}
	if in.Reranker == "episode_mentions" {
		byMentions(found.Facts, in.Filters.EpisodeIDs)
	}
	found = withAgainst(found, in.Filters)
	upTo(&found, q.Limit)
	out := Results{relevance: reranked}
	if in.Scope == "thread_summaries" {
		if out.Threads, err = m.sagas(found, q.Limit); err != nil {
			return Results{}, err
		}
		found.Episodes = nil
	}
	err = m.show(&out, found)
	return out, err
}

// best searches, and keeps the hits that pass the filters, also those by id. With those it returns more than
// the limit of the query.
func (m Memory) best(q annals.Query, by service.List) (found annals.Result, reranked bool, err error) {
	if byIDs(by) {
		q.Limit = annals.MaxLimit // narrow chooses among them
	}
	if found, reranked, err = m.ranked(q); err != nil {
		return found, false, err
	}
	return found, reranked, m.narrow(&found, by)
}

// upTo cuts each list of hits to a number.
func upTo(found *annals.Result, limit int) {
	found.Facts = found.Facts[:min(limit, len(found.Facts))]
	found.Entities = found.Entities[:min(limit, len(found.Entities))]
	found.Episodes = found.Episodes[:min(limit, len(found.Episodes))]
}

// ranked searches. If the query asks for a reranking model and none is configured, the hits are
// ranked by fusion, and the response says so.
func (m Memory) ranked(q annals.Query) (found annals.Result, reranked bool, err error) {
	found, err = m.search(q)
	if !slices.Contains(q.Rerank, annals.RerankModel) {
		return found, false, err
	}
	if known, ok := errors.AsType[*annals.Error](err); !ok || known.Field != "rerank" {
		return found, true, err
	}
	m.Call.Ignore("reranker=cross_encoder")
	q.Rerank = nil
	found, err = m.search(q)
	return found, false, err
}

// query converts a request to a query of the library.
func (in Query) query(group string) (annals.Query, error) {
	q := annals.Query{GroupID: group, Text: in.Query, Limit: SearchLimit, IncludeEnded: true, Former: true, Changes: true, Lambda: in.MMRLambda}
	var ok bool
	if q.Scopes, ok = scopes[in.Scope]; !ok {
		return q, graph.Invalid("scope", "%q is not one of edges, nodes, episodes, thread_summaries, auto", in.Scope)
	}
	if q.Rerank, ok = rerankers[in.Reranker]; !ok {
		return q, graph.Invalid("reranker", "%q is not one of rrf, mmr, node_distance, episode_mentions, cross_encoder", in.Reranker)
	}
	if in.Limit != nil {
		if *in.Limit < 1 {
			return q, graph.Invalid("limit", "is %d; it must be 1 to %d", *in.Limit, MaxSearchLimit)
		}
		q.Limit = min(*in.Limit, MaxSearchLimit)
	}
	var r Reader
	q.Center = r.UUID("center_node_uuid", in.Center)
	if in.Reranker == "node_distance" && in.Center == "" {
		r.refuse("center_node_uuid", "is missing; node_distance needs the node to measure from")
	}
	q.Seeds = r.UUIDs("bfs_origin_node_uuids", in.Origins, annals.MaxSeeds)
	if len(q.Seeds) > 0 {
		q.Methods = []annals.Method{annals.MethodTerms, annals.MethodVector, annals.MethodGraph}
	}
	q.Filter = in.Filters.Filter
	if !slices.Contains(q.Scopes, graph.KindFact) {
		r.Note(noEdges(in.Filters))
	}
	return q, r.Err
}

// narrow keeps the hits that pass the filters by id.
func (m Memory) narrow(found *annals.Result, by service.List) error {
	if !byIDs(by) {
		return nil
	}
	found.Threads = nil // threads have no such ids
	found.Facts = slices.DeleteFunc(found.Facts, func(f annals.FactHit) bool { return !passes(by, f.Fact) })
	if len(by.EpisodeIDs) == 0 {
		return nil
	}
	mentioned := map[uuid.UUID]bool{}
	for _, id := range by.EpisodeIDs {
		entities, err := m.Service.EntitiesMentioned(m.Ctx(), m.ID, id)
		if err != nil {
			return err
		}
		for _, e := range entities {
			mentioned[e.ID] = true
		}
	}
	found.Entities = slices.DeleteFunc(found.Entities, func(e annals.EntityHit) bool { return !mentioned[e.ID] })
	found.Episodes = slices.DeleteFunc(found.Episodes, func(e annals.EpisodeHit) bool { return !slices.Contains(by.EpisodeIDs, e.ID) })
	return nil
}

// byMentions sorts facts by how many of the given episodes state them. It is stable.
func byMentions(facts []annals.FactHit, episodes []uuid.UUID) {
	stating := func(f annals.FactHit) int {
		return len(slices.DeleteFunc(slices.Clone(f.Episodes), func(id uuid.UUID) bool { return !slices.Contains(episodes, id) }))
	}
	each.Sort(facts, func(a, b annals.FactHit) int { return stating(b) - stating(a) })
}

// show converts hits to their JSON form.
func (m Memory) show(out *Results, found annals.Result) error {
	var err error
	if out.Edges, err = m.edges(found.Facts, out.mark); err != nil {
		return err
	}
	out.Nodes, err = m.nodes(found.Entities, out.mark)
	out.Episodes = each.Of(found.Episodes, func(h annals.EpisodeHit) Episode {
		view := m.notedEpisode(h)
		view.Scored = out.mark(h.Score)
		return view
	})
	return err
}

// mark returns the JSON form of a score.
func (r Results) mark(score float64) Scored {
	s := Scored{Score: &score}
	if r.relevance { // the reranking model scores from 0 to 1
		relevance := max(0, min(1, score))
		s.Relevance = &relevance
	}
	return s
}

// sagas returns the summaries of the threads that were found.
func (m Memory) sagas(found annals.Result, limit int) ([]Saga, error) {
	var out []Saga
	for _, h := range found.Threads {
		if len(out) == limit {
			break
		}
		if isDocument(h.ID) {
			continue
		}
		t, err := m.Client.Thread(m.Ctx(), m.ID, h.ID)
		if missing(err) {
			continue // it was removed meanwhile
		}
		if err != nil {
			return nil, err
		}
		saga := m.Saga(t)
		saga.Score = &h.Score
		out = append(out, saga)
	}
	return out, nil
}

// findAuto searches all scopes and returns the hits whose text fits into a number of characters.
func (m Memory) findAuto(in Query) (Results, error) {
	if in.Reranker == "node_distance" || in.Reranker == "episode_mentions" {
		return Results{}, graph.Invalid("reranker", "%s does not go with the scope auto", in.Reranker)
	}
	var r Reader
	budget := r.Bounded("max_characters", in.MaxCharacters, autoCharacters, maxAutoCharacters)
	in.Limit, in.Reranker = nil, ""
	q, err := in.query(m.ID)
	if r.Note(err); r.Err != nil {
		return Results{}, r.Err
	}
	q.Limit, q.Recency = MaxSearchLimit, in.Recency
	found, _, err := m.best(q, in.Filters)
	if err != nil {
		return Results{}, err
	}
	found = withAgainst(found, in.Filters)
	if in.WithoutEpisodes {
		found.Episodes = nil
	}
	threads, err := m.sagas(found, contextThreads)
	if err != nil {
		return Results{}, err
	}
	threads = slices.DeleteFunc(threads, func(s Saga) bool { return s.Summary == "" })
	all := selection{found, threads}
	note := ""
	if without := m.Call.Without; without != "" && len(without) < budget/2 {
		note = without + "\n"
	}
	text, taken, err := within(all, budget-len(note))
	if err != nil {
		return Results{}, err
	}
	out := Results{Context: note + text}
	if in.RawResults {
		if err := m.show(&out, taken.Result); err != nil {
			return Results{}, err
		}
		out.Threads = taken.threads
		out.rank()
	}
	out.Truncated = text != "" && !slices.Equal(taken.sizes(), all.sizes())
	return out, nil
}

// selection holds hits of all kinds, with the summaries of threads.
type selection struct {
	annals.Result
	threads []Saga
}

func (s selection) text() (string, error) {
	text, err := annals.Construction{Template: factLines + entityLines + episodeLines}.Construct(s.Result)
	if err != nil {
		return "", err
	}
	summaries, err := summaryLines(s.threads, "", func(t Saga) (string, string) { return t.Thread, t.Summary })
	return text + summaries, err
}

func (s selection) sizes() []int {
	return []int{len(s.Facts), len(s.Entities), len(s.Episodes), len(s.threads)}
}

// rounds calls take for the best hit of each list, then for the second of each, and so on. sizes are the
// lengths of the lists.
func rounds(sizes []int, take func(list, i int)) {
	for i := range slices.Max(sizes) {
		for list, size := range sizes {
			if i < size {
				take(list, i)
			}
		}
	}
}

// with returns the selection with one more hit of another one.
func (s selection) with(from selection, list, i int) selection {
	switch list {
	case 0:
		s.Facts = append(slices.Clone(s.Facts), from.Facts[i])
	case 1:
		s.Entities = append(slices.Clone(s.Entities), from.Entities[i])
	case 2:
		s.Episodes = append(slices.Clone(s.Episodes), from.Episodes[i])
	default:
		s.threads = append(slices.Clone(s.threads), from.threads[i])
	}
	return s
}

// within takes hits in rounds, each with the next best fact, entity, episode and thread, as long as
// their text fits.
func within(found selection, budget int) (text string, taken selection, err error) {
	rounds(found.sizes(), func(list, i int) {
		next := taken.with(found, list, i)
		longer, failure := next.text()
		if err = cmp.Or(err, failure); err == nil && len([]rune(longer)) <= budget {
			text, taken = longer, next
		}
	})
	return text, taken, err
}

// rank numbers the hits in the order in which within took them.
func (r *Results) rank() {
	rank := 0
	rounds([]int{len(r.Edges), len(r.Nodes), len(r.Episodes), len(r.Threads)}, func(list, i int) {
		rank++
		at := rank
		switch list {
		case 0:
			r.Edges[i].SelectionRank = &at
		case 1:
			r.Nodes[i].SelectionRank = &at
		case 2:
			r.Episodes[i].SelectionRank = &at
		default:
			r.Threads[i].SelectionRank = &at
		}
	})
}
