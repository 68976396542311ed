package engine

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/annalsdb/annals/temporal"
)

// applyTime gives every fact its place on the timeline by the rules of package
// temporal. It asks no model.
func (d *draft) applyTime() {
	revived := map[*knownFact]*newFact{}
	for _, f := range d.facts {
		d.revive(f, revived)
		if k := f.duplicateOf; k != nil {
			d.endBy(k, f)
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

// revive makes a repetition a fact of its own where what it repeats has ended
// before, by an earlier message of the window: it is true again.
func (d *draft) revive(f *newFact, revived map[*knownFact]*newFact) {
	k := f.duplicateOf
	if k == nil || !k.expired && k.valid.Overlaps(f.claimed) {
		return
	}
	if again := revived[k]; again != nil && !again.expired && again.valid.Overlaps(f.claimed) {
		f.duplicateOf = again.asKnown(d.groupID)
		return
	}
	f.duplicateOf, revived[k] = nil, f
	d.note(note{
		episodes: []int{f.episode}, step: stepApplyTime, decision: decidedMended, subject: f.fact,
		reason: "what it repeats had ended before: it is true again", fact: f.id,
	})
}

// share divides the timeline between a known fact and a new one that cannot
// hold beside it.
func (d *draft) share(k *knownFact, f *newFact) {
	before := *k.span
	claimed := f.valid
	r := temporal.Resolve(
		temporal.Claim{Valid: k.valid, Recorded: k.Recorded.Start, Terminates: k.ends},
		temporal.Claim{Valid: f.valid, Recorded: time.Now(), Terminates: f.ends},
		d.episodes[f.episode].OccurredAt)
	k.valid, f.valid = r.Old, r.New
	switch {
	case r.Expired == temporal.Old:
		k.expired, k.endedBy = true, f.episode
		d.tell(decidedExpired, f, k, k.Fact.Fact, "no time is left to it beside: "+f.fact)
	case r.Expired == temporal.New:
		f.expired = true
		d.tell(decidedExpired, f, k, f.fact, "no time is left to it beside: "+k.Fact.Fact)
	case !k.valid.Equal(before.valid):
		k.endedBy = f.episode
		d.tell(decidedClosed, f, k, k.Fact.Fact, fmt.Sprintf("it holds %s, because: %s", k.valid, f.fact))
	case !f.valid.Equal(claimed):
		d.tell(decidedClosed, f, k, f.fact, fmt.Sprintf("it holds %s, because: %s", f.valid, k.Fact.Fact))
	}
}

// endBy takes over the end of a repetition of the fact: "she lived there until May".
func (d *draft) endBy(k *knownFact, f *newFact) {
	end := f.valid.End
	if !end.IsZero() && k.valid.Ongoing() && (k.valid.Start.IsZero() || k.valid.Start.Before(end)) {
		k.valid = k.valid.Close(end)
		k.endedBy = f.episode
		d.tell(decidedClosed, f, k, k.Fact.Fact, fmt.Sprintf("it holds %s, because: %s", k.valid, f.fact))
	}
}

func (d *draft) tell(decision string, f *newFact, k *knownFact, subject, reason string) {
	id := k.ID
	if subject == f.fact {
		id = f.id
	}
	d.note(note{episodes: []int{f.episode}, step: stepApplyTime, decision: decision, subject: subject, reason: reason, fact: id})
}
