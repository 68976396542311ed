package retrieve

import (
	"context"
	"slices"

	"github.com/annalsdb/annals/internal/eval/ranking"
)

// Scores collects the ranks of evidence, and the evidence that contexts show.
type Scores struct{ ranks, contexts *ranking.Sheet }

// NewScores returns empty scores with these measures of ranks.
func NewScores(options Options, ranks ...ranking.Measure) Scores {
	return Scores{ranking.NewSheet(ranks...), ranking.NewSheet(ranking.OfContexts(options.withDefaults().Budgets)...)}
}

// Report adds the tables to a report.
func (s Scores) Report(r *Report) {
	contexts := s.contexts.Table()
	r.Table, r.Contexts = s.ranks.Table(), &contexts
	r.Notes = append(r.Notes,
		"The second table is of contexts: the share of the evidence that is shown in so many tokens, whether all of it is, and how many tokens there are. "+
			"'context' is the string of 'annals context --tokens', all of it counted: what is shown is a message, whole or cut, or a fact that it states. "+
			"'lines of' are lines of a ranking with nothing around them.")
}

// AddRanks scores a ranking.
func (s Scores) AddRanks(f Found, category string, gold ranking.Gold) {
	s.ranks.Add(f.Method, category, f.Ranking, gold, f.Took)
}

// AddContexts scores contexts, one for each budget.
func (s Scores) AddContexts(f Found, category string, gold ranking.Gold) {
	s.contexts.Add(f.Method, category, f.Ranking, gold, f.Took)
}

// Task is a question with its gold.
type Task struct {
	ID       string
	Group    string // name of the corpus, which prefixes the names of methods; may be empty
	Category string
	Question Question
	Gold     ranking.Gold
}

// Score asks a task with every baseline and probe, fills contexts, and adds
// both to the scores.
func (m *Memory) Score(ctx context.Context, scores Scores, task Task, probes []Probe, baselines []Baseline) (Case, error) {
	c := Case{
		ID: task.ID, Category: task.Category, Question: task.Question.Text, Gold: task.Gold,
		Ranks: map[string][]int{}, SessionRanks: map[string][]int{}, Unseen: map[string][][]string{},
	}
	all, err := m.Find(ctx, task.Question, probes, baselines)
	if err != nil {
		return c, err
	}
	for _, found := range all {
		found = found.in(task.Group)
		scores.AddRanks(found, task.Category, task.Gold)
		c.Ranks[found.Method] = ranksOf(found.Ranking.Turns(), task.Gold.Turns)
		c.SessionRanks[found.Method] = ranksOf(found.Ranking.Sessions(), task.Gold.Sessions)
	}
	contexts, err := m.Contexts(ctx, task.Question, all)
	for _, found := range contexts {
		found = found.in(task.Group)
		scores.AddContexts(found, task.Category, task.Gold)
		for _, shown := range found.Ranking {
			c.Unseen[found.Method] = append(c.Unseen[found.Method], without(task.Gold.Turns, shown))
		}
	}
	return c, err
}

// in prefixes the method with the corpus.
func (f Found) in(group string) Found {
	if group != "" {
		f.Method = group + ": " + f.Method
	}
	return f
}

// Find asks a question with every baseline and probe.
func (m *Memory) Find(ctx context.Context, q Question, probes []Probe, baselines []Baseline) ([]Found, error) {
	var all []Found
	for _, b := range baselines {
		all = append(all, b.Ask(q.Text, m.options.Limit))
	}
	for _, probe := range probes {
		found, err := m.Ask(ctx, probe, q)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

func ranksOf(ranked, gold []string) []int {
	ranks := make([]int, len(gold))
	for i, id := range gold {
		ranks[i] = slices.Index(ranked, id) + 1
	}
	return ranks
}

// without returns the gold that a hit does not contain.
func without(gold []string, shown ranking.Hit) []string {
	turns := ranking.Ranking{shown}.Turns()
	return slices.DeleteFunc(slices.Clone(gold), func(id string) bool { return slices.Contains(turns, id) })
}
