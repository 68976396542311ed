package retrieve

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/eval/ranking"
)

// DefaultBudgets are the default sizes of contexts, in tokens.
var DefaultBudgets = []int{350, 750, 1400}

// checkBudgets refuses a budget too small for even an empty context, before
// anything is stored.
func checkBudgets(budgets []int) error {
	for _, tokens := range budgets {
		if tokens < 1 {
			return graph.Invalid("tokens", "has %d; give the tokens of each context, as in 350,750,1400", tokens)
		}
		if _, err := (annals.Construction{Tokens: tokens}).Construct(annals.Result{}); err != nil {
			return err
		}
	}
	return nil
}

// filling is a search whose result fills contexts.
type filling struct {
	name   string
	narrow func(*annals.Query)
}

// fillings returns the default search, and one with more facts and episodes and
// nothing else.
func (m *Memory) fillings() []filling {
	scopes, name := []graph.Kind{graph.KindEpisode}, "context of episodes"
	if m.options.Graph {
		scopes, name = append(scopes, graph.KindFact), "context of facts + episodes"
	}
	return []filling{
		{"context, default", func(*annals.Query) {}},
		{fmt.Sprintf("%s, %d hits of each", name, m.options.Limit), func(q *annals.Query) { q.Scopes, q.Limit = scopes, m.options.Limit }},
	}
}

// Contexts returns what a model sees within each budget: plain lines of the
// rankings, and the memory's actual contexts, including headers. Each has one hit
// per budget.
func (m *Memory) Contexts(ctx context.Context, q Question, found []Found) ([]Found, error) {
	var all []Found
	for _, f := range found {
		if f.Lines {
			all = append(all, m.plain(f))
		}
	}
	for _, f := range m.fillings() {
		query := annals.Query{GroupID: m.group, Text: q.Text, AskedAt: q.At}
		f.narrow(&query)
		found, err := m.fill(ctx, query)
		if err != nil {
			return nil, fmt.Errorf("fill a context from %s for %q: %w", m.group, q.Text, err)
		}
		found.Method = f.name
		all = append(all, found)
	}
	return all, nil
}

// fill searches and fills a context for each budget. The time is that of the last
// one.
func (m *Memory) fill(ctx context.Context, q annals.Query) (Found, error) {
	var found Found
	for _, tokens := range m.options.Budgets {
		began, as := time.Now(), annals.Construction{Tokens: tokens}
		result, err := m.client.Search(ctx, as.For(q))
		if err != nil {
			return Found{}, err
		}
		hit, err := m.shown(result, as)
		if err != nil {
			return Found{}, err
		}
		found.Ranking, found.Took = append(found.Ranking, hit), time.Since(began)
	}
	return found, nil
}

// shown returns a context as one hit: its lines, its turns, and the turns that
// state its facts.
func (m *Memory) shown(r annals.Result, as annals.Construction) (ranking.Hit, error) {
	text, shown, err := as.Show(r)
	if err != nil {
		return ranking.Hit{}, err
	}
	var lines ranking.Ranking
	for _, f := range shown.Facts {
		hit := ranking.Hit{Line: f.Line}
		for _, id := range f.Episodes {
			hit.Sources = append(hit.Sources, m.hits[id].Sources...)
		}
		lines = append(lines, hit)
	}
	for _, e := range shown.Entities {
		lines = append(lines, ranking.Hit{Line: e.Line})
	}
	for _, c := range shown.Communities {
		lines = append(lines, ranking.Hit{Line: c.Line})
	}
	for _, e := range shown.Episodes {
		lines = append(lines, ranking.Hit{Line: strings.Join(strings.Fields(e.Content), " "), Sources: m.hits[e.ID].Sources})
	}
	return lines.Joined(Tokens(text)), nil
}

// plain returns the first lines of a ranking that fit into each budget, without
// anything around them.
func (m *Memory) plain(f Found) Found {
	out := Found{Method: "lines of " + f.Method, Took: f.Took}
	for _, tokens := range m.options.Budgets {
		lines := f.Ranking.Within(tokens)
		out.Ranking = append(out.Ranking, lines.Joined(lines.Tokens()))
	}
	return out
}
