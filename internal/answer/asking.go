package answer

import (
	"slices"
	"strings"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

// The words that show what a question asks.

var (
	askingWords = setOf(`tell know known happen happens happened happening kind sort how why many much long ever yet favourite favorite get gets got
		day month year date time one start starts started begin begins began become becomes became own owns owned belong belongs`)
	likings   = setOf("like likes love loves prefer prefers want wants")
	pastAsked = setOf("was were had did former formerly previously past used ago before earlier happened")
)

// telling returns the words of a question that say what it asks.
func (c claim) telling() []word {
	var words []word
	for i, w := range c.words {
		if likings[c.lower[i]] && i+1 < len(c.lower) && c.lower[i+1] == "to" {
			continue // "like to eat" asks about eating
		}
		idle := askingWords[c.lower[i]] || negations[c.lower[i]] || presentWords[c.lower[i]] || hedges[c.lower[i]] && !w.name
		if c.lower[i] != "to" && !w.light && !idle {
			words = append(words, w)
		}
	}
	return words
}

// matters returns the telling words that are neither names nor times.
func (c claim) matters() []word {
	return slices.DeleteFunc(c.telling(), func(w word) bool { return w.name || isMonth(w.stem) || isYear(w.stem) || isDay(w.stem) })
}

// names reports whether a question has a word of name that is not a word of other. "What car does
// Jack drive?" names no car.
func (c claim) names(name, other string) bool {
	known := claimOf(other)
	return slices.ContainsFunc(claimOf(name).words, func(w word) bool {
		named := slices.ContainsFunc(c.words, func(o word) bool { return o.stem == w.stem && !o.class })
		return !w.light && named && !known.hasStem(w)
	})
}

// hasStem reports whether a claim has a word, in any form.
func (c claim) hasStem(w word) bool {
	return slices.ContainsFunc(c.words, func(o word) bool { return o.stem == w.stem })
}

// inOrder reports whether a question names the ends of a fact in their order, or has "by" or
// "with", which may reverse it.
func (c claim) inOrder(h retrieval.FactHit) bool {
	at := func(name string) int {
		return slices.IndexFunc(c.words, func(w word) bool { return !w.light && claimOf(name).hasStem(w) })
	}
	return c.has(turning) || at(h.Source) < at(h.Target)
}

// matching returns how many words of a question, apart from names and times, a fact has.
func (c claim) matching(h retrieval.FactHit) int {
	return claimOf(graph.SearchText(h.Fact.Fact, h.Predicate)).count(c.matters())
}

// shared returns how many telling words of a question a text has.
func (c claim) shared(text string) int { return claimOf(text).count(c.telling()) }

// count returns how many of some words a claim has.
func (c claim) count(words []word) int {
	n := 0
	for _, w := range words {
		if c.hasStem(w) {
			n++
		}
	}
	return n
}

// isOf reports whether an answering fact is about what is asked: it has the relation, or a word of
// the question that is no name; it is about the right time; and for "What does she like to eat?" it
// is about eating.
func (c claim) isOf(h retrieval.FactHit) bool {
	if !h.Related && len(c.matters()) > 0 && c.matching(h) == 0 {
		return false
	}
	said, relation := claimOf(h.Fact.Fact), claimOf(graph.SearchText("", h.Predicate))
	for i := 1; i+1 < len(c.words); i++ {
		if c.lower[i] == "to" && likings[c.lower[i-1]] && relation.hasStem(c.words[i-1]) && !said.hasStem(c.words[i+1]) {
			return false
		}
	}
	return c.isOfTime(h)
}

// isOfTime reports whether a fact is about the time that is asked about. A fact about what the
// question names as a point in time is not: Porto in "Where did she live before Porto?"
func (c claim) isOfTime(h retrieval.FactHit) bool {
	at := slices.IndexFunc(c.lower, func(low string) bool { return low == "before" || low == "after" })
	if at < 0 || h.NotThen {
		return !h.NotThen
	}
	named := claim{words: c.words[at:]}
	return slices.ContainsFunc(claimOf(h.Target).words, func(w word) bool { return !w.light && !named.hasStem(w) })
}

// asksDone reports whether a question is about actions: "What did Nora do in June?"
func (c claim) asksDone() bool {
	did := slices.ContainsFunc(c.lower, func(low string) bool { return low == "did" || low == "has" || low == "have" })
	return did && len(c.lower) > 0 && c.lower[0] == "what" && c.has(setOf("do done"))
}

// asksWhatHappened reports whether a question is about actions, or about what happened or changed.
func (c claim) asksWhatHappened() bool {
	return c.asksDone() || len(c.lower) > 0 && c.lower[0] == "what" && c.has(setOf("happened happens happen happening changed"))
}

// asksOfPast reports whether a question is about the past: "Where did she live?", "Where has she
// lived?"
func (c claim) asksOfPast() bool {
	if c.has(presentWords) {
		return false
	}
	lived := slices.ContainsFunc(c.lower, func(low string) bool { return strings.HasSuffix(low, "ed") || pastForms()[low] })
	return c.has(pastAsked) || c.has(perfectWords) && lived && !slices.Contains(c.lower, "since")
}
