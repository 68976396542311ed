package engine

import (
	"slices"
	"strings"

	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

func (d *draft) retractionOf(k *knownFact) *retraction {
	if i := slices.IndexFunc(d.retracted, func(r retraction) bool { return r.fact.ID == k.ID }); i >= 0 {
		return &d.retracted[i]
	}
	return nil
}

// retract retracts those facts of a statement that the episode means.
func (c *comparison) retract(d *draft, by *newStatement, place, episode int, reason string) {
	for _, k := range d.chooseRetracted(by, by.ofSameRelation(c.at(d, by, place)), episode) {
		if k.expired || d.retractionOf(k) != nil {
			continue
		}
		if by == nil {
			episode = d.takenBackBy(k, episode)
		}
		if d.saidLater(k, episode) {
			continue // the fact was stored first, but said later: the episode cannot mean it
		}
		if d.saysAgain(k, episode) {
			continue // a repeated correction retracts nothing the second time
		}
		d.retracted = append(d.retracted, retraction{fact: k, by: by, episode: episode})
		d.decide(episode, stepResolveFacts, decidedRetracted, k.Fact.Fact, k.ID, "the episode takes it back: "+reason)
	}
}

// saidLater reports whether a known fact was said after an episode and begins after it.
func (d *draft) saidLater(k *knownFact, episode int) bool {
	said := k.SaidAt
	if k.sibling != nil {
		said = d.episodes[k.sibling.episode].OccurredAt
	}
	at := d.episodes[episode].OccurredAt
	return said.After(at) && k.valid.Start.After(at)
}

// saysAgain reports whether an episode repeats a known fact word for word.
func (d *draft) saysAgain(k *knownFact, episode int) bool {
	return slices.ContainsFunc(d.facts, func(f *newFact) bool {
		again := f.duplicateOf != nil && f.duplicateOf.ID == k.ID && wording.BareWords(f.fact) == wording.BareWords(k.Fact.Fact)
		return f.episode == episode && (again || verbatim(f, k))
	})
}

// chooseRetracted chooses the facts of a sentence that an episode retracts: those that it names and
// does not state itself, else those that its correction omits, else those that it names, else all.
func (d *draft) chooseRetracted(by *newStatement, facts []*knownFact, episode int) []*knownFact {
	if len(facts) < 2 {
		return facts
	}
	content := strings.ToLower(d.episodes[episode].Content)
	byEnd := func(k *knownFact) bool {
		return slices.ContainsFunc(facts, func(o *knownFact) bool {
			return o.TargetID != k.TargetID && o.SourceID != k.TargetID && wording.HoldsName(content, k.Target) ||
				o.SourceID != k.SourceID && o.TargetID != k.SourceID && wording.HoldsName(content, k.Source)
		})
	}
	byRelation := func(k *knownFact) bool {
		return slices.ContainsFunc(strings.Split(strings.ToLower(k.Predicate), "_"), func(w string) bool {
			return len(w) > 3 && strings.Contains(content, strings.TrimSuffix(w, "s"))
		})
	}
	said := func(k *knownFact) bool {
		return slices.ContainsFunc(d.facts, func(f *newFact) bool {
			return f.episode == episode && !f.ends && f.predicate == k.Predicate && f.samePair(k)
		})
	}
	fewer := func(names func(*knownFact) bool) []*knownFact {
		if named := each.Where(facts, names); len(named) < len(facts) {
			return named
		}
		return nil
	}
	for _, some := range []func() []*knownFact{
		func() []*knownFact { return fewer(func(k *knownFact) bool { return byEnd(k) && !said(k) }) },
		func() []*knownFact { return d.notSaidAgain(by, facts) },
		func() []*knownFact { return fewer(byEnd) },
		func() []*knownFact { return fewer(byRelation) },
	} {
		if named := some(); len(named) > 0 {
			return withWhole(named, facts)
		}
	}
	return facts
}

// withWhole adds the general fact of a sentence if all its specific ones are retracted. If the
// meeting with Anna is off and it is with nobody else, there is no meeting.
func withWhole(some, all []*knownFact) []*knownFact {
	for _, whole := range all {
		relation := whole.Predicate + "_" + strings.ToUpper(whole.Target)
		says := func(k *knownFact) bool {
			return strings.HasPrefix(k.Predicate, relation) && k.SourceID == whole.SourceID
		}
		left := func(k *knownFact) bool { return says(k) && !slices.Contains(some, k) }
		if slices.ContainsFunc(some, says) && !slices.ContainsFunc(all, left) && !slices.Contains(some, whole) {
			some = append(some, whole)
		}
	}
	return withCompany(some, all)
}

// withCompany adds the facts that only say with whom or where a retracted one takes place. If a
// planned trip is off, nobody plans it with anybody.
func withCompany(some, all []*knownFact) []*knownFact {
	for _, k := range all {
		at := strings.LastIndexByte(k.Predicate, '_')
		if at < 0 || slices.Contains(some, k) || !companionOf[k.Predicate[at+1:]] {
			continue
		}
		does := func(o *knownFact) bool { return o.Predicate == k.Predicate[:at] && o.SourceID == k.SourceID }
		kept := func(o *knownFact) bool { return does(o) && !slices.Contains(some, o) }
		if slices.ContainsFunc(some, does) && !slices.ContainsFunc(all, kept) {
			some = append(some, k)
		}
	}
	return some
}

var companionOf = map[string]bool{"WITH": true, "FOR": true, "IN": true, "AT": true}

// notSaidAgain returns the facts of a sentence that a correction replaces: "jazz, opera and rock"
// corrects "jazz, opera and blues" and retracts the blues. States that it repeats go on. Events
// that it repeats are retracted too, as the correction states them again.
func (d *draft) notSaidAgain(by *newStatement, facts []*knownFact) []*knownFact {
	if by == nil {
		return nil
	}
	var others, again []*knownFact
	for _, k := range facts {
		if by.sayingSame(k) != nil {
			again = append(again, k)
		} else if by.replaces(k) {
			others = append(others, k)
		}
	}
	if len(others) == 0 || len(again) == 0 {
		return nil
	}
	for _, k := range again {
		if f := by.sayingSame(k); k.Kind == graph.FactEvent {
			others = append(others, k)
		} else if f.duplicateOf == nil && stillHolds(f, k) {
			d.repeat(f, k, "the correction says it again")
		}
	}
	return others
}

// sayingSame returns the fact of a statement that repeats a known one.
func (s *newStatement) sayingSame(k *knownFact) *newFact {
	for _, f := range s.facts {
		if f.predicate == k.Predicate && f.source.ID == k.SourceID && f.target.ID == k.TargetID && !f.ends {
			return f
		}
	}
	return nil
}

// replaces reports whether a statement gives a known fact another source or target.
func (s *newStatement) replaces(k *knownFact) bool {
	return slices.ContainsFunc(s.facts, func(f *newFact) bool { return f.replaces(k) })
}

func (f *newFact) replaces(k *knownFact) bool {
	return f.predicate == k.Predicate && (f.source.ID == k.SourceID) != (f.target.ID == k.TargetID)
}

// takenBackBy finds the message of a window that retracts a fact: the last one before the fact is
// stated again.
func (d *draft) takenBackBy(k *knownFact, last int) int {
	if k.sibling == nil {
		return last
	}
	for _, f := range d.facts {
		if f.duplicateOf != nil && f.duplicateOf.ID == k.ID && f.episode > k.sibling.episode+1 {
			return f.episode - 1
		}
	}
	return last
}
