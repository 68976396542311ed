package answer

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
)

// justBefore is how long before a question was asked a row may have been stored without being seen
// then: its transaction had not ended.
const justBefore = 10 * time.Minute

// bestOfKind is how many passages of a kind count as relevant whatever they say, if the question
// names nobody.
const bestOfKind = 5

// relevance decides which passages of a search are relevant to a question: in a small memory, a
// search finds everything. Passages with a name of the question are relevant. If the question names
// nobody about whom anything was found, these are: passages with another word of it, and the best
// of each kind, which may say the same in other words.
type relevance struct {
	names, words []word
	slots        slots
	best         bool // the best passages are relevant whatever they say, because they are the answer
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

// relevant returns the passages that are relevant to the question.
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

// ask reports whether a slot has the name of a relation.
func (s slots) ask(relation string) bool {
	return relation != "" && slices.ContainsFunc(s.list, func(one slot) bool { return sameRelation(one.name, relation) })
}

// shares reports whether a text has one of some words.
func shares(words []word, text string) bool {
	return slices.ContainsFunc(words, claimOf(text).hasStem)
}

// changed reports whether something relevant to a standing answer is new: a fact, a message or an
// observation that came or changed since the question was asked, or a row of the answer with other
// words. Old rows in another order do not count, nor do summaries, which follow from the others. An
// answer whose own rows change or go is hidden anyway.
func (k *Keeper) changed(before body, asked time.Time, bearing, former evidence) bool {
	if k.answerer.llm != nil && before.By == offline {
		return true // a model is available now
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
		case made && line != "" && p.Kind != graph.KindEpisode && line != p.line: // the shown part of a message varies
			return true
		case !made && p.since.After(asked.Add(-justBefore)):
			return true
		}
	}
	return false
}
