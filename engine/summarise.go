package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/summary"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/temporal"
)

// maxQuestions bounds the questions while a draft is placed. With the two for reading there are
// four.
const maxQuestions = 2

// summarise makes new summaries of the entities whose facts change. It asks the analyst, in one
// question, only to shorten those that are too long, and cuts these itself if the draft has no
// question left.
func (w *walk) summarise(ctx context.Context, d *draft) error {
	d.rests = map[uuid.UUID]temporal.Interval{}
	if err := w.loadClosedEnds(ctx, d); err != nil {
		return err
	}
	subjects := d.subjects()
	if len(subjects) == 0 {
		return nil
	}
	at := time.Now()
	facts, former, err := w.factsAfter(ctx, d, subjects, at)
	if err != nil {
		return err
	}
	var open []*subject
	for _, s := range subjects {
		s.gone = d.goneFacts(s.Entity, former, at)
		for _, f := range s.gone {
			s.Forget(f.Fact)
		}
		s.Account = summary.Of(s.Entity.Written, about(s.Entity, facts), at)
		switch {
		case s.Fits():
			d.summariseShort(s)
		case !s.news, s.extend():
		case d.questions == maxQuestions:
			d.summariseShort(s)
		default:
			open = append(open, s)
		}
	}
	if len(open) == 0 {
		return nil
	}
	return w.shorten(ctx, d, open, at)
}

type subject struct {
	*change.Entity
	summary.Account
	news    bool       // it has facts to add or to drop; false: all are repeated, which may keep one from expiring
	changed bool       // known facts about it change, so that the old summary may be wrong
	gone    []goneFact // facts that the summary must no longer tell
}

func (d *draft) subjects() []*subject {
	of := map[*change.Entity]*subject{}
	touch := func(n *change.Entity, news, changed bool) {
		if of[n] == nil {
			of[n] = &subject{Entity: n}
		}
		of[n].news, of[n].changed = of[n].news || news, of[n].changed || changed
	}
	for _, f := range d.facts {
		if d.lasts(f) {
			confirmed := f.duplicateOf != nil && d.candidate(f.duplicateOf)
			for _, n := range []*change.Entity{f.source, f.target} {
				touch(n, confirmed || f.duplicateOf == nil && d.tellable(f), confirmed)
			}
		}
	}
	changed := d.changesOrDisputes()
	var subjects []*subject
	for _, n := range d.touched() {
		if slices.ContainsFunc(changed, func(k *knownFact) bool { return k.SourceID == n.ID || k.TargetID == n.ID }) {
			touch(n, true, true)
		}
		if of[n] != nil {
			subjects = append(subjects, of[n])
		}
	}
	return subjects
}

// extend adds new facts to a summary that still holds and has room, without asking a model.
func (s *subject) extend() bool {
	known := summary.Account{Written: s.Account.Written}
	for i, f := range s.Facts {
		if f.Recorded.Start.IsZero() {
			known.Lines = append(known.Lines, s.Lines[i])
		}
	}
	known.Lines = append(known.Lines, strings.TrimSpace(strings.TrimPrefix(s.Summary, known.Written)))
	if s.changed || s.Summary == "" || !known.Fits() {
		return false
	}
	s.SetSummary(known.Text())
	return true
}

// lasts reports whether a fact is believed and does not expire. Only such facts are summarised.
func (d *draft) lasts(f *newFact) bool {
	return !d.withholds(f) && d.episodes[f.episode].ExpiresAt.IsZero()
}

// factsAfter returns the facts that summaries may tell after the draft is written. former are the
// facts that they could tell before and that the draft changes.
func (w *walk) factsAfter(ctx context.Context, d *draft, subjects []*subject, at time.Time) (facts []graph.Fact, former []*knownFact, _ error) {
	p := db.FactsToTellParams{
		GroupID: d.groupID, EntityIds: each.Of(subjects, func(s *subject) uuid.UUID { return s.ID }), At: at, MaxRows: summary.MaxFacts,
		ChangedIds: []uuid.UUID{}, FirmIds: []uuid.UUID{},
	}
	for _, f := range d.facts {
		if k := f.duplicateOf; k != nil && k.sibling == nil && d.lasts(f) {
			p.FirmIds = append(p.FirmIds, k.ID)
		}
	}
	changed := map[uuid.UUID]*knownFact{}
	for _, k := range d.changesOrDisputes() {
		p.ChangedIds, changed[k.ID] = append(p.ChangedIds, k.ID), k
	}
	rows, err := db.New(w.store).FactsToTell(ctx, p)
	if err != nil {
		return nil, nil, fmt.Errorf("find what summaries tell: %w", err)
	}
	for _, row := range rows {
		f := db.Fact(row)
		if k := changed[f.ID]; k != nil {
			if former = append(former, k); k.expired || d.newlyDisputed(k) {
				continue
			}
			f = k.now()
		}
		facts = append(facts, f)
	}
	for _, f := range d.newFacts() {
		if d.tellable(f) {
			facts = append(facts, f.asFact(d.groupID))
		}
	}
	return facts, former, nil
}

// tellable reports whether summaries may tell a new fact. The end of a fact is not told: the
// summary leaves out the ended fact.
func (d *draft) tellable(f *newFact) bool {
	return !f.expired && !f.ends && !slices.ContainsFunc(f.disputedBy, func(k *knownFact) bool { return !k.expired }) &&
		(d.lasts(f) || slices.ContainsFunc(d.facts, func(again *newFact) bool {
			return again.duplicateOf != nil && again.duplicateOf.sibling == f && d.lasts(again)
		}))
}

func about(n *change.Entity, facts []graph.Fact) []graph.Fact {
	return each.Where(facts, func(f graph.Fact) bool { return f.SourceID == n.ID || f.TargetID == n.ID })
}

// summariseShort makes a summary of whole statements, as many as fit.
func (d *draft) summariseShort(s *subject) {
	short := s.Shortened()
	s.SetSummary(short.Text())
	d.restOn(short.Facts)
}

// restOn notes the facts that a summary tells. If one of them changes, the draft is placed again.
func (d *draft) restOn(facts []graph.Fact) {
	for _, f := range facts {
		if !f.Recorded.Start.IsZero() {
			d.rests[f.ID] = f.Recorded
		}
	}
}

// loadClosedEnds loads the entities of changed and disputed facts that the draft does not name:
// their summaries may tell these facts.
func (w *walk) loadClosedEnds(ctx context.Context, d *draft) error {
	var missing []uuid.UUID
	for _, k := range d.changesOrDisputes() {
		for _, id := range []uuid.UUID{k.SourceID, k.TargetID} {
			if !slices.ContainsFunc(d.nodes, func(n *change.Entity) bool { return n.ID == id }) {
				missing = append(missing, id)
			}
		}
	}
	nodes, err := w.loadNodes(ctx, d.groupID, missing)
	if err != nil {
		return err
	}
	for _, id := range missing {
		if n := nodes[id]; n != nil {
			d.extra = append(d.extra, n)
		}
	}
	return nil
}

// changesOrDisputes returns the stored facts that change or become disputed.
func (d *draft) changesOrDisputes() []*knownFact {
	return each.Where(d.known, func(k *knownFact) bool { return k.expired || k.moved() || k.reworded != "" || d.newlyDisputed(k) })
}

func (d *draft) newlyDisputed(k *knownFact) bool {
	return slices.ContainsFunc(d.facts, func(f *newFact) bool {
		return slices.ContainsFunc(f.disputes, func(o *knownFact) bool { return o.ID == k.ID })
	})
}

// goneFact is a fact that a summary must no longer tell.
type goneFact struct {
	graph.Fact
	why string
}

// goneFacts lists the facts about an entity that the draft ends, retracts or disputes.
func (d *draft) goneFacts(n *change.Entity, former []*knownFact, at time.Time) []goneFact {
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

// question returns the question to the analyst. It shows the old summary only if all of it still
// holds, as a model repeats what it sees.
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

// shorten asks for summaries within the limit, and cuts those that are too long.
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
				summaries[a.ID-1], _ = wording.Sentence(a.Summary, 2*summary.Limit)
			}
		}
	}
	for i, s := range open {
		reason := "by " + w.analyst.Name()
		if summaries[i] == "" || len(summaries[i]) > 2*summary.Limit {
			reason = "to its newest statements, as no summary was given that fits"
			d.summariseShort(s)
		} else {
			s.SetSummary(summaries[i])
			d.restOn(s.Facts)
		}
		d.note(note{step: stepSummarise, decision: decidedShortened, subject: s.Name, reason: reason, entity: s.Entity})
	}
	return nil
}
