package retrieve

import (
	"context"
	"maps"
	"slices"

	"github.com/annalsdb/annals/eval/ranking"
)

// Task is a question with its gold.
type Task struct {
	ID       string
	Group    string // what is searched, in a word, before the names of methods; may be empty
	Category string
	Question Question
	Gold     ranking.Gold
}

// Score asks a task by every baseline and every probe and adds what they found
// to the sheet.
func (m *Memory) Score(ctx context.Context, sheet *ranking.Sheet, task Task, probes []Probe, baselines []Baseline) (Case, error) {
	c := Case{ID: task.ID, Category: task.Category, Question: task.Question.Text, Gold: task.Gold, Ranks: map[string][]int{}}
	all, err := m.Find(ctx, task.Question, probes, baselines)
	for _, found := range all {
		if task.Group != "" {
			found.Method = task.Group + ": " + found.Method
		}
		sheet.Add(found.Method, task.Category, found.Ranking, task.Gold, found.Took)
		c.Ranks[found.Method] = ranksOf(found.Ranking.Turns(), task.Gold.Turns)
	}
	return c, err
}

// Find asks a question by every baseline and every probe.
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

func sortedKeys(m map[string]int) []string { return slices.Sorted(maps.Keys(m)) }
