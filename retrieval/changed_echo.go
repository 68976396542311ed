package retrieval

import (
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval/prose"
	"github.com/annalsdb/annals/retrieval/relation"
)

// A question or another speaker can repeat an ended fact without stating it: "You live in Paris,
// right?" Such a message gives no fact. A context that shows it says what became of the fact it
// repeats.

// noteEchoes adds the change of an ended fact to the episodes that mention it. Such an episode has
// words for its relation, the name of its target, and the name of its source or "you".
func (b changesBehind) noteEchoes(r *Result) {
	ended := b.endedHere(r)
	for i, h := range r.Episodes {
		for _, c := range ended {
			told := slices.ContainsFunc(h.Changes, func(o Change) bool { return o.Fact.TargetID == c.Fact.TargetID && o.Fact.Predicate == c.Fact.Predicate })
			if !told && h.Speaker() != c.Fact.Source && echoes(h.Content, c.Fact) {
				r.Episodes[i].Changes = append(r.Episodes[i].Changes, c)
			}
		}
	}
}

// endedHere returns the ended facts that the facts and episodes of a result tell of, if their
// relation holds one value at a time.
func (b changesBehind) endedHere(r *Result) []Change {
	var told, ended []Change
	for _, h := range r.Episodes {
		told = append(told, h.Changes...)
	}
	for _, h := range r.Facts {
		told = append(told, b.changesOf(func(f *graph.Fact) bool { return f.ID == h.ID })...)
	}
	for _, c := range told {
		known := slices.ContainsFunc(ended, func(o Change) bool { return o.Fact.ID == c.Fact.ID })
		if !known && c.Fact.Ended(b.reading) && !c.TakenBack && !c.Displaced && !c.Fact.Disputed() && c.Again.ID == uuid.Nil && relation.IsSingle(c.Fact.Predicate) {
			ended = append(ended, c)
		}
	}
	return ended
}

// without returns the words that are not among the others.
func without(words, others []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return slices.Contains(others, word) })
}

// echoes reports whether a sentence of a text mentions a fact.
func echoes(text string, f graph.Fact) bool {
	for _, sentence := range prose.Sentences(text) {
		words := prose.Words(sentence)
		of := append(prose.TellingWords(f.Source), "you")
		if missing := without(prose.Words(f.Target), words); len(missing) > 0 || len(without(of, words)) == len(of) {
			continue
		}
		asked, _ := relation.Asked(sentence)
		if slices.ContainsFunc(asked, func(r relation.Relation) bool { return r.Place(f.Predicate) >= 0 }) {
			return true
		}
	}
	return false
}
