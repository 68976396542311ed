package answer

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
)

// justBefore is how long before a question was asked something may have been stored
// that was not seen then: the transaction that stored it had not ended.
const justBefore = 10 * time.Minute

// bestOfKind is how many passages of a kind bear on a question whatever they say, where
// it names nobody.
const bestOfKind = 5

// relevance tells what of the passages that a search found bears on a question, since in
// a small memory a search finds all there is. That is what has a name that the question
// has. Where it names nobody of whom anything was found, it is what has another word of
// it, and the best of each kind, which may say the same in other words.
type relevance struct {
	names, words []word
	slots        slots
	best         bool // the best passages bear on it whatever they say: they are the answer
}

func relevanceFor(question string, slots slots, passages bool, found ...evidence) relevance {
	s := relevance{slots: slots, best: passages}
	for _, w := range claimOf(question).words {
		if !w.light && w.name {
			s.names = append(s.names, w)
		} else if !w.light {
			s.words = append(s.words, w)
		}
	}
	named := slices.ContainsFunc(found, func(e evidence) bool {
		return slices.ContainsFunc(e.passages, func(p passage) bool { return shares(s.names, p.line) })
	})
	if !named {
		s.names, s.words, s.best = nil, append(s.names, s.words...), true
	}
	return s
}

// relevant keeps of passages what bears on the question.
func (s relevance) relevant(e evidence) evidence {
	place := map[graph.Kind]int{}
	var kept []passage
	for _, p := range e.passages {
		place[p.Kind]++
		relation := p.hit.Predicate
		bears := p.hit.Answers || s.best && (place[p.Kind] <= bestOfKind || s.slots.ask(relation)) || shares(s.names, p.line) ||
			s.names == nil && shares(s.words, graph.SearchText(p.line, relation))
		if bears {
			kept = append(kept, p)
		}
	}
	return e.of(kept)
}

// ask reports whether a slot is called after a relation.
func (s slots) ask(relation string) bool {
	return relation != "" && slices.ContainsFunc(s.list, func(one slot) bool { return sameRelation(one.name, relation) })
}

// shares reports whether a text has one of some words.
func shares(words []word, text string) bool {
	return slices.ContainsFunc(words, claimOf(text).hasStem)
}

// changed tells whether something bears on a standing answer that it was not made
// from: a fact, a message or an observation that came or changed since it was asked, or
// one of its own in other words. That old rows change places among themselves does not
// count, nor do summaries, which follow from the others. Where its own rows change or
// go it is hidden anyway.
func (k *Keeper) changed(before body, asked time.Time, bearing, former evidence) bool {
	if k.answerer.llm != nil && before.By == offline {
		return true // there is a model now
	}
	lines := map[uuid.UUID]string{}
	_, made := before.rows()
	for _, id := range made {
		lines[id] = ""
	}
	for _, p := range before.Passages {
		lines[p.Cites[0].ID] = p.Line
	}
	return bearing.newTo(lines, asked) || former.newTo(lines, asked)
}

func (e evidence) newTo(lines map[uuid.UUID]string, asked time.Time) bool {
	for _, p := range e.passages {
		line, made := lines[p.ID]
		switch {
		case isSummary(p.Kind):
		case made && line != "" && p.Kind != graph.KindEpisode && line != p.line: // of what was said, more or less is shown
			return true
		case !made && p.since.After(asked.Add(-justBefore)):
			return true
		}
	}
	return false
}
