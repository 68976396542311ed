package engine

import (
	"context"
	"slices"
	"time"

	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/summary"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
)

// goneFact is a fact that a summary told of perhaps, and is not to tell any more.
type goneFact struct {
	graph.Fact
	why string
}

// goneOf lists the facts about an entity that the draft ends, takes back or disputes.
func (d *draft) goneOf(n *change.Entity, former []*knownFact, at time.Time) []goneFact {
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
	q := prompts.EntityToSummarise{ID: id, Name: s.Name, Summary: s.Summary, Limit: summary.Limit}
	if s.changed {
		q.Summary = s.Account.Written
	}
	for _, f := range s.Facts {
		q.Facts = append(q.Facts, prompts.TimedFact{Fact: f.Told(), When: f.When(at)})
	}
	for _, f := range s.gone {
		q.Gone = append(q.Gone, prompts.TimedFact{Fact: f.Told(), When: f.why})
	}
	return q
}

// shorten asks for summaries within the limit. Without one that fits, the summary is
// cut.
func (w *walk) shorten(ctx context.Context, d *draft, open []*subject, at time.Time) error {
	d.questions++
	questions := make([]prompts.EntityToSummarise, len(open))
	for i, s := range open {
		questions[i] = s.question(i+1, at)
	}
	summaries := make([]string, len(open))
	for batch := range slices.Chunk(questions, maxAsked/2) {
		answer, err := w.analyst.SummariseEntities(ctx, prompts.SummariseEntities{Entities: batch})
		if err != nil {
			return analyst.Failed(ctx, stepSummarise, err)
		}
		for _, a := range answer.Summaries {
			if a.ID >= 1 && a.ID <= len(open) && summaries[a.ID-1] == "" {
				summaries[a.ID-1], _ = wording.CleanText(a.Summary, 2*summary.Limit)
			}
		}
	}
	for i, s := range open {
		reason := "by " + w.analyst.Name()
		if summaries[i] == "" || len(summaries[i]) > 2*summary.Limit {
			reason = "to its newest statements, as no summary was given that fits"
			d.tellShort(s)
		} else {
			s.SetSummary(summaries[i])
			d.restOn(s.Facts)
		}
		d.note(note{step: stepSummarise, decision: decidedShortened, subject: s.Name, reason: reason, entity: s.Entity})
	}
	return nil
}
