package offline

import (
	"slices"
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
)

// Patterns that refer to something mentioned earlier, in another message or in this one.

var (
	// An attribute without its owner, and one with its owner.
	attributeAlone = pattern.New(`^((?i:(?:ok|so|and|but|well|oh|no|wait|update|actually|sorry|btw|by the way)[,.:!]* )*[Tt]he (` + attributeNouns + `))(?: (?:is|was|will|has|got|goes|went|moved|slipped|now)\b)`)
	attributeSaid  = pattern.New(`\b[Tt]he (` + attributeNouns + `) ((?:for|of) (?:the |my |our )?[\pL\pN' -]{2,40}?) (?:is|was|will|has|got|goes|went|moved|slipped)\b`)

	// "I'm no vegan any more" means "I'm not a vegan any more".
	notAny = pattern.New(`\b(?i:am|is|are|'m|'re|was|were|have|has) no (?:\p{Ll}+ ){1,6}?any ?(?:more|longer)\b`)

	// Ways to part with something, which is called "it".
	partsWith = pattern.New(`\b((?:sold|sell|selling|returned|scrapped|cancell?ed|got rid of|(?:gave|giv(?:e|en|ing))) )it( away\b)?`)
)

const attributeNouns = `deadline|release date|launch date|due date|budget|price|cost|fee`

// ofWhat completes an attribute with its owner, if the earlier messages name only one owner: "The
// deadline got extended" after "The deadline for the report is 31 May."
func ofWhat(e prompts.Episode, text string) string {
	m := attributeAlone().FindStringSubmatchIndex(text)
	if m == nil {
		return text
	}
	noun, of := text[m[4]:m[5]], ""
	for _, before := range e.Previous {
		for _, said := range attributeSaid().FindAllStringSubmatch(before.Content, -1) {
			if said[1] != noun {
				continue
			}
			if of != "" && fold(of) != fold(said[2]) {
				return text
			}
			of = said[2]
		}
	}
	if of == "" {
		return text
	}
	return text[:m[3]] + " " + of + text[m[3]:]
}

// bareSum matches a sum without a unit, with its owner: "The budget was cut to 30k."
var bareSum = pattern.New(`\b(?:[Mm]y|[Oo]ur|[Tt]he) (\p{Ll}+)( (?:for|of))?( [^.!?\d€$£]*\b(?:is|to|at)(?: now| only| just)?) (\d+(?:[.,]\d+)*k?)[.!]*$`)

// inUnit gives a sum the unit that earlier messages used for the same thing, if there is only one.
func inUnit(e prompts.Episode, text string) string {
	if len(e.Previous) == 0 || !strings.ContainsAny(text, "0123456789") {
		return text
	}
	m := bareSum().FindStringSubmatchIndex(text)
	if m == nil || !amounts[text[m[2]:m[3]]] || m[4] < 0 && strings.EqualFold(text[m[0]:m[2]], "the ") {
		return text // it is unknown what the sum is for
	}
	unit := ""
	for _, before := range e.Previous {
		for _, sentence := range sentencesOf(before.Content) {
			_, after, named := strings.Cut(sentence, " "+text[m[2]:m[3]]+" ")
			at := strings.IndexAny(after, "0123456789€$£")
			if !named || at < 0 {
				continue
			}
			v, _, ok := valueAhead(after[at:])
			if !ok || !unitKinds["money"][v.unit] || unit != "" && unit != v.unit {
				return text
			}
			unit = v.unit
		}
	}
	if unit == "" {
		return text
	}
	return text[:m[9]] + " " + unit + text[m[9]:]
}

// notOne rewrites "no" before a noun as "not a".
func notOne(said string) string {
	verb, noun, _ := strings.Cut(said, " no ")
	article := "a "
	if strings.ContainsAny(noun[:1], "aeiou") {
		article = "an "
	}
	switch strings.ToLower(verb) {
	case "have", "has":
		return "do not have " + article + noun
	}
	return verb + " not " + article + noun
}

// soldIt replaces "it" by the only thing that the message says somebody has, if they part with it:
// "I bought a Tesla in 2020 and sold it."
func (c *scene) soldIt(clause string) string {
	m := partsWith().FindStringSubmatchIndex(clause)
	if m == nil || c.had == "" || m[4] < 0 && strings.HasPrefix(clause[m[2]:m[3]], "g") && !strings.HasPrefix(clause[m[2]:], "got") {
		return clause
	}
	after := clause[m[1]:]
	verb := clause[m[2]:m[3]]
	if m[4] >= 0 {
		verb += "away "
	}
	return clause[:m[0]] + verb + c.had + after
}

// having remembers the only thing that a message says somebody has, in the form used to refer to
// it: "the Tesla", or a dog by its name.
func (c *scene) having(cl claim) {
	called := "the " + cl.object
	if hasAnimal(cl.predicate) {
		called = cl.object
	}
	if cl.predicate != "HAS" && called != cl.object || cl.kind != prompts.State || fold(called) == fold(c.had) {
		return
	}
	if c.hadOne {
		c.had = "" // ambiguous: there are several
		return
	}
	c.had, c.hadOne = called, true
}

// endedWithin ends a claim of a message that a later claim of the same message ends, as a message
// is not compared with itself. It drops a claim that is over when it is said.
func endedWithin(claims []claim) []claim {
	var left []claim
	for i, cl := range claims {
		over := false
		for _, e := range claims[i+1:] {
			end, until := e.valid.End, e.valid.Until
			died := endsWith(e.pair(), cl.pair())
			if died {
				end, until = e.valid.Start, e.valid.From
			}
			if cl.ends || cl.kind != prompts.State || !cl.valid.End.IsZero() || !died && (!e.ends || fold(e.subject) != fold(cl.subject) || !excludes(e.pair(), cl.pair())) {
				continue
			}
			if end.After(cl.valid.Start) {
				cl.valid.End, cl.valid.Until = end, until
			} else {
				over = over || !cl.valid.From.Dated()
			}
		}
		if !over {
			left = append(left, cl)
		}
	}
	return left
}

func (cl claim) pair() prompts.Pair {
	return prompts.Pair{Source: cl.subject, Predicate: cl.predicate, Target: cl.object}
}

// throughWork are relations that come with a job.
var throughWork = set(`boss manager colleague coworker teammate mentor`)

var hasLeft = pattern.New(`^ (?:has |just |suddenly |recently )*(?:quit|resigned|retired|left|was fired|got fired|was let go)(?: (?:us|the (?:company|firm|team)))?[\s,.!]*$`)

var movedOut = pattern.New(`^ (?:has |just |finally |recently )*(?:moved (?:out|away)|left)[\s,.!]*$`)

// withoutLeft ends the claim that somebody has a boss, colleague or flatmate, if the sentence says
// that this person left.
func withoutLeft(claims []claim, d dated) []claim {
	for i, cl := range claims {
		_, says, found := strings.Cut(d.text, cl.object)
		left := throughWork[cl.relative] && hasLeft().MatchString(says) || cl.predicate == "HAS_ROOMMATE" && movedOut().MatchString(says)
		if !found || !left {
			continue
		}
		claims[i].predicate, claims[i].ends, claims[i].relative = noLonger+cl.predicate, true, ""
		claims[i].timing = d.once(verbPhrase{past: true})
	}
	return claims
}

// The first word of a sentence, and a capitalised word within one.
var (
	firstInSentence = pattern.New(`(?:^|[.!?]\s+)(\p{Lu}\p{Ll}+)(?:'s|n't)?\b`)
	withinSentence  = pattern.New(`[\p{Ll},] (\p{Lu}\p{Ll}+)\b`)
)

// namedBefore returns first words of sentences that are names, because earlier messages capitalise
// them within a sentence: "Karim" after "my son Karim".
func namedBefore(e prompts.Episode, u utterance, names []name) []name {
	if len(e.Previous) == 0 {
		return nil
	}
	var found []name
	for _, m := range firstInSentence().FindAllStringSubmatch(u.text, -1) {
		isName := func(n name) bool { return strings.HasPrefix(n.text, m[1]) }
		if isCommon(m[1]) || lemma(strings.ToLower(m[1])) != "" || slices.ContainsFunc(names, isName) || slices.ContainsFunc(found, isName) {
			continue
		}
		for _, before := range e.Previous {
			for _, word := range withinSentence().FindAllStringSubmatch(before.Content, -1) {
				if word[1] == m[1] && !slices.ContainsFunc(found, isName) {
					found = append(found, name{text: m[1]})
				}
			}
		}
	}
	return found
}
