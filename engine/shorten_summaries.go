package engine

import (
	"context"
	"slices"
	"time"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
)

// overlong is an entity of which more is to be told than fits.
type overlong struct {
	*node
	account
	gone []goneFact
}

// goneFact is a fact that a summary told of perhaps, and is not to tell any more.
type goneFact struct {
	graph.Fact
	why string
}

// goneOf lists the known facts about an entity that the draft ends, takes back or
// disputes.
func (d *draft) goneOf(n *node, at time.Time) []goneFact {
	var gone []goneFact
	for _, k := range d.ofChanges() {
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
		case now.Ended(at):
			gone = append(gone, goneFact{k.Fact, now.When(at)})
		}
	}
	return gone
}

// question is what the analyst is asked. The summary so far is shown only while all
// holds that it may tell: a model does not repeat what it does not see.
func (o *overlong) question(id int, at time.Time) prompts.EntityToSummarise {
	q := prompts.EntityToSummarise{ID: id, Name: o.Name, Summary: o.Summary, Limit: DefaultSummaryLimit}
	if len(o.gone) > 0 {
		q.Summary = o.account.written
	}
	for _, f := range o.facts {
		q.Facts = append(q.Facts, prompts.TimedFact{Fact: f.Told(), When: f.When(at)})
	}
	for _, f := range o.gone {
		q.Gone = append(q.Gone, prompts.TimedFact{Fact: f.Told(), When: f.why})
	}
	return q
}

// shorten asks for summaries within the limit. Without one that fits, the summary is
// cut.
func (e *Engine) shorten(ctx context.Context, d *draft, open []*overlong, at time.Time) error {
	d.questions++
	questions := make([]prompts.EntityToSummarise, len(open))
	for i, o := range open {
		questions[i] = o.question(i+1, at)
	}
	summaries := make([]string, len(open))
	for batch := range slices.Chunk(questions, maxAsked/2) {
		answer, err := e.analyst.SummariseEntities(ctx, prompts.SummariseEntities{Entities: batch})
		if err != nil {
			return analysed(ctx, stepSummarise, err)
		}
		for _, s := range answer.Summaries {
			if s.ID >= 1 && s.ID <= len(open) && summaries[s.ID-1] == "" {
				summaries[s.ID-1], _ = cleanText(s.Summary, 2*DefaultSummaryLimit)
			}
		}
	}
	for i, o := range open {
		reason := "by " + e.analyst.Name()
		if summaries[i] == "" || len(summaries[i]) > 2*DefaultSummaryLimit {
			reason = "to its newest statements, as no summary was given that fits"
			d.tellShort(o.node, o.account)
		} else {
			o.setSummary(summaries[i])
			d.restOn(o.account.facts)
		}
		d.note(note{step: stepSummarise, decision: decidedShortened, subject: o.Name, reason: reason, entity: o.node})
	}
	return nil
}
