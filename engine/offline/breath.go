package offline

import (
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
)

// "I sold the Volvo and bought a Tesla" makes two statements about one subject. Each becomes a
// clause with its own sentence, so that one can end or be retracted alone.

var (
	// A subject that may have several verbs, with the words before it.
	manyVerbed = pattern.New(`^(?:[^,]{2,30}, )?(?:(?:In|On|Since|Last|This|At|Then) [^,]{2,30} )?(?:` + weSay + `|[Hh]e|[Ss]he|[Tt]hey|[Yy]ou|[Mm]y \pL+(?: \p{Lu}\pL+)?|\p{Lu}[\pL'-]+(?: \p{Lu}[\pL'-]+){0,2})(?: and (?:I|\p{Lu}\pL+))? `)
	nextVerb   = pattern.New(`,? (?:and|then|and then|but)(?: (?:now|also|just|then|finally|recently|soon|later|already))* (\p{Ll}+) `)
)

// breath splits a sentence in which one subject does several things, if the verb after "and" begins
// or ends something.
func breath(clause string) []string {
	at := manyVerbed().FindStringIndex(clause)
	if at == nil || strings.Contains(clause, `"`) || len(firstWord(clause)) > 1 && lemma(firstWord(clause)) != "" {
		return []string{clause}
	}
	who := clause[:at[1]]
	first, before := firstVerb(clause[at[1]:], form(lastWord(strings.TrimSpace(who))))
	if first == "" {
		return []string{clause}
	}
	subject := len(who) + len(before)
	if who += before; first == bareForm {
		who = contractedBe().ReplaceAllString(who, " ") // "I'm a nurse and work at Mercy"
	}
	for _, m := range nextVerb().FindAllStringSubmatchIndex(clause, -1) {
		verb := clause[m[2]:m[3]]
		if m[0] < subject || !shares(first, verb, clause[subject:m[0]], clause[m[3]+1:]) {
			continue
		}
		left, right := clause[:m[0]], who+clause[m[2]:]
		return append([]string{left}, breath(right)...)
	}
	return []string{clause}
}

var contractedBe = pattern.New(`'(?:m|re) $`)

// shares reports whether a verb shares the subject of an earlier verb of a given form, by the words
// between the two and after it. It does not if it belongs to another verb: "to stay true and be a
// leader".
func shares(first, verb, between, after string) bool {
	if base := lemma(verb); relations[base] == nil && (first == pastForm || first == ingForm || muteVerbs[base] && wishes[base] == "" || weakVerbs[base]) || form(verb) != first || verb == "being" || verb == "be" {
		return false
	}
	switch first {
	case bareForm:
		if wishes[lemma(verb)] != "" {
			return strings.HasPrefix(after, "to ")
		}
		return begins(after) && !infinitive().MatchString(between)
	case ingForm:
		return !likings[lemma(verb)]
	}
	return true
}

var infinitive = pattern.New(`\bto \p{Ll}+\b`)

// The forms of verbs. Two verbs of one subject share their form.
const (
	bareForm  = "live"
	thirdForm = "lives"
	pastForm  = "lived"
	ingForm   = "living"
)

// form returns the form of a verb, or "" for any other word.
func form(word string) string {
	lower := strings.ToLower(word)
	switch {
	case lower == "is" || strings.HasSuffix(lower, "'s"):
		return thirdForm
	case lower == "am" || lower == "are" || strings.HasSuffix(lower, "'m") || strings.HasSuffix(lower, "'re"):
		return bareForm
	case lemma(lower) == "":
		return ""
	case isGerund(lower):
		return ingForm
	case isPast(lower):
		return pastForm
	case baseVerbs[lower]:
		return bareForm
	}
	return thirdForm
}

// firstVerb returns the form of the first verb of a clause after its subject, and the words before
// it. A verb that is negated or only wished for shares its subject with no other verb.
func firstVerb(rest, contracted string) (found, before string) {
	words := strings.SplitAfter(rest, " ")
	for i, w := range words {
		w = strings.TrimSpace(w)
		lower := strings.ToLower(strings.Trim(w, ","))
		switch {
		case i > 3 || modals[lower] && lower != "will" || lower == "not" || lower == "never" || strings.HasSuffix(lower, "n't") || wishes[lemma(lower)] != "":
			return "", ""
		case lower == "will" || adverbs[lower], (lower == "have" || lower == "has" || lower == "am" || lower == "is" || lower == "are") && i+1 < len(words) && leadsVerb(lower, words[i+1]):
			before += w + " "
			continue
		case contracted == bareForm && i == 0 && form(lower) != ingForm:
			return bareForm, "" // "I'm a nurse and work at Mercy"
		}
		return form(lower), before
	}
	return "", ""
}

// leadsVerb reports whether an auxiliary comes before a verb: "have sold".
func leadsVerb(auxiliary, next string) bool {
	next = strings.ToLower(strings.TrimSpace(next))
	if auxiliary == "have" || auxiliary == "has" {
		return isPast(next)
	}
	return isGerund(next)
}

// begins reports whether the next words can follow a verb, so that the word before them is a verb
// and no noun: "and work at Acme".
func begins(rest string) bool {
	next := wordAhead().FindString(rest)
	return next != "" && (startsUpper(next) || phraseStops[next] || prepositions[next])
}

// sharedDate returns the date at the end of the last clause, if the clauses before it have none: "I
// quit Acme and joined Globex last week".
func sharedDate(clauses []string, u utterance) string {
	if len(clauses) < 2 {
		return ""
	}
	last := clauses[len(clauses)-1]
	e, ok := findDates(last, u.at).only()
	if !ok || sinceThen().MatchString(e.Text) || strings.Trim(last[e.End:], " .,!") != "" {
		return ""
	}
	for _, clause := range clauses[:len(clauses)-1] {
		if d := findDates(clause, u.at); len(d.expressions) > 0 || holdsAny(clause, " born ", " grew up ", " am ", " is ", "'m ") {
			return ""
		}
	}
	at := e.Start
	if before, ok := strings.CutSuffix(last[:at], " "); ok && prepositions[lastWord(before)] {
		at = len(before) - len(lastWord(before))
	}
	return " " + strings.TrimSpace(last[at:e.End])
}
