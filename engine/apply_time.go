package engine

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/timeline"
	"github.com/annalsdb/annals/internal/each"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/temporal"
)

// applyTime gives every fact its time by the rules of package timeline, in the order of the
// messages.
func (d *draft) applyTime() {
	revived := map[*knownFact]*newFact{}
	open := slices.SortedStableFunc(slices.Values(d.retracted), func(a, b retraction) int { return a.episode - b.episode })
	takeBack := func(until int) {
		for len(open) > 0 && open[0].episode <= until {
			d.takeBack(open[0])
			open = open[1:]
		}
	}
	for _, f := range d.facts {
		takeBack(f.episode)
		d.revive(f, revived)
		if k := f.duplicateOf; k != nil && !f.datesNothing {
			d.dateByRepetition(k, f)
		}
		slices.SortFunc(f.contradicts, func(a, b *knownFact) int { return a.Valid.Start.Compare(b.Valid.Start) })
		for _, k := range f.contradicts {
			if f.expired || k.expired || f.duplicateOf != nil && k.ID == f.duplicateOf.ID {
				continue
			}
			d.divideTime(k, f)
		}
		d.dropDisplaced(f)
	}
	takeBack(len(d.episodes))
	slices.SortFunc(d.known, func(a, b *knownFact) int { return cmp.Compare(a.ID.String(), b.ID.String()) })
}

// takeBack ends the belief in a fact. The facts that it had ended hold again, unless the statement
// that replaces it ends them.
func (d *draft) takeBack(r retraction) {
	k := r.fact
	if k.expired {
		return
	}
	k.expired, k.endedBy = true, r.episode
	d.keepTime(r)
	for _, b := range d.boundedBy(k) {
		b.reopen(k.held())
		b.endedBy = r.episode
		d.decide(r.episode, stepApplyTime, decidedReopened, b.Fact.Fact, b.ID,
			fmt.Sprintf("it holds %s, as this was taken back: %s", b.valid, k.Fact.Fact))
		if r.by == nil {
			continue
		}
		for _, f := range r.by.facts {
			if f.predicate == k.Predicate && f.source.ID == k.SourceID && f.source.ID == b.SourceID {
				f.contradict(b)
			}
		}
	}
}

// keepTime gives the replacement of a corrected fact the dates of that fact, unless the replacement
// has its own. "I moved to Lund, not Malmö" keeps the day of the move.
func (d *draft) keepTime(r retraction) {
	k := r.fact
	if r.by == nil || k.valid.Start.IsZero() {
		return
	}
	for _, f := range r.by.facts {
		if f.duplicateOf != nil || f.kind != k.Kind || f.ends || f.over() || f.dated() || !f.replaces(k) {
			continue
		}
		f.claimed.Start, f.claimed.From = k.valid.Start, k.valid.From
		if k.Kind == graph.FactEvent || k.valid.Until.Basis == temporal.Stated {
			f.claimed.End, f.claimed.Until = k.valid.End, k.valid.Until
		}
		f.valid = f.claimed
		d.tell(decidedDated, f, k, f.fact, fmt.Sprintf("it holds %s, as was told of what it corrects: %s", f.valid, k.Fact.Fact))
	}
}

// dropDisplaced ends the belief in a fact whose whole time a later statement took. It concerns only
// facts whose dates come from when they were said.
func (d *draft) dropDisplaced(f *newFact) {
	for _, k := range f.contradicts {
		beside := func(o *knownFact) bool { return o.ID != k.ID && !o.expired && o.valid.Overlaps(k.valid.Interval) }
		if !k.expired && k.boundedBy == f.id && timeline.Displaced(k.unbound.Validity, k.valid) && slices.ContainsFunc(f.contradicts, beside) {
			k.valid, k.expired = k.unbound.Validity, true
			d.tell(decidedExpired, f, k, k.Fact.Fact, "no time is left to it beside: "+f.fact)
		}
	}
	if f.expired || !timeline.Displaced(f.claimed, f.valid) {
		return
	}
	for _, k := range f.contradicts {
		if !k.expired && k.valid.Overlaps(f.valid.Interval) {
			f.expired, f.lostTo, f.valid = true, boundOf(f, k), f.claimed
			d.tell(decidedExpired, f, k, f.fact, "no time is left to it beside: "+k.Fact.Fact)
			return
		}
	}
}

// revive makes a repetition a new fact if the fact that it repeats has ended or is not
// believed any more.
func (d *draft) revive(f *newFact, revived map[*knownFact]*newFact) {
	k := f.duplicateOf
	if k == nil || !k.expired && (k.Kind == graph.FactEvent || k.valid.Equal(k.Valid) || k.valid.Overlaps(f.claimed.Interval)) {
		return
	}
	if r := d.retractionOf(k); r != nil && !f.said.After(d.episodes[r.episode].OccurredAt) {
		return // the retraction is later than this statement
	}
	if again := revived[k]; again != nil && !again.expired && again.valid.Overlaps(f.claimed.Interval) {
		f.duplicateOf = again.asKnown(d.groupID)
		return
	}
	f.duplicateOf, revived[k] = nil, f
	d.decide(f.episode, stepApplyTime, decidedMended, f.fact, f.id, "what it repeats had ended before: it is true again")
}

// dateByRepetition gives a known fact the dates that a repetition states: "she joined in June".
// Facts that it had ended then end where it begins now.
func (d *draft) dateByRepetition(k *knownFact, f *newFact) {
	v := timeline.Repeat(k.claim(), f.claim())
	if f.claimed.From.Basis == temporal.Planned && f.saidBefore(k) {
		k.SaidAt, k.announced = f.said, true
	}
	if v.Equal(k.valid) {
		return
	}
	began, ended := !v.Start.Equal(k.valid.Start), !v.End.Equal(k.valid.End)
	k.valid, k.endedBy = v, f.episode
	if ended {
		k.boundedBy = uuid.Nil
	}
	d.tell(decidedDated, f, k, k.Fact.Fact, fmt.Sprintf("it holds %s, because: %s", k.valid, f.fact))
	if !began {
		return
	}
	for _, b := range d.boundedBy(k) {
		d.endAgain(b, k.claim(), k.ID, f)
	}
}

// boundOf returns the contradicted fact that displaced a new one, or other if none is known.
func boundOf(f *newFact, other *knownFact) *knownFact {
	if i := slices.IndexFunc(f.contradicts, func(k *knownFact) bool { return k.ID == f.boundedBy }); i >= 0 {
		return f.contradicts[i]
	}
	return other
}

// endAgain ends a fact again, where a changed contradiction now ends it.
func (d *draft) endAgain(b *knownFact, by timeline.Claim, id uuid.UUID, f *newFact) {
	again := b.claim()
	again.Valid = b.unbound.Validity
	if r := timeline.Resolve(again, by); r.Expired == timeline.Neither && (!r.Old.Equal(b.valid) || b.boundedBy != id) {
		b.valid, b.endedBy, b.boundedBy = r.Old, f.episode, id
		d.tell(decidedClosed, f, b, b.Fact.Fact, fmt.Sprintf("it holds %s, because: %s", b.valid, f.fact))
	}
}

// boundedBy lists the believed facts whose inferred end comes from a fact.
func (d *draft) boundedBy(k *knownFact) []*knownFact {
	out := each.Where(d.known, func(o *knownFact) bool { return !o.expired && o.boundedBy == k.ID && o.unbound != nil })
	for _, f := range d.facts {
		if !f.expired && f.boundedBy == k.ID && f.unbound != nil && f.duplicateOf == nil {
			out = append(out, f.asKnown(d.groupID))
		}
	}
	return out
}

// divideTime divides the time between a known fact and a new one that cannot hold beside
// it.
func (d *draft) divideTime(k *knownFact, f *newFact) {
	r := timeline.Resolve(k.claim(), f.claim())
	if d.keepsTimeOverLower(f, k, r) {
		return
	}
	before, claimed := k.valid, f.valid
	k.valid, f.valid = r.Old, r.New
	switch {
	case r.Expired == timeline.New:
		f.expired, f.lostTo = true, k
		d.tell(decidedExpired, f, k, f.fact, "no time is left to it beside: "+k.Fact.Fact)
	case r.Expired == timeline.Old || timeline.Displaced(before, k.valid) && len(d.boundedBy(k)) > 0:
		k.valid, k.expired, k.endedBy = before, true, f.episode
		d.tell(decidedExpired, f, k, k.Fact.Fact, "no time is left to it beside: "+f.fact)
		for _, b := range d.boundedBy(k) {
			d.endAgain(b, f.claim(), f.storedID(), f)
		}
	case !k.valid.Equal(before):
		k.endedBy, k.boundedBy, k.unbound = f.episode, f.storedID(), &change.Span{Validity: before, BoundedBy: k.boundedBy}
		d.tell(decidedClosed, f, k, k.Fact.Fact, fmt.Sprintf("it holds %s, because: %s", k.valid, f.fact))
	case !f.valid.Equal(claimed):
		f.boundedBy, f.unbound = k.ID, &change.Span{Validity: claimed, BoundedBy: f.boundedBy}
		d.tell(decidedClosed, f, k, f.fact, fmt.Sprintf("it holds %s, because: %s", f.valid, k.Fact.Fact))
	}
}

func (d *draft) tell(decision string, f *newFact, k *knownFact, subject, reason string) {
	id := k.ID
	if subject == f.fact {
		id = f.id
	}
	d.decide(f.episode, stepApplyTime, decision, subject, id, reason)
}
