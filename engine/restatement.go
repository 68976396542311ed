package engine

import (
	"fmt"
	"slices"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
)

// near notes a rejection that stands between the ends of a new fact and would
// refuse it if it said the same. Whether it does, the analyst is asked: only
// readers know the same in other words. What a person tells by hand is not asked
// about.
func (d *draft) near(f *newFact, row db.RefusalsRow) {
	if d.handed && d.episodes[f.episode].Authority == graph.AuthorityPerson || row.Fact == "" {
		return
	}
	f.nearRejected = append(f.nearRejected, row)
}

// addRejected takes the rejections between the ends of new facts into the
// comparison. Their places follow all others.
func (c *comparison) addRejected() {
	for _, s := range c.fresh {
		for _, f := range s.facts {
			for _, row := range f.nearRejected {
				if !slices.ContainsFunc(c.rejected, func(o db.RefusalsRow) bool { return o.ID == row.ID }) {
					c.rejected = append(c.rejected, row)
				}
			}
		}
	}
}

// rejectedPlace is the place in the question of the i-th rejection.
func (c *comparison) rejectedPlace(i int) int { return len(c.known) + len(c.fresh) + i + 1 }

// rejectedNear lists the places of the rejections between the ends of a statement.
func (c *comparison) rejectedNear(s *newStatement) []int {
	var places []int
	for i, r := range c.rejected {
		if slices.ContainsFunc(s.facts, func(f *newFact) bool { return f.nearTo(r) }) {
			places = append(places, c.rejectedPlace(i))
		}
	}
	return places
}

func (f *newFact) nearTo(r db.RefusalsRow) bool {
	return slices.ContainsFunc(f.nearRejected, func(o db.RefusalsRow) bool { return o.ID == r.ID })
}

// shownRejected lists the rejections as the analyst is shown them.
func (c *comparison) shownRejected() []prompts.RejectedFact {
	var shown []prompts.RejectedFact
	for i, r := range c.rejected {
		shown = append(shown, prompts.RejectedFact{ID: c.rejectedPlace(i), Fact: r.Fact})
	}
	return shown
}

// restates marks the facts of a statement that say in other words what was
// rejected at a place of the question. It is false where there are none.
func (c *comparison) restates(d *draft, s *newStatement, place int, reason string) bool {
	i := place - c.rejectedPlace(0)
	if i < 0 || i >= len(c.rejected) {
		return false
	}
	r, found := c.rejected[i], false
	for _, f := range s.facts {
		if f.duplicateOf != nil || f.restated != nil || !f.nearTo(r) {
			continue
		}
		f.restated, found = &r, true
		d.note(note{
			episodes: []int{f.episode}, step: stepResolveFacts, decision: decidedRefused, subject: f.fact, fact: r.FactID,
			reason: fmt.Sprintf("it says in other words what was %s: %s (%s)",
				change.RejectedBy(r.Authority, r.RejectedAt, r.WrittenBy, r.Door), r.Fact, reason),
		})
	}
	return found
}

// dropRestated drops the facts that say in other words what was rejected, with
// what repeats them or rests on them. A triple is refused with an error.
func (d *draft) dropRestated() error {
	gone := func(k *knownFact) bool { return k.sibling != nil && k.sibling.restated != nil }
	for _, f := range d.facts { // a repetition stands after what it repeats
		if k := f.duplicateOf; k != nil && gone(k) {
			f.restated = k.sibling.restated
		}
		if f.restated != nil && d.handed {
			return withdrawn(*f.restated)
		}
		f.contradicts = slices.DeleteFunc(f.contradicts, gone)
	}
	d.facts = slices.DeleteFunc(d.facts, func(f *newFact) bool { return f.restated != nil })
	d.retracted = slices.DeleteFunc(d.retracted, func(r retraction) bool { return gone(r.fact) })
	return nil
}

// nearRejected reports whether something was rejected between the ends of a statement.
func (s *newStatement) nearRejected() bool {
	return slices.ContainsFunc(s.facts, func(f *newFact) bool { return len(f.nearRejected) > 0 })
}
