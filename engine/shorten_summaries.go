package engine

import (
	"context"
	"slices"
	"time"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
)

// goneFact is a fact that a summary told of perhaps, and is not to tell any more.
type goneFact struct {
	graph.Fact
	why string
}

// goneOf lists the facts about an entity that the draft ends, takes back or disputes.
func (d *draft) goneOf(n *node, former []*knownFact, at time.Time) []goneFact {
	var gone []goneFact
	for _, k := range former {
		if k.SourceID != n.ID && k.TargetID != n.ID {
			continue
		}
		now := k.Fact
		now.Valid = k.valid
		switch {
		case k.expired:
			gone = append(gone, goneFact{k.Fact, "not true: it was taken back or corrected"})
		case d.newlyDisputed(k):
			gone = append(gone, goneFact{k.Fact, "disputed"})
		case k.reworded != "":
			gone = append(gone, goneFact{k.Fact, "not all true: a part of it was taken back or corrected"})
		case now.Ended(at):
			gone = append(gone, goneFact{k.Fact, now.When(at)})
		}
	}
	return gone
}

// question is what the analyst is asked. The summary so far is shown only while all
// holds that it may tell: a model does not repeat what it does not see.
func (s *subject) question(id int, at time.Time) prompts.EntityToSummarise {
	q := prompts.EntityToSummarise{ID: id, Name: s.Name, Summary: s.Summary, Limit: DefaultSummaryLimit}
	if s.changed {
		q.Summary = s.account.written
	}
	for _, f := range s.facts {
		q.Facts = append(q.Facts, prompts.TimedFact{Fact: f.Told(), When: f.When(at)})
	}
	for _, f := range s.gone {
		q.Gone = append(q.Gone, prompts.TimedFact{Fact: f.Told(), When: f.why})
	}
	return q
}

// shorten asks for summaries within the limit. Without one that fits, the summary is
// cut.
func (e *Engine) shorten(ctx context.Context, d *draft, open []*subject, at time.Time) error {
	d.questions++
	questions := make([]prompts.EntityToSummarise, len(open))
	for i, s := range open {
		questions[i] = s.question(i+1, at)
	}
	summaries := make([]string, len(open))
	for batch := range slices.Chunk(questions, maxAsked/2) {
		answer, err := e.analyst.SummariseEntities(ctx, prompts.SummariseEntities{Entities: batch})
		if err != nil {
			return analysed(ctx, stepSummarise, err)
		}
		for _, a := range answer.Summaries {
			if a.ID >= 1 && a.ID <= len(open) && summaries[a.ID-1] == "" {
				summaries[a.ID-1], _ = cleanText(a.Summary, 2*DefaultSummaryLimit)
			}
		}
	}
	for i, s := range open {
		reason := "by " + e.analyst.Name()
		if summaries[i] == "" || len(summaries[i]) > 2*DefaultSummaryLimit {
			reason = "to its newest statements, as no summary was given that fits"
			d.tellShort(s)
		} else {
			s.setSummary(summaries[i])
			d.restOn(s.facts)
		}
		d.note(note{step: stepSummarise, decision: decidedShortened, subject: s.Name, reason: reason, entity: s.node})
	}
	return nil
}
