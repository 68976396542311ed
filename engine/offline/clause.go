package offline

import (
	"strings"

	"github.com/clipperhouse/uax29/v2/sentences"

	"github.com/annalsdb/annals/internal/pattern"
)

var (
	// Text in brackets describes something, such as a picture, and is not said.
	aside = pattern.New(`\[[^\]\n]*\]`)

	// A clause with its own subject is read by itself.
	clauseBreak = pattern.New(`(?:,?\s+(?:but|and|so)|,)\s+(?:now\s+)?((?:` + weSay + `|he|she|they|it|it's|that's|this|there|let's|check|[Yy]ou|[Mm]y|[Oo]ur|[Yy]our|the \pL+ (?:is|are|was|were|has|have|had|will)|\p{Lu}\pL+ (?:` + aloneSays + `))\b)`)

	// One person after another, each with a verb: "Mia is 7 and Leo is 4".
	namedAlone = pattern.New(`^(?:[Mm]y \pL+ )?\p{Lu}\pL+ (?:` + aloneSays + `) `)

	// A clause that only says when or why, before the main clause.
	subordinate = pattern.New(`^(?i:when|while|after|before|(?:ever )?since|although|though|because|as|once)\b[^,]*,\s+(.+)$`)

	// A date that applies to the following clause.
	sinceDate = pattern.New(`^(?i:(?:ever )?(?:since|after|before|as of)) (?:\d|last |next |early |late |mid|(?i:` + weekday + `|yester)day|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|spring|summer|autumn|winter)`)

	// Clauses without a statement.
	noStatement = pattern.New(`^(?i:thanks|thank you|hi|hello|hey|bye|wow|great|good (?:morning|night|luck|job)|congrat\w*|please|let me know|let's|take care|if|would|could|can|should|may|do|does|did|what|where|when|why|how|who|is|are|have you|imagine|whenever|unless)\b`)
)

// Subjects and verbs at the start of a clause, and weekdays without "day".
const (
	weSay     = `I|I'm|I've|I'll|[Ww]e|[Ww]e're|[Ww]e've`
	aloneSays = `is|was|has|works|lives|likes|loves|moved|turned|died|left|joined|started|quit`
	weekday   = `mon|tues|wednes|thurs|fri|satur|sun`
)

// clause is a part of a text that may state something.
type clause struct {
	text   string
	amends bool // it corrects earlier text
	mean   bool // it corrects with "I mean" only
}

// clausesOf splits a text into sentences, and those into clauses that may make a statement.
// Questions make none.
func clausesOf(text string) []clause {
	text = amended(aside().ReplaceAllString(text, ""))
	var out []clause
	corrects := false
	for line := range strings.Lines(dashes().ReplaceAllString(text, ".\n")) {
		for _, sentence := range sentencesOf(line) {
			if len(out) >= maxClauses {
				return out
			}
			said, more := "", ""
			if m := amends().FindStringSubmatch(sentence); m != nil {
				corrects, said, more = true, m[0], m[1]
			}
			for _, text := range clauses(sentence) {
				out = append(out, clause{text, corrects, onlyMeant().MatchString(sentence)})
			}
			corrects = said != "" && strings.Trim(more, " .,!") == "" // "No wait." applies to the next sentence
		}
	}
	return out
}

var onlyMeant = pattern.New(`^(?i:(?:oh|well|ah)[, ]+)*(?i:i mean)\b`)

// sentencesOf splits a text into sentences. The stop of "Dr." ends none.
func sentencesOf(text string) []string {
	var out []string
	held := ""
	for segments := sentences.FromString(text); segments.Next(); {
		s := held + segments.Value()
		if held = ""; len(s) < maxSentence && endsAbbreviated(s) {
			held = s
			continue
		}
		out = append(out, strings.TrimSpace(s))
	}
	if held != "" {
		out = append(out, strings.TrimSpace(held))
	}
	return out
}

// dashes matches dashes and semicolons, which may separate sentences.
var dashes = pattern.New(`\s+[–-]+\s+|\s*[—;]\s*`)

// endsAbbreviated reports whether a text ends with the stop of an abbreviation.
func endsAbbreviated(s string) bool {
	s = strings.TrimRight(s, " \t\n")
	return abbreviations[s[strings.LastIndexByte(s, ' ')+1:]]
}

var abbreviations = set(`Dr. Mr. Mrs. Ms. Prof. St. vs. No.`)

// Bounds of a sentence that is read, in bytes.
const (
	maxSentence = 600
	minSentence = 6
)

func clauses(sentence string) []string {
	sentence = withoutTag(strings.TrimSpace(sentence))
	if len(sentence) < minSentence || len(sentence) > maxSentence || strings.Contains(sentence, "?") {
		return nil
	}
	sentence = conditionLast(withoutLeadIn(sentence))
	if m := subordinate().FindStringSubmatch(sentence); m != nil && !sinceDate().MatchString(sentence) {
		sentence = m[1]
	}
	var out []string
	start := 0
	for _, m := range clauseBreak().FindAllStringSubmatchIndex(sentence, -1) {
		// "Anna and I": one subject. "My dog and my cat": one object.
		left, right := sentence[start:m[0]], sentence[m[2]:]
		spliced := strings.HasPrefix(sentence[m[0]:m[2]], ",") && strings.TrimSpace(sentence[m[0]+1:m[2]]) == ""
		if spliced && !hasSubject().MatchString(left) && !isNameWithVerb(left) {
			continue // "Last week, I": one clause
		}
		if _, verb, named := strings.Cut(sentence[m[2]:m[3]], " "); named && startsUpper(sentence[m[2]:]) && verb != "" && !namedAlone().MatchString(left) {
			continue // "I think that Mia is 7 and Leo is 4"
		}
		if strings.Count(left, `"`)%2 == 0 && (hasVerb(left) || namedAlone().MatchString(left)) && (!owning[strings.ToLower(sentence[m[2]:m[3]])] || hasVerb(right)) {
			out = append(out, left)
			start = m[2]
		}
	}
	return statements(append(out, sentence[start:]))
}

// hasSubject matches a subject in the clause before a comma.
var hasSubject = pattern.New(`\b(?:` + weSay + `|[Hh]e|[Ss]he|[Tt]hey|[Ii]t|[Ii]t's|[Yy]ou|[Mm]y|[Oo]ur)\s+\S|^(?:The|Your|\p{Lu}\pL+'s) \pL+|^(?:[Jj]ust )?\p{L}+(?:ed|ook|ent|ade|ot|ad|ought)\s`)

// isNameWithVerb reports whether a clause begins with a name and its verb: "Kendra no longer likes".
func isNameWithVerb(clause string) bool {
	words := strings.Fields(clause)
	if len(words) > 0 && abbreviations[words[0]] { // "Dr. Okafor retired"
		words = words[1:]
	}
	return len(words) > 1 && startsUpper(words[0]) && !isCommon(words[0]) && isSubjectOf(words[1:])
}

var owning = set(`my our your`)

// statements keeps the clauses that may make a statement.
func statements(clauses []string) []string {
	var out []string
	for _, clause := range clauses {
		clause = withoutLeadIn(strings.TrimSpace(clause))
		if strings.Contains(clause, " ") && !noStatement().MatchString(clause) {
			out = append(out, clause)
		}
	}
	return out
}

// hasVerb reports whether words contain a verb, so that they may be a clause.
func hasVerb(words string) bool {
	for _, w := range strings.Fields(words) {
		w = strings.ToLower(strings.Trim(w, ".,!:\"'"))
		if base, _, found := strings.Cut(w, "'"); found && base != "" && !strings.HasSuffix(w, "'s") {
			return true
		}
		if lemma(w) != "" || modals[w] {
			return true
		}
	}
	return false
}

// leadIn matches words that only introduce a sentence.
var leadIn = pattern.New(`^(?i:` + amending + `|between (?:the two|them|those|these)|in between|in the meantime|meanwhile|after that|before that|afterwards|since then|well|so|also|and|but|oh|ah|aw|wow|yeah|yes|yep|yup|no|nope|hey|hi|hello|haha|lol|hmm|actually|anyway|anyways|btw|by the way|(?:good|great|bad|big|exciting) news|guess what|thanks(?: so much| a lot)?|thank you(?: so much)?|sorry|honestly|luckily|fortunately|unfortunately|sadly|sure|absolutely|totally|definitely|of course|ok|okay|then|now|plus|speaking of which|as for me|to be honest|tbh|good (?:morning|evening|afternoon)|i meant (?:my|him|her)self|i meant(?: to say)?(?: that)?|i misspoke|i was (?:wrong|mistaken|joking|kidding)|that was (?:wrong|nonsense|a joke)|change of plans?|(?:we|i)(?:'ve| have)? changed (?:our |my |the )?plans?|april fool|wrong (?:day|date|week|month|year|person|place)|my mistake|(?:as )?it (?:turns|turned) out(?: that)?|turns out(?: that)?|oops|no,? wait|wait|just kidding|scratch that|i mean|i think|i guess|i believe|you know|fun fact|update|effective immediately|with immediate effect|correction|noted|note|ps|same here|me too|cool|nice|great|awesome)\b(?:,? (\p{Lu}\p{L}+))?([,!.:…]+|\s|\s+-+)\s*`)

// leadsOn matches words that may begin a sentence after a lead-in without a comma.
var leadsOn = pattern.New(`^(?:` + weSay + `|[Mm]y|[Oo]ur|the|[Hh]e|[Ss]he|[Tt]hey|[Yy]ou|[Yy]our)\b|^\p{Lu}`)

// pronounAfter matches what follows the name of the person addressed.
var pronounAfter = pattern.New(`^(?:` + weSay + `|[Mm]y|[Oo]ur)\b`)

// spokenTo matches the name of the person addressed, before what is said to them.
var spokenTo = pattern.New(`^\p{Lu}\p{L}+,\s+((?:I|I'm|I've|[Ww]e|[Ww]e're|[Mm]y|[Oo]ur|[Yy]ou|[Yy]our)\b.*)$`)

// toRemember matches a request to remember what follows: "Please remember that I'm vegan".
var toRemember = pattern.New(`^(?i:(?:please|also|so|and|oh|just|hey|ok|okay)[, ]+)*(?i:remember|note|(?:don't|do not|never) forget|(?:keep|bear) in mind|be aware|remind me|make a note|save|store|memori[sz]e|i want you to (?:know|remember)|i'd like you to (?:know|remember)|you should (?:know|remember)|fyi|for your information|for the record)( that|:|,| -)?\s+(\S.*)$`)

// withoutLeadIn removes introductory words and names before a sentence.
func withoutLeadIn(s string) string {
	if m := toRemember().FindStringSubmatch(s); m != nil && (m[1] != "" || leadsOn().MatchString(m[2])) {
		s = m[2]
	}
	for range 4 {
		m := leadIn().FindStringSubmatchIndex(s)
		if m == nil || m[1] >= len(s) {
			break
		}
		rest := s[m[1]:]
		bare := m[4] >= 0 && strings.TrimSpace(s[m[4]:m[5]]) == ""
		if bare && (m[2] >= 0 || !leadsOn().MatchString(rest)) {
			// "Hey Anna moved": Anna is the subject, not spoken to, as in "Hey Anna I moved".
			if m[2] < 0 {
				break
			}
			if !pronounAfter().MatchString(rest) {
				rest = s[m[2]:]
			}
		}
		s = rest
	}
	if m := spokenTo().FindStringSubmatch(s); m != nil && !isCommon(s[:strings.IndexByte(s, ',')]) {
		return m[1]
	}
	return s
}
