package engine

import (
	"cmp"
	"slices"
	"time"

	"github.com/annalsdb/annals/temporal"
)

// applyTime gives every fact its place on the timeline by the rules of package
// temporal. It asks nobody.
func (d *draft) applyTime() {
	ref := d.episode.OccurredAt
	for _, f := range d.facts {
		f.valid = f.claimed(ref)
		if k := f.duplicateOf; k != nil {
			k.endBy(f)
			continue
		}
		slices.SortFunc(f.contradicts, func(a, b *knownFact) int { return a.Valid.Start.Compare(b.Valid.Start) })
		for _, k := range f.contradicts {
			if f.expired || k.expired {
				continue
			}
			f.settle(k, d)
		}
	}
	slices.SortFunc(d.known, func(a, b *knownFact) int { return cmp.Compare(a.ID.String(), b.ID.String()) })
}

// settle shares the timeline between a new fact and a known one that cannot
// hold beside it.
func (f *newFact) settle(k *knownFact, d *draft) {
	r := temporal.Resolve(
		temporal.Claim{Valid: k.valid, Recorded: k.Recorded.Start, Terminates: k.ends},
		temporal.Claim{Valid: f.valid, Recorded: time.Now(), Terminates: f.Ends},
		d.episode.OccurredAt)
	k.valid, f.valid = r.Old, r.New
	switch r.Expired {
	case temporal.Old:
		k.expired = true
	case temporal.New:
		f.expired = true
	}
}

// endBy takes over the end of a repetition of the fact: "she lived there until May".
func (k *knownFact) endBy(f *newFact) {
	if end := f.valid.End; !end.IsZero() && k.valid.Ongoing() && (k.valid.Start.IsZero() || k.valid.Start.Before(end)) {
		k.valid = k.valid.Close(end)
	}
}
