package engine

import (
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
)

// rewordLists parts the sentence of a list of which some items end and others go
// on: after "I gave up the cello", nothing that still holds says "the piano and the cello".
func (d *draft) rewordLists() {
	ended := map[*span]bool{}
	for _, k := range d.known {
		ended[k.span] = k.Kind != graph.FactEvent && !k.expired && !k.valid.End.Equal(k.Valid.End) && !k.valid.End.IsZero()
	}
	for _, f := range d.facts {
		ended[f.span] = f.kind != graph.FactEvent && !f.expired && f.duplicateOf == nil && !f.valid.End.Equal(f.claimed.End) && !f.valid.End.IsZero()
	}
	for _, k := range d.known {
		if k.sibling == nil && !k.expired && k.reworded == "" && (ended[k.span] || k.valid.End.IsZero()) {
			if s := wording.WithoutItems(k.Fact.Fact, k.Fact, d.partedFrom(k.Fact, ended, ended[k.span])); s != "" {
				d.sayAnew(k, s)
			}
		}
	}
	said := make([]string, len(d.facts)) // before any of them changes
	for i, f := range d.facts {
		if f.duplicateOf == nil && !f.expired && !f.reworded && (ended[f.span] || f.valid.End.IsZero()) {
			said[i] = wording.WithoutItems(f.fact, f.asFact(d.groupID), d.partedFrom(f.asFact(d.groupID), ended, ended[f.span]))
		}
	}
	for i, f := range d.facts {
		if said[i] != "" {
			f.fact, f.reworded = said[i], true
		}
	}
}

// partedFrom are the other items of a fact's list that end where it goes on, or go on
// where it ends.
func (d *draft) partedFrom(of graph.Fact, ended map[*span]bool, ends bool) (parted []graph.Fact) {
	add := func(o graph.Fact, s *span) {
		if o.ID != of.ID && o.StatementID == of.StatementID && o.Fact == of.Fact && o.SourceID == of.SourceID && o.Predicate == of.Predicate && ended[s] != ends {
			parted = append(parted, o)
		}
	}
	for _, k := range d.known {
		if k.sibling == nil && !k.expired {
			add(k.Fact, k.span)
		}
	}
	for _, f := range d.facts {
		if f.duplicateOf == nil && !f.expired {
			add(f.asFact(d.groupID), f.span)
		}
	}
	return parted
}
