package offline

import (
	"slices"
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
)

// People correct themselves at once: "I live in Mumbai. No wait, I live in Nashik." What the second
// half says replaces the first.

const amending = `(?:no,? wait|wait,? no|sorry,? i mean(?:t)?|i mean(?:t)?|or rather|make that|scratch that|strike that|correction|i misspoke|no,? actually|actually,? no)`

var (
	amends = pattern.New(`^(?i:(?:oh|ah|hm+|oops|well|no|wait|sorry)[,.! ]+)*(?i:(?:` + amending + `)\b[,.:!…]*|(?:no,? sorry|sorry,? no)[,.:!])(.*)$`)

	// A name or number that is replaced at once: "in Mumbai, no wait, Nashik".
	amendedPart = pattern.New(`((?:\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)*)|\d[\d.,]*\d|\d)((?: \p{Ll}+)?)(?:[,.…]+ |\.\.\. ?| [–—-] |, ?[–—-] ?)(?i:` + amending + `|(?:no,? )?sorry|rather|no,)[,:.…]* (?:no,? )?(?:in |at |to |for |on |with |it's |it is )?((?:\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)*)|\d[\d.,]*\d|\d)((?: \p{Ll}+)?)([,.!;]|$)`)
)

// amended replaces a name or number by its correction.
func amended(text string) string {
	if !holdsAny(text, "wait", "orry", " mean", "ather", "ake that", "cratch", "trike", "orrection", "misspoke", "ctually", " no,") {
		return text
	}
	m := amendedPart().FindStringSubmatchIndex(text)
	if m == nil {
		return text
	}
	was, is := text[m[2]:m[3]], text[m[6]:m[7]]
	unit := text[m[8]:m[9]]
	if startsUpper(was) != startsUpper(is) || isCommon(is) || isCommon(was) || startsUpper(is) && unit != "" {
		return text
	}
	if unit == "" {
		unit = text[m[4]:m[5]]
	}
	return text[:m[2]] + is + unit + text[m[10]:]
}

// replaced returns the claims that remain after others corrected them. A claim that shares all but
// one part with a correcting one is dropped. "I mean" alone (loosely) corrects only predicates with
// one value.
func replaced(claims, by []claim, loosely bool) []claim {
	var left []claim
	for _, cl := range claims {
		if loosely && !isOneValued(cl.predicate) || !cl.isAmendedBy(by) {
			left = append(left, cl)
		}
	}
	return left
}

func (cl claim) isAmendedBy(others []claim) bool {
	for _, o := range others {
		sameSubject, sameObject := fold(cl.subject) == fold(o.subject), fold(cl.object) == fold(o.object)
		if cl.predicate == o.predicate && (sameSubject || sameObject) {
			return true
		}
	}
	return false
}

var (
	// The topic of a clause that denies something, or says that it is over.
	deniedTopic = pattern.New(`^((?:[Mm]y|[Oo]ur|[Yy]our|[Tt]he|\p{Lu}[\p{L}'-]*'s) [\p{L}\d' -]{2,60}?) (?:isn't|is not|is no longer|wasn't|was not|used to be|was|aren't|are not)\b`)
	itsNow      = pattern.New(`^(?i:but |and |now )*(?i:it|that)(?i:'s| is| was) (?i:now |actually |really |in fact )*(.+)$`)
)

// aboutTopic replaces "it" after a clause that denies something: "my favourite restaurant isn't
// Sakura anymore, it's Dosa House".
func (c *scene) aboutTopic(clause string) string {
	if m := itsNow().FindStringSubmatch(clause); m != nil && c.topic != "" {
		clause = c.topic + " is " + m[1]
	}
	c.topic = ""
	if m := deniedTopic().FindStringSubmatch(clause); m != nil {
		c.topic = m[1]
	}
	return strings.TrimSpace(clause)
}

// tellsName reports whether a sentence states who somebody's relative is, beyond naming them: "my
// sister is called Anja".
func tellsName(sentence string, p prompts.Pair) bool {
	before, _, named := strings.Cut(sentence, p.Target)
	return named && beforeName().MatchString(before)
}

var beforeName = pattern.New(`\b(?:is|was)(?: called| named| (?:\p{Ll}+ )?(?:married|engaged) to)? $`)

// objects reports whether a text begins by correcting what its speaker has just said: "No wait, I
// live in Nashik".
func objects(text string) bool {
	return objection().MatchString(strings.TrimSpace(text)) && !isCorrection(text)
}

var objection = pattern.New(`^(?i:(?:oh|ah|hm+|oops)[,.! ]+)*(?i:no,? wait|wait,? no|(?:no,? sorry|sorry,? no)[,.!]|or rather|make that|no,? actually)[,.:!…]*\s+\S`)

// saidJustBefore reports whether a fact was said in the same speaker's last message.
func saidJustBefore(e prompts.Episode, k prompts.KnownFact) bool {
	for _, m := range slices.Backward(e.Previous) {
		if fold(m.Speaker) == fold(e.Speaker) {
			return m.OccurredAt.Equal(k.Said)
		}
	}
	return false
}

// saysKnown reports whether an episode states a believed fact, even one that is not asked about, as
// when a correction is repeated.
func saysKnown(q prompts.ResolveFacts) bool {
	for _, s := range read(q.Episode).said {
		for _, cl := range s.claims {
			is := prompts.Pair{Source: cl.subject, Predicate: cl.predicate, Target: cl.object}
			if slices.ContainsFunc(q.Existing, func(k prompts.KnownFact) bool { return relates(k, is) }) {
				return true
			}
		}
	}
	return false
}
