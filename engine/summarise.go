package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/prompts"
)

// summarise extends the summaries of the entities by their new facts, and
// takes out what ended. The analyst is asked only to shorten those that grow
// over the limit, all in one question.
func (e *Engine) summarise(ctx context.Context, d *draft) error {
	if err := e.loadClosedEnds(ctx, d); err != nil {
		return err
	}
	for _, n := range d.touched() {
		n.forget(d)
	}
	var question prompts.SummariseEntities
	var open []*node
	for _, n := range d.mentioned() {
		news := newsOf(n, d)
		if extended := join(n.Summary, news); len(extended) <= DefaultSummaryLimit {
			n.setSummary(extended)
			continue
		}
		open = append(open, n)
		question.Entities = append(question.Entities, prompts.EntityToSummarise{
			ID: len(open), Name: n.Name, Summary: n.Summary, NewFacts: news, Limit: DefaultSummaryLimit,
		})
	}
	if len(open) == 0 {
		return nil
	}
	answer, err := e.analyst.SummariseEntities(ctx, question)
	if err != nil {
		return analysed(ctx, "summarise entities", err)
	}
	for _, s := range answer.Summaries {
		if s.ID >= 1 && s.ID <= len(open) {
			if summary, ok := cleanText(s.Summary, 2*DefaultSummaryLimit); ok {
				open[s.ID-1].setSummary(summary)
			}
		}
	}
	return nil
}

// loadClosedEnds brings in the entities of facts that end, whose summaries may
// speak of them.
func (e *Engine) loadClosedEnds(ctx context.Context, d *draft) error {
	var missing []uuid.UUID
	for _, k := range d.closings() {
		for _, id := range []uuid.UUID{k.SourceID, k.TargetID} {
			if !slices.ContainsFunc(d.nodes, func(n *node) bool { return n.ID == id }) {
				missing = append(missing, id)
			}
		}
	}
	nodes, err := e.loadNodes(ctx, d.episode.GroupID, missing)
	if err != nil {
		return err
	}
	for _, n := range nodes {
		d.extra = append(d.extra, n)
	}
	return nil
}

// newsOf lists the sentences of the new facts about an entity, without those
// its summary already holds.
func newsOf(n *node, d *draft) []string {
	var news []string
	for _, f := range d.facts {
		about := f.source == n || f.target == n
		if about && f.duplicateOf == nil && !f.expired && f.valid.Ongoing() &&
			!strings.Contains(n.Summary, f.Fact) && !slices.Contains(news, f.Fact) {
			news = append(news, f.Fact)
		}
	}
	return news
}

// forget takes the sentences of facts that ended out of the summary.
func (n *node) forget(d *draft) {
	for _, k := range d.closings() {
		if k.SourceID == n.ID || k.TargetID == n.ID {
			n.setSummary(strings.Join(strings.Fields(strings.ReplaceAll(n.Summary, k.Fact.Fact, "")), " "))
		}
	}
}

func (n *node) setSummary(s string) {
	if s != n.Summary {
		n.Summary = s
		n.changed = true
	}
}

func join(summary string, sentences []string) string {
	return strings.TrimSpace(summary + " " + strings.Join(sentences, " "))
}
