package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// separate handles a message that arrives late and states an earlier period of a known state. If
// another fact lies between the two periods, they stay two facts. A known fact that ended the same
// relation of the same pair also ends the new one.
func (w *walk) separate(ctx context.Context, d *draft) error {
	var again []uuid.UUID
	for _, f := range d.facts {
		if f.beganEarlier() {
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
			k := d.takeIn(row)
			ended[k.boundedBy] = append(ended[k.boundedBy], k)
		}
	}
	for _, f := range d.facts {
		if f.beganEarlier() {
			d.separateFrom(f, f.duplicateOf, ended[f.duplicateOf.ID])
		}
		f.contradict(d.endsOfPair(f)...)
	}
	return nil
}

// beganEarlier reports whether a fact repeats a stored state and gives it an earlier beginning.
func (f *newFact) beganEarlier() bool {
	k := f.duplicateOf
	return k != nil && k.sibling == nil && f.kind == graph.FactState && k.Kind == graph.FactState &&
		!f.claimed.Start.IsZero() && f.claimed.Start.Before(k.valid.Start)
}

// separateFrom turns a repetition into a fact of its own, if a fact that ended the state lies
// between the two.
func (d *draft) separateFrom(f *newFact, k *knownFact, ended []*knownFact) {
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

// endsOfPair returns the known facts that ended the same relation of a pair.
func (d *draft) endsOfPair(f *newFact) (ends []*knownFact) {
	if f.ends || f.duplicateOf != nil {
		return nil
	}
	for _, o := range d.known {
		if o.boundedBy == uuid.Nil || f.source.ID != o.SourceID || f.target.ID != o.TargetID || f.predicate != o.Predicate {
			continue
		}
		ends = append(ends, each.Where(d.known, func(k *knownFact) bool { return k.ends && k.ID == o.boundedBy && f.samePair(k) })...)
	}
	return ends
}

// contradict adds known facts that cannot hold beside a new one, each only once.
func (f *newFact) contradict(facts ...*knownFact) {
	for _, k := range facts {
		if !slices.ContainsFunc(f.contradicts, func(o *knownFact) bool { return o.ID == k.ID }) {
			f.contradicts = append(f.contradicts, k)
		}
	}
}

// takeIn returns the draft's copy of a stored fact, and adds it if needed.
func (d *draft) takeIn(row db.FactRow) *knownFact {
	if i := slices.IndexFunc(d.known, func(k *knownFact) bool { return k.ID == row.ID }); i >= 0 {
		return d.known[i]
	}
	d.known = append(d.known, known(row))
	return d.known[len(d.known)-1]
}
