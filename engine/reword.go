package engine

import (
	"context"

	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
)

// reword gives facts new sentences where a part of the old sentence was retracted or ended.
func (w *walk) reword(ctx context.Context, d *draft) error {
	d.rewordParts()
	d.rewordLists()
	var texts []string
	var take []func([]float32)
	for _, k := range d.known {
		if k.reworded != "" && !k.expired {
			texts = append(texts, graph.SearchText(k.reworded, k.Predicate))
			take = append(take, func(v []float32) { k.vector = v })
		}
	}
	for _, f := range d.facts {
		if f.reworded && !f.expired && f.duplicateOf == nil {
			texts = append(texts, graph.SearchText(f.fact, f.predicate))
			take = append(take, func(v []float32) { f.vector = v })
		}
	}
	if len(texts) == 0 {
		return nil
	}
	vectors, err := w.embed(ctx, texts)
	if err != nil {
		return err
	}
	for i, v := range vectors {
		take[i](v)
	}
	return nil
}

func (d *draft) rewordParts() {
	gone := func(sentence string, of graph.Fact) (facts []graph.Fact) {
		for _, r := range d.retracted {
			if k := r.fact; k.expired && k.ID != of.ID && k.StatementID == of.StatementID && k.Fact.Fact == sentence {
				facts = append(facts, k.Fact)
			}
		}
		return facts
	}
	for _, k := range d.known {
		if k.expired {
			continue
		}
		if parts := gone(k.Fact.Fact, k.Fact); parts != nil {
			d.rewordFact(k, wording.PartOfSentence(k.Fact.Fact, k.Fact, parts), "a part of it was taken back; what stays is: ")
		}
	}
	said := make([][]graph.Fact, len(d.facts))
	for i, f := range d.facts {
		if f.duplicateOf == nil && !f.expired {
			said[i] = gone(f.fact, f.asFact(d.groupID))
		}
	}
	for i, f := range d.facts {
		if said[i] != nil {
			f.fact, f.reworded = wording.PartOfSentence(f.fact, f.asFact(d.groupID), said[i]), true
		}
	}
}

// rewordFact gives a known fact a new sentence, and says why.
func (d *draft) rewordFact(k *knownFact, sentence, why string) {
	if sentence == k.now().Fact {
		return
	}
	k.reworded = sentence
	d.note(note{
		step: stepApplyTime, decision: decidedMended, subject: k.Fact.Fact, fact: k.ID,
		reason: why + sentence,
	})
}

// now returns the fact as the draft leaves it.
func (k *knownFact) now() graph.Fact {
	f := k.Fact
	f.Valid, f.BoundedBy = k.valid, k.boundedBy
	if k.reworded != "" {
		f.Fact, f.ToldAs = k.reworded, ""
	}
	return f
}

// rewordLists splits sentences with lists of which only some items ended. After "I gave up the
// cello", no current fact says "the piano and the cello".
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
				what := "a part of it ended; what stays is: "
				if ended[k.span] {
					what = "a part of it stays; what ended is: "
				}
				d.rewordFact(k, s, what)
			}
		}
	}
	said := make([]string, len(d.facts)) // before any fact changes
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

// partedFrom returns the items of the same list that end while the fact goes on, or the reverse.
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
