package retrieve

import (
	"context"
	"fmt"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/eval/ranking"
)

// Question is a question to a memory.
type Question struct {
	Text string
	At   time.Time // when it is asked
}

// Probe is a search and the rankings taken from its result.
type Probe struct {
	Name   string
	Narrow func(*annals.Query) // changes to the default query; nil: none
	Views  []View
	Lines  bool // its lines are shown beside contexts
}

// View is a part of a result as a ranking.
type View struct {
	Name string
	Of   func(*Memory, annals.Result) ranking.Ranking
}

// Found is the ranking that a view of a probe returned.
type Found struct {
	Method  string // the view and the probe: "episodes, bm25"
	Ranking ranking.Ranking
	Took    time.Duration
	Lines   bool // its lines are shown beside contexts
}

// The views of a result.
var (
	Episodes = View{"episodes", (*Memory).episodes}
	Facts    = View{"facts", (*Memory).facts}
	Combined = View{"facts + episodes", (*Memory).combined}
	Threads  = View{"threads", (*Memory).threads}
)

// Probes returns the searches to measure: in each scope by words alone and by
// vectors alone, the default search, and the requested ways of reranking.
// Without a graph only episodes can be found. The views in more are of a search
// for conversations.
func Probes(options Options, more ...View) []Probe {
	scopes, views, all := []graph.Kind{graph.KindEpisode}, []View{Episodes}, []View{Episodes}
	if options.Graph {
		scopes, views, all = append(scopes, graph.KindFact), []View{Episodes, Facts}, []View{Episodes, Facts, Combined}
	}
	probes := []Probe{
		{"bm25", func(q *annals.Query) { q.Scopes, q.Methods = scopes, append(q.Methods, "bm25") }, views, false},
		{"cosine", func(q *annals.Query) { q.Scopes, q.Methods = scopes, append(q.Methods, "cosine") }, views, false},
		{"default", nil, all, true},
	}
	for _, r := range options.Rerank {
		probes = append(probes, Probe{string(r), func(q *annals.Query) { q.Scopes, q.Rerank = scopes, []annals.Rerank{r} }, all, true})
	}
	return append(probes, Probe{"default", func(q *annals.Query) { q.Scopes = []graph.Kind{graph.KindThread} }, more, false})
}

// Ask searches once and takes the probe's views from the result.
func (m *Memory) Ask(ctx context.Context, p Probe, q Question) ([]Found, error) {
	query := annals.Query{GroupID: m.group, Text: q.Text, Limit: m.options.Limit, AskedAt: q.At}
	if p.Narrow != nil {
		p.Narrow(&query)
	}
	began := time.Now()
	result, err := m.client.Search(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("ask %s %q: %w", m.group, q.Text, err)
	}
	took := time.Since(began)
	found := make([]Found, len(p.Views))
	for i, view := range p.Views {
		found[i] = Found{Method: view.Name + ", " + p.Name, Ranking: view.Of(m, result), Took: took, Lines: p.Lines}
	}
	return found, nil
}

func (m *Memory) episodes(r annals.Result) ranking.Ranking {
	var out ranking.Ranking
	for _, hit := range r.Episodes {
		out = append(out, m.hits[hit.ID])
	}
	return out
}

// threads ranks whole sessions, without turns.
func (m *Memory) threads(r annals.Result) ranking.Ranking {
	var out ranking.Ranking
	for _, hit := range r.Threads {
		out = append(out, ranking.Hit{Sources: []ranking.Source{{Session: hit.ID}}})
	}
	if len(out) == 0 { // a wrong session, so that the score is 0 for sessions and NaN for turns
		out = append(out, ranking.Hit{Sources: []ranking.Source{{Session: "none found"}}})
	}
	return out
}

// facts ranks the lines of facts, each standing for the turns that state it.
// Facts with the same line, such as those that one sentence gave for several
// pairs, are one hit.
func (m *Memory) facts(r annals.Result) ranking.Ranking {
	var out ranking.Ranking
	at := map[string]int{}
	for _, hit := range r.Facts {
		line := factLine(hit.Fact)
		i, there := at[line]
		if !there {
			i = len(out)
			at[line] = i
			out = append(out, ranking.Hit{Line: line, Tokens: Tokens(line)})
		}
		for _, id := range hit.Episodes {
			out[i].Sources = append(out[i].Sources, m.hits[id].Sources...)
		}
	}
	return out
}

// combined alternates facts and episodes.
func (m *Memory) combined(r annals.Result) ranking.Ranking {
	facts, episodes := m.facts(r), m.episodes(r)
	var out ranking.Ranking
	for i := range max(len(facts), len(episodes)) {
		out = append(out, facts[min(i, len(facts)):min(i+1, len(facts))]...)
		out = append(out, episodes[min(i, len(episodes)):min(i+1, len(episodes))]...)
	}
	return out
}
