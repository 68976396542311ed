package offline

import (
	"slices"
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
)

// hasNone matches the denial of having something: "I misspoke, I don't have a sister".
var hasNone = pattern.New(`(?i)\b(?:i|we) (?:don't|do not|dont|never|have never|did not|didn't|haven't) (?:(?:even|actually|really|ever) )?(?:have|had|own|owned|got) (?:a |an |any |the )?([\p{L}-]+)`)

// neverHad returns what a correction says does not exist: somebody's sister or car, and the name
// that the rules gave it. noun is "" if it denies no such thing.
func neverHad(text, speaker string) (noun, whole string) {
	if speaker == "" || !isCorrection(text) {
		return "", ""
	}
	m := hasNone().FindStringSubmatch(text)
	if m == nil {
		return "", ""
	}
	return m[1], speaker + "'s " + m[1]
}

// denied returns the known facts about a person or thing that does not exist, according to a
// correction. Nothing replaces them.
func denied(e prompts.Episode, known []prompts.KnownFact) (ids []int) {
	noun, whole := neverHad(plainQuotes.Replace(e.Content), e.Speaker)
	if noun == "" {
		return nil
	}
	speaks := func(p prompts.Pair) bool {
		own := fold(p.Source) == fold(e.Speaker)
		return fold(p.Source) == fold(whole) || fold(p.Target) == fold(whole) ||
			own && (fold(p.Target) == fold(noun) || kin[noun] != "" && p.Predicate == kin[noun])
	}
	for _, k := range known {
		if slices.ContainsFunc(k.Pairs, speaks) {
			ids = append(ids, k.ID)
		}
	}
	return ids
}

var (
	// A negated verb, and the start of the next clause.
	negation  = pattern.New(`(?i)\b(?:never|(?:do|does|did|have|has|had|was|were|am|is|are) not|(?:do|does|did|have|has|had|was|were|is|are)n't)\b`)
	clauseEnd = pattern.New(`(?i)[,.;:!?](?:\s|$)|\bbut\b|\bit(?:'s| is| was)\b`)

	// The denial of an earlier statement: "Sorry, I never worked at Acme".
	never = pattern.New(`(?i)^(?:(?:sorry|oops|no|wait|actually|ah|oh|hm+)[,.! ]+)+(?:but )?(?:i|we)(?: have| had|'ve|'d)? never (?:(?:even|actually|really) )?([\p{L}]+)`)
)

// neverDid reports whether a text begins with an apology or objection and denies something in the
// past tense. "I never" in the present tense is no correction.
func neverDid(text string) bool {
	m := never().FindStringSubmatch(text)
	if m == nil {
		return false
	}
	verb := strings.ToLower(m[1])
	return lemma(verb) != "" && lemma(verb) != verb
}

// deniedParts returns the denied parts of a text: from each negated verb to the end of its clause.
func deniedParts(text string) (parts []string) {
	text = plainQuotes.Replace(text)
	for _, at := range negation().FindAllStringIndex(text, -1) {
		part := text[at[1]:]
		if end := clauseEnd().FindStringIndex(part); end != nil {
			part = part[:end[0]]
		}
		parts = append(parts, part)
	}
	return parts
}

// denies reports whether all mentions of a name in a text are in denied parts.
func denies(text, name string) bool {
	times := 0
	for _, part := range deniedParts(text) {
		times += strings.Count(part, strings.TrimRight(name, "."))
	}
	return times > 0 && times == strings.Count(plainQuotes.Replace(text), strings.TrimRight(name, "."))
}

// deniesAny reports whether a negated clause contains a name. Such a correction retracts only what
// it names.
func deniesAny(text string) bool {
	return slices.ContainsFunc(deniedParts(text), func(part string) bool {
		return slices.ContainsFunc(strings.Fields(part), func(w string) bool { return w != "I" && startsUpper(w) })
	})
}

// saysSame reports whether a text shares a verb with the sentence or the predicate of a fact.
func saysSame(text string, k prompts.KnownFact) bool {
	if sharesVerb(text, k) {
		return true
	}
	return slices.ContainsFunc(k.Pairs, func(p prompts.Pair) bool {
		words := strings.ToLower(strings.ReplaceAll(p.Predicate, "_", " "))
		return sharesVerb(text, prompts.KnownFact{Fact: words}) || strings.HasSuffix(words, " to") && strings.Contains(text, words)
	})
}

// denial is the rule of claims that something does not hold now. It may never have held.
const denial = "a denial"

// denied adds the claim of a negated relation: a dislike, or that something does not hold.
func (st *statement) denied(r relation, p phrase) {
	switch {
	case r.predicate == "LIKES":
		st.claim(p, "DISLIKES", r.label, "a dislike", st.dates.said(), false)
	case st.verb.perfect || r.label == valueLabel || deniesInPart().MatchString(st.dates.whole):
	case st.verb.verb == "be" && r.manner != change && r.manner != end, r.manner == state && oneValued[r.predicate],
		r.predicate == "HAS" && r.manner == state && lastsWithout(p) && deniesWhole(st.dates.whole, p):
		st.claim(p, denialOf(r.predicate), r.label, denial, st.dates.said(), false)
	}
}

// deniesWhole reports whether a sentence says of a thing only that somebody does not have it, now and
// in general. A car that is "not at home" and a dog "not with me" may be elsewhere, and who has no
// younger brother may have an older one.
func deniesWhole(sentence string, p phrase) bool {
	before, after, _ := strings.Cut(sentence, p.text)
	return (hasNoSuch().MatchString(before) || p.named && p.label != "Person" && endsInHaving().MatchString(before)) && noMore().MatchString(after)
}

var (
	hasNoSuch    = pattern.New(`not (?:have|own) (?:an? |any )$`)
	endsInHaving = pattern.New(`not (?:have|own) $`)
	noMore       = pattern.New(`^[ ,.!]*(?:(?:at the moment|at all|right now|now|currently|these days|or .*|and .*)[ ,.!]*)*$`)
)

// lastsWithout reports whether the lack of a thing may last.
func lastsWithout(p phrase) bool {
	head := headWord(p.text)
	return !passing[head] && !occasions[head] && !lacked[head]
}

// lacked are things whose lack says nothing that lasts: "I don't have a clue".
var lacked = set(`clue preference opinion problem issue choice say excuse answer doubt objection complaint use second regret`)

// deniesInPart matches denials that leave something: "not only allergic to peanuts", "not a nurse
// yet".
var deniesInPart = pattern.New(`(?i)\bnot (?:only|just|merely|simply|as|that|so|too|very|quite|always|exactly|particularly|especially|severely|deathly|badly|entirely|completely|all|the only)\b|\byet\b`)
