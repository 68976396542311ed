package offline

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/kljensen/snowball/english"

	"github.com/annalsdb/annals/prompts"
)

// Relations that have one value at a time: a new one ends the old.
var oneValued = set(`LIVES_IN WORKS_AT WORKS_AS MARRIED_TO ENGAGED_TO DATES COMES_FROM HAS_NAME HAS_BIRTHDAY HAS_AGE HAS_ADDRESS
	HAS_EMAIL HAS_PHONE HAS_PHONE_NUMBER HAS_NICKNAME HAS_HOMETOWN HAS_JOB`)

// ResolveFacts finds repetitions by their words and contradictions by their
// relation: another value of a relation that has one at a time, and an end of
// what was said to hold. Nothing else contradicts.
func (*Analyst) ResolveFacts(ctx context.Context, q prompts.ResolveFacts) (prompts.ResolvedFacts, error) {
	if err := ctx.Err(); err != nil {
		return prompts.ResolvedFacts{}, err
	}
	var out prompts.ResolvedFacts
	for _, f := range q.Facts {
		r := prompts.FactResolution{ID: f.ID}
		for _, id := range f.SamePair {
			if known := q.Existing[id-1]; r.DuplicateOf == 0 && repeats(f, known) {
				r.DuplicateOf, r.Reason = id, "says the same in other words"
			}
		}
		for _, id := range append(slices.Clone(f.SamePair), f.Rivals...) {
			if id != r.DuplicateOf && contradicts(f, q.Existing[id-1]) {
				r.Contradicts = append(r.Contradicts, id)
			}
		}
		if r.DuplicateOf != 0 || len(r.Contradicts) > 0 {
			out.Resolutions = append(out.Resolutions, r)
		}
	}
	return out, nil
}

// contradicts reports whether a new fact cannot hold beside a known one.
func contradicts(f prompts.UnresolvedFact, known prompts.KnownFact) bool {
	if fold(f.Source) != fold(known.Source) {
		return false
	}
	sameTarget := fold(f.Target) == fold(known.Target)
	switch {
	case strings.TrimPrefix(f.Predicate, noLonger) == known.Predicate && f.Predicate != known.Predicate,
		strings.TrimPrefix(known.Predicate, noLonger) == f.Predicate && f.Predicate != known.Predicate:
		return sameTarget
	case f.Predicate == known.Predicate:
		return !sameTarget && (oneValued[f.Predicate] || strings.HasPrefix(f.Predicate, "FAVORITE_"))
	}
	return false
}

// repeats reports whether both facts say the same. An event on another day is another event.
func repeats(f prompts.UnresolvedFact, known prompts.KnownFact) bool {
	if f.Predicate != known.Predicate || fold(f.Source) != fold(known.Source) {
		return false
	}
	if oneValued[f.Predicate] || strings.HasPrefix(f.Predicate, "FAVORITE_") || states[f.Predicate] {
		return true
	}
	return sameDay(f.ValidAt, known.ValidAt) && alike(f.Fact, known.Fact)
}

// States go on: saying them again says nothing new.
var states = set(`LIKES LOVES DISLIKES PREFERS ALLERGIC_TO HAS NO_LONGER_HAS HAS_PROBLEM_WITH STUDIES`)

func sameDay(a, b *time.Time) bool {
	return a == nil || b == nil || a.Truncate(24*time.Hour).Equal(b.Truncate(24*time.Hour))
}

// alike reports whether two sentences share at least four fifths of their
// content words.
func alike(a, b string) bool {
	x, y := contentWords(a), contentWords(b)
	shared := 0
	for w := range x {
		if y[w] {
			shared++
		}
	}
	return shared*5 >= max(len(x), len(y))*4
}

func contentWords(s string) map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(fold(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if !english.IsStopWord(w) {
			words[english.Stem(w, true)] = true
		}
	}
	return words
}

func startsUpper(s string) bool {
	for _, r := range s {
		return unicode.IsUpper(r)
	}
	return false
}
