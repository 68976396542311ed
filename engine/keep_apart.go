package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// keepApart finds what lies between the stretches that two messages tell of, where
// the earlier one arrives last. What is known then came to be so again: the earlier
// message tells of a stretch of its own. What ended a fact also ends what says the
// same of the pair.
func (w *walk) keepApart(ctx context.Context, d *draft) error {
	var again []uuid.UUID
	for _, f := range d.facts {
		if f.toldBefore() {
			again = append(again, f.duplicateOf.ID)
		}
	}
	ended := map[uuid.UUID][]*knownFact{}
	if len(again) > 0 {
		rows, err := db.New(w.store).FactsBoundedBy(ctx, db.FactsBoundedByParams{GroupID: d.groupID, Ids: again})
		if err != nil {
			return fmt.Errorf("find what ended before it was so again: %w", err)
		}
		for _, row := range rows {
			k := d.inHand(row)
			ended[k.boundedBy] = append(ended[k.boundedBy], k)
		}
	}
	for _, f := range d.facts {
		if f.toldBefore() {
			d.keepApartFrom(f, f.duplicateOf, ended[f.duplicateOf.ID])
		}
		f.contradict(d.endsOfPair(f)...)
	}
	return nil
}

// toldBefore reports whether a fact repeats a stored state that is known only since
// later.
func (f *newFact) toldBefore() bool {
	k := f.duplicateOf
	return k != nil && k.sibling == nil && f.kind == graph.FactState && k.Kind == graph.FactState &&
		!f.claimed.Start.IsZero() && f.claimed.Start.Before(k.valid.Start)
}

// keepApartFrom makes a fact one of its own where something lies between it and
// what it repeats, which had ended that or an end of the two. What is known of the
// time before it then repeats.
func (d *draft) keepApartFrom(f *newFact, k *knownFact, ended []*knownFact) {
	between := slices.DeleteFunc(slices.Concat(ended, f.contradicts), func(o *knownFact) bool {
		return o.ID == k.ID || !o.valid.Start.After(f.claimed.Start) || !o.valid.Start.Before(k.valid.Start)
	})
	for _, o := range d.known {
		over := o.valid.End.After(f.claimed.Start) && !o.valid.End.After(k.valid.Start)
		if o.ends && over && f.samePair(o) && o.Predicate == graph.NoLonger+f.predicate {
			between = append(between, o)
		}
	}
	if len(between) == 0 {
		return
	}
	f.duplicateOf = nil
	f.contradict(between...)
	d.decide(f.episode, stepResolveFacts, decidedMended, f.fact, f.id,
		"it was so before, and what it repeats is so again since then: between lies "+between[0].Fact.Fact)
	for _, o := range d.known {
		same := o.ID != k.ID && o.SourceID == k.SourceID && o.TargetID == k.TargetID && o.Predicate == k.Predicate
		if same && o.Kind == graph.FactState && !o.expired && o.valid.Start.Before(between[0].valid.Start) && o.valid.Contains(f.claimed.Start) {
			d.repeat(f, o, "it holds then")
			return
		}
	}
}

// endsOfPair are the known ends that ended what says the same of a pair.
func (d *draft) endsOfPair(f *newFact) (ends []*knownFact) {
	if f.ends || f.duplicateOf != nil {
		return nil
	}
	for _, o := range d.known {
		if o.boundedBy == uuid.Nil || f.source.ID != o.SourceID || f.target.ID != o.TargetID || f.predicate != o.Predicate {
			continue
		}
		for _, k := range d.known {
			if k.ends && k.ID == o.boundedBy && f.samePair(k) {
				ends = append(ends, k)
			}
		}
	}
	return ends
}

// contradict notes known facts that cannot hold beside a new one, each once.
func (f *newFact) contradict(facts ...*knownFact) {
	for _, k := range facts {
		if !slices.ContainsFunc(f.contradicts, func(o *knownFact) bool { return o.ID == k.ID }) {
			f.contradicts = append(f.contradicts, k)
		}
	}
}

// inHand is a stored fact as the draft has it, which takes it up where it had not.
func (d *draft) inHand(row db.FactRow) *knownFact {
	if i := slices.IndexFunc(d.known, func(k *knownFact) bool { return k.ID == row.ID }); i >= 0 {
		return d.known[i]
	}
	d.known = append(d.known, known(row))
	return d.known[len(d.known)-1]
}
