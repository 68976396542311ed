package offline

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/kljensen/snowball/english"

	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/temporal"
)

// Relations that have one value at a time: a new one ends the old. So has
// every FAVORITE_ relation.
var oneValued = set(`LIVES_IN WORKS_AT WORKS_AS MARRIED_TO ENGAGED_TO NAMED NICKNAME BIRTHDAY AGE PHONE EMAIL ADDRESS`)

func isOneValued(predicate string) bool {
	return oneValued[predicate] || strings.HasPrefix(predicate, "FAVORITE_")
}

// Relations that go on: to say them again says nothing new.
var ongoing = set(`LIKES DISLIKES PREFERS ALLERGIC_TO HAS HAS_PROBLEM_WITH STUDIES MEMBER_OF DATES IS COMES_FROM BORN_IN GREW_UP_IN DOES
	NATIVE_LANGUAGE HOMETOWN HAS_HOBBY`)

func isOngoing(predicate string) bool {
	return isOneValued(predicate) || ongoing[predicate] || isKin[predicate]
}

var isKin = func() map[string]bool {
	out := map[string]bool{}
	for _, predicate := range kin {
		out[predicate] = true
	}
	return out
}()

// ResolveFacts finds repetitions by their words and contradictions by their
// relation: another value of a relation that has one at a time, an end of what
// was said to hold, and what holds again after it ended. Nothing else
// contradicts. Dates are left to the rules of package temporal.
func (*Analyst) ResolveFacts(ctx context.Context, q prompts.ResolveFacts) (prompts.ResolvedFacts, error) {
	if err := ctx.Err(); err != nil {
		return prompts.ResolvedFacts{}, err
	}
	known := make(map[int]prompts.KnownFact, len(q.Existing))
	for _, k := range q.Existing {
		known[k.ID] = k
	}
	var out prompts.ResolvedFacts
	for _, f := range q.Facts {
		if r := resolve(f, known, q.Episode.OccurredAt); r.DuplicateOf != 0 || len(r.Contradicts) > 0 {
			out.Resolutions = append(out.Resolutions, r)
		}
	}
	return out, nil
}

func resolve(f prompts.UnresolvedFact, known map[int]prompts.KnownFact, ref time.Time) prompts.FactResolution {
	r := prompts.FactResolution{ID: f.ID}
	for _, id := range f.SamePair {
		if k, ok := known[id]; ok && repeats(f, k, ref) {
			r.DuplicateOf, r.Reason = id, "says the same"
			break
		}
	}
	candidates := slices.Concat(f.SamePair, f.Rivals)
	vague := vagueEnd(f, candidates, known)
	for _, id := range candidates {
		k, ok := known[id]
		if ok && id != r.DuplicateOf && !slices.Contains(r.Contradicts, id) && (id == vague || contradicts(f, k)) {
			r.Contradicts = append(r.Contradicts, id)
			r.Reason = strings.TrimPrefix(r.Reason+"; cannot hold beside what was known", "; ")
		}
	}
	return r
}

// contradicts reports whether a new fact cannot hold beside a known one.
func contradicts(f prompts.UnresolvedFact, known prompts.KnownFact) bool {
	if fold(f.Source) != fold(known.Source) {
		return false
	}
	sameTarget := fold(f.Target) == fold(known.Target)
	switch {
	case f.Predicate == noLonger+known.Predicate:
		// "I quit my job" ends the work wherever it was.
		return sameTarget || f.Predicate == noLonger+"WORKS_AT" && f.Target == "job"
	case known.Predicate == noLonger+f.Predicate:
		return sameTarget
	case f.Predicate == known.Predicate:
		return !sameTarget && isOneValued(f.Predicate)
	}
	return false
}

// vagueEnd finds what an end means that names a thing less fully than it was
// named before: "the problem" or "the bicycle" is the only one there is. 0:
// there is none, or there are several.
func vagueEnd(f prompts.UnresolvedFact, candidates []int, known map[int]prompts.KnownFact) int {
	ended, ok := strings.CutPrefix(f.Predicate, noLonger)
	if !ok || ended != "HAS" && ended != "HAS_PROBLEM_WITH" {
		return 0
	}
	found := 0
	for _, id := range candidates {
		k, ok := known[id]
		if !ok || k.Predicate != ended || k.InvalidAt != nil || fold(k.Source) != fold(f.Source) || !mayMean(f.Target, k.Target) {
			continue
		}
		if found != 0 && found != id {
			return 0
		}
		found = id
	}
	return found
}

// mayMean reports whether a thing may be the other one, named less fully.
func mayMean(vague, full string) bool {
	vague = fold(vague)
	return problems[vague] || vague == fold(full) || strings.HasSuffix(fold(full), " "+vague)
}

// repeats reports whether both facts say the same. The same event at another
// time is another event.
func repeats(f prompts.UnresolvedFact, known prompts.KnownFact, ref time.Time) bool {
	if f.Predicate != known.Predicate || fold(f.Source) != fold(known.Source) || f.InvalidAt != nil && known.InvalidAt == nil {
		return false
	}
	sameTime := f.ValidAt == nil || known.ValidAt == nil || sameDay(*f.ValidAt, *known.ValidAt)
	switch {
	case isOneValued(f.Predicate):
		// That it began earlier than was known is news.
		return sameTime || f.ValidAt.After(*known.ValidAt) || known.ValidAt.Sub(*f.ValidAt) < 31*24*time.Hour
	case isOngoing(f.Predicate):
		return sameTime || !saysWhen(f.Fact, ref)
	}
	return sameTime && alike(f.Fact, known.Fact)
}

func saysWhen(sentence string, ref time.Time) bool {
	return slices.ContainsFunc(temporal.Find(sentence, ref), func(e temporal.Expression) bool { return e.Kind == temporal.Dated })
}

func sameDay(a, b time.Time) bool {
	return a.UTC().Format(time.DateOnly) == b.UTC().Format(time.DateOnly)
}

// alike reports whether two sentences share at least four fifths of their
// content words, whatever their order.
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
