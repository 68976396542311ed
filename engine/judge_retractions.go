package engine

import (
	"slices"
	"strings"
)

// retractionOf is how a fact was taken back; nil: it was not.
func (d *draft) retractionOf(k *knownFact) *retraction {
	if i := slices.IndexFunc(d.retracted, func(r retraction) bool { return r.fact.ID == k.ID }); i >= 0 {
		return &d.retracted[i]
	}
	return nil
}

// retract takes back the facts of a statement that the episode means. What the
// episode says again in the same words it does not take back.
func (c *comparison) retract(d *draft, by *newStatement, place, episode int, reason string) {
	for _, k := range d.meant(by.ofSameRelation(c.at(d, by, place)), episode) {
		if k.expired || d.retractionOf(k) != nil {
			continue
		}
		if by == nil {
			episode = d.takenBackBy(k, episode)
		}
		if d.saidLater(k, episode) {
			continue // it arrived first, and cannot be what the episode means
		}
		if d.saysAgain(k, episode) {
			continue // a correction that is made twice takes back nothing the second time
		}
		d.retracted = append(d.retracted, retraction{fact: k, by: by, episode: episode})
		d.note(note{
			episodes: []int{episode}, step: stepResolveFacts, decision: decidedRetracted, subject: k.Fact.Fact,
			reason: "the episode takes it back: " + reason, fact: k.ID,
		})
	}
}

// saidLater reports whether a known fact was said first after an episode was, and of a
// time after it. What began before may have been said before, too, in an episode that
// arrived later.
func (d *draft) saidLater(k *knownFact, episode int) bool {
	said := k.SaidAt
	if k.sibling != nil {
		said = d.episodes[k.sibling.episode].OccurredAt
	}
	at := d.episodes[episode].OccurredAt
	return said.After(at) && k.valid.Start.After(at)
}

// saysAgain reports whether an episode itself says a known fact again, word for word.
func (d *draft) saysAgain(k *knownFact, episode int) bool {
	return slices.ContainsFunc(d.facts, func(f *newFact) bool {
		again := f.duplicateOf != nil && f.duplicateOf.ID == k.ID && bareWords(f.fact) == bareWords(k.Fact.Fact)
		return f.episode == episode && (again || verbatim(f, k))
	})
}

// meant leaves of several facts of one sentence those that an episode names, where
// it names some: by an end that tells them apart, else by their relation. What the
// episode says itself it only takes back where it names nothing else.
func (d *draft) meant(facts []*knownFact, episode int) []*knownFact {
	if len(facts) < 2 {
		return facts
	}
	content := strings.ToLower(d.episodes[episode].Content)
	byEnd := func(k *knownFact) bool {
		return slices.ContainsFunc(facts, func(o *knownFact) bool {
			return o.TargetID != k.TargetID && o.SourceID != k.TargetID && holdsName(content, k.Target) ||
				o.SourceID != k.SourceID && o.TargetID != k.SourceID && holdsName(content, k.Source)
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
	for _, names := range []func(*knownFact) bool{
		func(k *knownFact) bool { return byEnd(k) && !said(k) }, byEnd, byRelation,
	} {
		if named := slices.DeleteFunc(slices.Clone(facts), func(k *knownFact) bool { return !names(k) }); len(named) > 0 && len(named) < len(facts) {
			return named
		}
	}
	return facts
}

// takenBackBy finds the message of a window that takes a fact back: the last,
// or the one before the fact is said again.
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
