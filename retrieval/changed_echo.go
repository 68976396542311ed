package retrieval

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
)

// A question, or somebody else's word, can repeat what has ended without stating it: "You
// live in Paris, right?" Nothing is made of such a message, and a context that shows it
// says what became of what it repeats.

// tellEchoes notes on the episodes which of the facts that are known here to have ended
// they speak of: they have its words of the relation and name what it led to, and whom it
// was of, or "you".
func tellEchoes(r *Result, reading time.Time) {
	ended := endedHere(r, reading)
	for i, h := range r.Episodes {
		for _, c := range ended {
			told := slices.ContainsFunc(h.Changes, func(o Change) bool { return o.Fact.TargetID == c.Fact.TargetID && o.Fact.Predicate == c.Fact.Predicate })
			if !told && h.Speaker() != c.Fact.Source && echoes(h.Content, c.Fact) {
				r.Episodes[i].Changes = append(r.Episodes[i].Changes, c)
			}
		}
	}
}

// endedHere are the ends of relations that hold to one at a time, of which the facts and
// the episodes of a result tell.
func endedHere(r *Result, reading time.Time) []Change {
	var ended []Change
	add := func(c Change) {
		known := slices.ContainsFunc(ended, func(o Change) bool { return o.Fact.ID == c.Fact.ID })
		if !known && c.Fact.Ended(reading) && !c.TakenBack && !c.Displaced && !disputed(c.Fact) && c.Again.ID == uuid.Nil && IsSingle(c.Fact.Predicate) {
			ended = append(ended, c)
		}
	}
	for _, h := range r.Episodes {
		for _, c := range h.Changes {
			add(c)
		}
	}
	for _, h := range r.Facts {
		c := Change{Fact: h.Fact}
		for _, o := range r.Facts {
			if o.SourceID == h.SourceID && o.Predicate == h.Predicate && o.Kind != graph.FactEvent && o.Valid.Contains(reading) && follows(o.Fact, h.Fact) {
				c.Now = append(c.Now, o.Fact)
			}
		}
		add(c)
	}
	return ended
}

// without are the words that are none of the others.
func without(words, others []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return slices.Contains(others, word) })
}

// echoes reports whether a sentence of a text speaks of a fact.
func echoes(text string, f graph.Fact) bool {
	for _, sentence := range sentencesOf(text) {
		words := wordsIn(sentence)
		of := append(tellingWords(f.Source), "you")
		if missing := without(wordsIn(f.Target), words); len(missing) > 0 || len(without(of, words)) == len(of) {
			continue
		}
		asked, _ := relationsAsked(sentence)
		if slices.ContainsFunc(asked, func(r relation) bool { return slices.Contains(r.listed(), f.Predicate) }) {
			return true
		}
	}
	return false
}
