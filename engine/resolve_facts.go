package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals/engine/timeline"
	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/internal/each"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/temporal"
)

// resolveFacts finds the new statements that repeat, contradict or retract known ones, with one
// question to the analyst.
func (w *walk) resolveFacts(ctx context.Context, d *draft) error {
	d.joinFacts()
	if len(d.facts) == 0 && !d.takesBack {
		return nil
	}
	if err := w.refuse(ctx, d); err != nil {
		return err
	}
	c, err := w.findRivals(ctx, d)
	if err != nil {
		return err
	}
	if err := w.ask(ctx, d, c); err != nil {
		return err
	}
	if d.takesBack && len(d.facts)+len(d.retracted) == 0 && len(d.episodes) == 1 {
		d.decide(0, stepResolveFacts, decidedDropped, wording.Cut(d.episodes[0].Content, 200), uuid.Nil, "it takes something back, and nothing that is known was found to be meant")
	}
	if err := d.dropRestated(); err != nil {
		return err
	}
	if err := w.separate(ctx, d); err != nil {
		return err
	}
	if err := w.disputeBelow(ctx, d); err != nil {
		return err
	}
	return w.followChanges(ctx, d)
}

func (w *walk) ask(ctx context.Context, d *draft, c *comparison) error {
	question := c.question(d)
	if len(question.Facts) == 0 && !question.TakesBack {
		return nil
	}
	d.questions++
	batches := slices.Collect(slices.Chunk(question.Facts, maxAsked))
	if len(batches) == 0 {
		batches = [][]prompts.UnresolvedFact{nil}
	}
	for _, batch := range batches {
		answer, err := w.analyst.ResolveFacts(ctx, partOf(question, batch))
		if err != nil {
			return analyst.Failed(ctx, stepResolveFacts, err)
		}
		c.judge(d, answer.Resolutions)
	}
	return nil
}

// maxAsked bounds the names or facts in one question. Long documents take several questions.
const maxAsked = 40

// partOf returns the part of a question that concerns some of its facts.
func partOf(q prompts.ResolveFacts, facts []prompts.UnresolvedFact) prompts.ResolveFacts {
	needed := map[int]bool{}
	for _, f := range facts {
		for _, id := range slices.Concat(f.SamePair, f.Rivals, f.Rejected) {
			needed[id] = true
		}
	}
	part := prompts.ResolveFacts{Episode: q.Episode, Facts: facts, TakesBack: q.TakesBack}
	part.Existing = each.Where(q.Existing, func(k prompts.KnownFact) bool { return needed[k.ID] || q.TakesBack })
	for _, f := range q.Facts { // earlier facts of the window that another part asks about
		other := !slices.ContainsFunc(facts, func(own prompts.UnresolvedFact) bool { return own.ID == f.ID })
		if needed[f.ID] && other {
			part.Existing = append(part.Existing, f.KnownFact)
		}
	}
	part.Rejected = each.Where(q.Rejected, func(r prompts.RejectedFact) bool { return needed[r.ID] })
	return part
}

// joinFacts makes facts of the statements between resolved entities. It drops a statement whose
// source and target are one entity.
func (d *draft) joinFacts() {
	d.facts, d.known, d.retracted = nil, nil, nil
	for _, s := range d.statements {
		source, target := d.nodes[s.source], d.nodes[s.target]
		if source == target {
			reason := "both its ends are " + source.Name
			if s.predicate == namedPredicate {
				reason = "it is how " + source.Name + " is called"
			}
			d.decide(s.episode, stepResolveFacts, decidedDropped, s.fact, uuid.Nil, reason)
			continue
		}
		said := s.fact
		s.fact = d.byName(said)
		d.facts = append(d.facts, &newFact{
			statement: s, span: &span{valid: s.claimed, endedBy: s.episode}, id: change.NewID(), source: source, target: target, reworded: s.fact != said,
		})
	}
	slices.SortStableFunc(d.facts, func(a, b *newFact) int { return a.episode - b.episode })
}

// question asks about statements with rivals or rejections near them, unless they only repeat known
// facts verbatim.
func (c *comparison) question(d *draft) prompts.ResolveFacts {
	q := prompts.ResolveFacts{
		Episode: d.excerpt(), Rejected: c.shownRejected(), TakesBack: d.takesBack && (len(c.known) > 0 || len(d.episodes) > 1),
	}
	shown := make([]bool, len(c.fresh))
	for i, s := range c.fresh {
		if s.repeatVerbatim(d) {
			continue
		}
		shown[i] = shown[i] || len(s.rivals) > 0 || s.nearRejected() || q.TakesBack && len(d.episodes) > 1
		for _, r := range s.rivals {
			if r.place > len(c.known) {
				shown[r.place-len(c.known)-1] = true
			}
		}
	}
	for i, k := range c.known {
		q.Existing = append(q.Existing, c.promptOf(i+1, k.facts))
	}
	for i, s := range c.fresh {
		if shown[i] && !s.repeated() {
			q.Facts = append(q.Facts, c.unresolved(i, s))
		}
	}
	if !q.TakesBack && !slices.ContainsFunc(c.fresh, func(s *newStatement) bool { return (len(s.rivals) > 0 || s.nearRejected()) && !s.repeated() }) {
		q.Facts = nil
	}
	return q
}

func (c *comparison) promptOf(id int, facts []*knownFact) prompts.KnownFact {
	k := facts[0]
	p := prompts.KnownFact{ID: id, Fact: k.Fact.Fact, Kind: string(k.Kind), Valid: k.Valid, Said: k.SaidAt}
	for _, k := range facts {
		p.Pairs = append(p.Pairs, prompts.Pair{Source: c.called(k.SourceID, k.Source), Predicate: k.Predicate, Target: c.called(k.TargetID, k.Target)})
	}
	return p
}

// called returns the name of an entity in the question, where namesakes are numbered. An entity
// that the draft renames keeps the name that the question showed first.
func (c *comparison) called(id uuid.UUID, name string) string {
	if c.names == nil {
		c.names, c.namesakes = map[uuid.UUID]string{}, map[string]int{}
	}
	if c.names[id] == "" {
		key := strings.ToLower(name)
		c.namesakes[key]++
		if n := c.namesakes[key]; n > 1 {
			name = fmt.Sprintf("%s (%d)", name, n)
		}
		c.names[id] = name
	}
	return c.names[id]
}

// unresolved returns the i-th new statement as the question shows it.
func (c *comparison) unresolved(i int, s *newStatement) prompts.UnresolvedFact {
	f := s.facts[0]
	u := prompts.UnresolvedFact{Ends: f.ends, KnownFact: prompts.KnownFact{ID: len(c.known) + i + 1, Fact: f.fact, Kind: string(f.kind), Said: f.said}}
	if f.dated() || f.over() {
		u.Valid = f.claimed
	}
	u.Rejected = c.rejectedNear(s)
	for _, f := range s.facts {
		u.Pairs = append(u.Pairs, prompts.Pair{Source: c.called(f.source.ID, f.source.Name), Predicate: f.predicate, Target: c.called(f.target.ID, f.target.Name)})
	}
	for _, r := range s.rivals {
		switch {
		case r.place > len(c.known) && c.fresh[r.place-len(c.known)-1].repeated(): // its original is a rival too
		case r.samePair:
			u.SamePair = append(u.SamePair, r.place)
		default:
			u.Rivals = append(u.Rivals, r.place)
		}
	}
	return u
}

func (s *newStatement) repeated() bool {
	return !slices.ContainsFunc(s.facts, func(f *newFact) bool { return f.duplicateOf == nil })
}

// repeatVerbatim marks facts that repeat known ones word for word, and reports whether nothing is
// left to ask.
func (s *newStatement) repeatVerbatim(d *draft) bool {
	for _, f := range s.facts {
		for _, r := range s.rivals {
			for _, k := range r.facts {
				if f.duplicateOf == nil && verbatim(f, k) {
					d.repeat(f, k, "in the same words")
				}
			}
		}
	}
	return s.repeated()
}

// verbatim reports whether a fact repeats a known one word for word. A sentence with a date that is
// said at another time is another event. A disputed fact is not matched: the analyst judges it, as
// the speaker may settle the dispute.
func verbatim(f *newFact, k *knownFact) bool {
	if k.original() != k || k.Trust == graph.TrustDisputed || !f.samePair(k) || f.ends != k.ends || f.predicate != k.Predicate ||
		wording.BareWords(k.Fact.Fact) != wording.BareWords(f.fact) || !stillHolds(f, k) {
		return false
	}
	return !saysWhen(f) || k.Valid.Start.Equal(f.claimed.Start)
}

// samePair reports whether two facts relate the same two entities, in either direction.
func (f *newFact) samePair(k *knownFact) bool {
	return f.source.ID == k.SourceID && f.target.ID == k.TargetID || f.source.ID == k.TargetID && f.target.ID == k.SourceID
}

func saysWhen(f *newFact) bool { return len(dates.Find(f.fact, f.said)) > 0 }

// stillHolds reports whether a new fact may repeat a known one. A state that ended before
// it was said again is a new fact.
func stillHolds(f *newFact, k *knownFact) bool {
	if k.Kind == graph.FactEvent { // on another day it is another event
		return f.kind != k.Kind || !k.Valid.From.Dated() || !f.claimed.From.Dated() || k.Valid.Overlaps(f.claimed.Interval)
	}
	stretch := f.kind == graph.FactState && f.claimed.From.Dated() // an event tells how the state began
	return k.Valid.Overlaps(f.claimed.Interval) || k.Valid.From.Basis == temporal.Said && !stretch && !f.claimed.End.IsZero() && k.Valid.Ongoing() && !f.saidBefore(k) ||
		k.Valid.From.Basis == temporal.NotKnown && !f.said.After(k.SaidAt)
}

func (f *newFact) saidBefore(k *knownFact) bool { return !f.said.IsZero() && f.said.Before(k.SaidAt) }

// repeat makes a new fact a repetition of a known one, which may gain attributes.
func (d *draft) repeat(f *newFact, k *knownFact, reason string) {
	f.duplicateOf = k
	for _, o := range d.facts { // repetitions of f repeat k as well
		if o.duplicateOf != nil && o.duplicateOf.sibling == f {
			o.duplicateOf = k
		}
	}
	d.decide(f.episode, stepResolveFacts, decidedRepeated, f.fact, k.ID, fmt.Sprintf("it says %q again: %s", k.Fact.Fact, reason))
	if !d.withholds(f) || d.candidate(k) {
		k.learn(f.attributes)
	}
}

// claim returns the times of a known fact, for the rules of package timeline.
func (k *knownFact) claim() timeline.Claim {
	return timeline.Claim{Valid: k.valid, Said: k.SaidAt, Recorded: k.Recorded.Start, Came: k.cameAt, Approved: k.approved, Event: k.Kind == graph.FactEvent}
}

// claim returns the times of a new fact, for the rules of package timeline.
func (f *newFact) claim() timeline.Claim {
	return timeline.Claim{Valid: f.valid, Said: f.said, Recorded: time.Now(), Came: f.cameAt, Approved: f.approved, Event: f.kind == graph.FactEvent}
}
