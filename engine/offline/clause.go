package offline

import (
	"strings"

	"github.com/clipperhouse/uax29/v2/sentences"

	"github.com/annalsdb/annals/internal/pattern"
)

var (
	// What is put in brackets describes, such as a picture, and is not said.
	aside = pattern.New(`\[[^\]\n]*\]`)

	// A clause with a subject of its own is read by itself.
	clauseBreak = pattern.New(`(?:,?\s+(?:but|and|so)|,)\s+(?:now\s+)?((?:` + weSay + `|he|she|they|it|it's|that's|this|there|let's|check|[Yy]ou|[Mm]y|[Oo]ur|[Yy]our|the \pL+ (?:is|are|was|were|has|have|had|will)|\p{Lu}\pL+ (?:` + aloneSays + `))\b)`)

	// One person after another, each with a verb: "Mia is 7 and Leo is 4".
	namedAlone = pattern.New(`^(?:[Mm]y \pL+ )?\p{Lu}\pL+ (?:` + aloneSays + `) `)

	// A clause that only says when or why, before the one it serves.
	subordinate = pattern.New(`^(?i:when|while|after|before|(?:ever )?since|although|though|because|as|once)\b[^,]*,\s+(.+)$`)

	// A date, which dates what follows.
	sinceDate = pattern.New(`^(?i:(?:ever )?(?:since|after|before|as of)) (?:\d|last |next |early |late |mid|(?i:` + weekday + `|yester)day|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|spring|summer|autumn|winter)`)

	// Clauses that state nothing.
	noStatement = pattern.New(`^(?i:thanks|thank you|hi|hello|hey|bye|wow|great|good (?:morning|night|luck|job)|congrat\w*|please|let me know|let's|take care|if|would|could|can|should|may|do|does|did|what|where|when|why|how|who|is|are|have you|imagine|whenever|unless)\b`)
)

// Who speaks, at the head of a clause, and the days of the week without their "day".
const (
	weSay     = `I|I'm|I've|I'll|[Ww]e|[Ww]e're|[Ww]e've`
	aloneSays = `is|was|has|works|lives|likes|loves|moved|turned|died|left|joined|started|quit`
	weekday   = `mon|tues|wednes|thurs|fri|satur|sun`
)

// clause is a part of a text that may state something.
type clause struct {
	text   string
	amends bool // it corrects what the text says before
	mean   bool // by no more than "I mean"
}

// clausesOf cuts a text into sentences and those into clauses that may state
// something. Questions do not.
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
			corrects = said != "" && strings.Trim(more, " .,!") == "" // "No wait." speaks of what comes next
		}
	}
	return out
}

var onlyMeant = pattern.New(`^(?i:(?:oh|well|ah)[, ]+)*(?i:i mean)\b`)

// sentencesOf takes a text apart where sentences end. The stop of "Dr." ends none.
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

// Dashes and semicolons part what could be sentences.
var dashes = pattern.New(`\s+[–-]+\s+|\s*[—;]\s*`)

// endsAbbreviated reports whether the last stop belongs to a title.
func endsAbbreviated(s string) bool {
	s = strings.TrimRight(s, " \t\n")
	return abbreviations[s[strings.LastIndexByte(s, ' ')+1:]]
}

var abbreviations = set(`Dr. Mr. Mrs. Ms. Prof. St. vs. No.`)

// The longest sentence that is read, in bytes, and the shortest.
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
		if spliced && !hasSubject().MatchString(left) {
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

// A clause of its own, before a comma, has a subject.
var hasSubject = pattern.New(`\b(?:` + weSay + `|[Hh]e|[Ss]he|[Tt]hey|[Ii]t|[Ii]t's|[Yy]ou|[Mm]y|[Oo]ur)\s+\S|^(?:The|Your|\p{Lu}\pL+'s) \pL+|^(?:[Jj]ust )?\p{L}+(?:ed|ook|ent|ade|ot|ad|ought)\s`)

var owning = set(`my our your`)

// statements keeps the clauses that may state something.
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

// hasVerb reports whether some words may be a clause of their own.
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

// Words that only lead into a sentence.
var leadIn = pattern.New(`^(?i:` + amending + `|between (?:the two|them|those|these)|in between|in the meantime|meanwhile|after that|before that|afterwards|since then|well|so|also|and|but|oh|ah|aw|wow|yeah|yes|yep|yup|no|nope|hey|hi|hello|haha|lol|hmm|actually|anyway|anyways|btw|by the way|(?:good|great|bad|big|exciting) news|guess what|thanks(?: so much| a lot)?|thank you(?: so much)?|sorry|honestly|luckily|fortunately|unfortunately|sadly|sure|absolutely|totally|definitely|of course|ok|okay|then|now|plus|speaking of which|as for me|to be honest|tbh|good (?:morning|evening|afternoon)|i meant (?:my|him|her)self|i meant(?: to say)?(?: that)?|i misspoke|i was (?:wrong|mistaken|joking|kidding)|that was (?:wrong|nonsense|a joke)|change of plans?|april fool|wrong (?:day|date|week|month|year|person|place)|my mistake|oops|no,? wait|wait|just kidding|scratch that|i mean|i think|i guess|i believe|you know|fun fact|update|effective immediately|with immediate effect|correction|noted|note|ps|same here|me too|cool|nice|great|awesome)\b(?:,? (\p{Lu}\p{L}+))?([,!.:…]+|\s|\s+-+)\s*`)

// leadsOn are words that may begin a sentence after a lead-in without a comma.
var leadsOn = pattern.New(`^(?:` + weSay + `|[Mm]y|[Oo]ur|the|[Hh]e|[Ss]he|[Tt]hey|[Yy]ou|[Yy]our)\b|^\p{Lu}`)

// What follows a name that is spoken to.
var pronounAfter = pattern.New(`^(?:` + weSay + `|[Mm]y|[Oo]ur)\b`)

// Somebody spoken to by name, before what is said to them.
var spokenTo = pattern.New(`^\p{Lu}\p{L}+,\s+((?:I|I'm|I've|[Ww]e|[Ww]e're|[Mm]y|[Oo]ur|[Yy]ou|[Yy]our)\b.*)$`)

// withoutLeadIn drops the words and names that say nothing before a sentence.
func withoutLeadIn(s string) string {
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
