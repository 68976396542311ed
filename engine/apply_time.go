package engine

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/temporal"
)

// applyTime gives every fact its place on the timeline by the rules of package
// temporal. It asks no model.
func (d *draft) applyTime() {
	for _, r := range d.retracted {
		d.reopen(r)
	}
	revived := map[*knownFact]*newFact{}
	for _, f := range d.facts {
		if f.expired { // a later message of the window takes it back
			continue
		}
		d.revive(f, revived)
		if k := f.duplicateOf; k != nil {
			d.dateBy(k, f)
		}
		slices.SortFunc(f.contradicts, func(a, b *knownFact) int { return a.Valid.Start.Compare(b.Valid.Start) })
		for _, k := range f.contradicts {
			if f.expired || k.expired || k == f.duplicateOf {
				continue
			}
			d.share(k, f)
		}
	}
	slices.SortFunc(d.known, func(a, b *knownFact) int { return cmp.Compare(a.ID.String(), b.ID.String()) })
}

// reopen gives the facts that a retracted one had ended back their time, up to
// where the retracted one had been ended itself. What is said instead of it
// ends them anew.
func (d *draft) reopen(r retraction) {
	for _, b := range d.bounded[r.fact.ID] {
		if b.expired {
			continue
		}
		b.valid, b.boundedBy, b.endedBy = b.before, r.fact.boundedBy, r.episode
		if by := r.fact.valid; by.Until.Basis == temporal.Inferred && !by.End.IsZero() && b.valid.Ongoing() {
			b.valid.End, b.valid.Until = by.End, by.Until
		}
		d.note(note{
			episodes: []int{r.episode}, step: stepApplyTime, decision: decidedReopened, subject: b.Fact.Fact, fact: b.ID,
			reason: fmt.Sprintf("it holds %s, as this was taken back: %s", b.valid, r.fact.Fact.Fact),
		})
		if r.by == nil {
			continue
		}
		for _, f := range r.by.facts {
			if f.predicate == r.fact.Predicate && f.source.ID == r.fact.SourceID && f.source.ID == b.SourceID {
				f.contradicts = append(f.contradicts, b.knownFact)
			}
		}
	}
}

// revive makes a repetition a fact of its own where what it repeats is not
// believed any more, or had ended before by an earlier message of the window:
// it is true again.
func (d *draft) revive(f *newFact, revived map[*knownFact]*newFact) {
	k := f.duplicateOf
	if k == nil || !k.expired && (k.Kind == graph.FactEvent || k.valid.Equal(k.Valid) || k.valid.Overlaps(f.claimed.Interval)) {
		return
	}
	if again := revived[k]; again != nil && !again.expired && again.valid.Overlaps(f.claimed.Interval) {
		f.duplicateOf = again.asKnown(d.groupID)
		return
	}
	f.duplicateOf, revived[k] = nil, f
	d.note(note{
		episodes: []int{f.episode}, step: stepApplyTime, decision: decidedMended, subject: f.fact,
		reason: "what it repeats had ended before: it is true again", fact: f.id,
	})
}

// dateBy takes over what a repetition tells of when the fact holds: "she joined
// in June", "she lived there until May". Facts that it had ended end where it
// begins now.
func (d *draft) dateBy(k *knownFact, f *newFact) {
	v := temporal.Repeat(k.claim(), f.claim())
	if v.Equal(k.valid) {
		return
	}
	began := !v.Start.Equal(k.valid.Start)
	k.valid, k.endedBy = v, f.episode
	if !v.End.Equal(k.Valid.End) {
		k.boundedBy = uuid.Nil
	}
	d.tell(decidedDated, f, k, k.Fact.Fact, fmt.Sprintf("it holds %s, because: %s", k.valid, f.fact))
	if !began {
		return
	}
	for _, b := range d.bounded[k.ID] {
		if b.expired {
			continue
		}
		again := b.claim()
		again.Valid = b.before
		if r := temporal.Resolve(again, k.claim()); r.Expired == temporal.Neither && !r.Old.Equal(b.valid) {
			b.valid, b.endedBy = r.Old, f.episode
			d.tell(decidedClosed, f, b.knownFact, b.Fact.Fact, fmt.Sprintf("it holds %s, because: %s", b.valid, f.fact))
		}
	}
}

// share divides the timeline between a known fact and a new one that cannot
// hold beside it.
func (d *draft) share(k *knownFact, f *newFact) {
	r := temporal.Resolve(k.claim(), f.claim())
	before, claimed := k.valid, f.valid
	k.valid, f.valid = r.Old, r.New
	switch {
	case r.Expired == temporal.Old:
		k.expired, k.endedBy = true, f.episode
		d.tell(decidedExpired, f, k, k.Fact.Fact, "no time is left to it beside: "+f.fact)
	case r.Expired == temporal.New:
		f.expired = true
		d.tell(decidedExpired, f, k, f.fact, "no time is left to it beside: "+k.Fact.Fact)
	case !k.valid.Equal(before):
		k.endedBy, k.boundedBy = f.episode, f.id
		if f.duplicateOf != nil {
			k.boundedBy = f.duplicateOf.ID
		}
		d.tell(decidedClosed, f, k, k.Fact.Fact, fmt.Sprintf("it holds %s, because: %s", k.valid, f.fact))
	case !f.valid.Equal(claimed):
		f.boundedBy = k.ID
		d.tell(decidedClosed, f, k, f.fact, fmt.Sprintf("it holds %s, because: %s", f.valid, k.Fact.Fact))
	}
}

func (d *draft) tell(decision string, f *newFact, k *knownFact, subject, reason string) {
	id := k.ID
	if subject == f.fact {
		id = f.id
	}
	d.note(note{episodes: []int{f.episode}, step: stepApplyTime, decision: decision, subject: subject, reason: reason, fact: id})
}
