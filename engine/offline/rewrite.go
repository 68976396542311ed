package offline

import (
	"regexp"
	"strings"
)

// rule replaces what matches; $S is the speaker, $L whom the speaker talks to.
type rule struct {
	re   *regexp.Regexp
	with string
}

func rules(pairs ...string) []rule {
	var out []rule
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, rule{regexp.MustCompile(`(?i)\b` + pairs[i]), pairs[i+1]})
	}
	return out
}

// The order matters: longer forms first.
var firstPerson = rules(
	`(?:I'm|I am|we're|we are)\b`, `$$S is`,
	`(?:I've|I have|we've|we have)\b`, `$$S has`,
	`(?:I'll|we'll)\b`, `$$S will`,
	`(?:I'd|we'd)\b`, `$$S would`,
	`(?:I was|we were)\b`, `$$S was`,
	`(?:I|we) (?:don't|do not)\b`, `$$S does not`,
	`(?:I|we) (?:didn't|did not)\b`, `$$S did not`,
	`(?:I|we) (?:haven't|have not)\b`, `$$S has not`,
	`(?:I|we) (?:weren't|were not|wasn't|was not)\b`, `$$S was not`,
	`(?:my|our)\b`, `$$S's`,
	`(?:me|us|myself|ourselves)\b`, `$$S`,
	`(?:mine|ours)\b`, `$$S's`,
)

var secondPerson = rules(
	`(?:you're|you are)\b`, `$$L is`,
	`(?:you've|you have)\b`, `$$L has`,
	`(?:you'll)\b`, `$$L will`,
	`you were\b`, `$$L was`,
	`you (?:don't|do not)\b`, `$$L does not`,
	`your\b`, `$$L's`,
	`(?:you|yourself)\b`, `$$L`,
)

var contractions = rules(
	`(he|she|it|that|there|who|what)'s (\w+ing|been|got|a|an|the|not|so|very|in|at|on)\b`, `$1 is $2`,
	`isn't\b`, `is not`, `aren't\b`, `are not`, `wasn't\b`, `was not`, `weren't\b`, `were not`,
	`doesn't\b`, `does not`, `don't\b`, `do not`, `didn't\b`, `did not`, `hasn't\b`, `has not`,
	`haven't\b`, `have not`, `won't\b`, `will not`, `can't\b`, `cannot`, `couldn't\b`, `could not`,
)

// "I" before its verb, with an adverb between them or not.
var (
	iVerb = regexp.MustCompile(`\b(?:I|[Ww]e) ((?:(?:also|really|still|just|now|always|never|often|usually|currently|actually|sometimes|recently|finally|even|only|absolutely|totally|no longer) )*)([a-z]+)\b`)
	iLone = regexp.MustCompile(`\b(?:I|[Ww]e)\b`)
)

// standAlone rewrites a clause so that it means the same to somebody who does
// not know who said it to whom.
func standAlone(clause string, u utterance) string {
	if u.speaker != "" {
		for _, r := range firstPerson {
			clause = r.re.ReplaceAllString(clause, r.with)
		}
		clause = iVerb.ReplaceAllStringFunc(clause, func(m string) string {
			parts := iVerb.FindStringSubmatch(m)
			return "$S " + parts[1] + thirdPerson(parts[2])
		})
		clause = iLone.ReplaceAllString(clause, "$$S")
	}
	if u.listener != "" {
		for _, r := range secondPerson {
			clause = r.re.ReplaceAllString(clause, r.with)
		}
	}
	for _, r := range contractions {
		clause = r.re.ReplaceAllString(clause, r.with)
	}
	clause = strings.NewReplacer("$S", u.speaker, "$L", u.listener).Replace(clause)
	return finish(clause)
}

// Words that only lead into a sentence.
var leadIn = regexp.MustCompile(`^(?i:(?:(?:well|so|also|and|but|oh|wow|yeah|yes|yep|no|nope|hey|hi|hello|haha|actually|anyway|anyways|btw|by the way|good news|great news|bad news|guess what|thanks|thank you|sorry|honestly|luckily|fortunately|unfortunately|sadly|sure|absolutely|totally|definitely|of course|ok|okay|then|now)\b[,!.:]?\s+)+)`)

// finish makes a sentence of a clause: a capital at its head, a stop at its end.
func finish(clause string) string {
	clause = strings.TrimSpace(clause)
	if rest := leadIn.ReplaceAllString(clause, ""); rest != "" {
		clause = rest
	}
	clause = strings.TrimRight(clause, " \t,;:-–—")
	if clause == "" {
		return ""
	}
	if last := clause[len(clause)-1]; !strings.ContainsRune(".!?\")", rune(last)) {
		clause += "."
	}
	runes := []rune(strings.Replace(clause, "!", ".", 1))
	runes[0] = []rune(strings.ToUpper(string(runes[0])))[0]
	return string(runes)
}

// thirdPerson makes "live" "lives" and leaves what is not a present form.
func thirdPerson(verb string) string {
	switch {
	case verb == "have":
		return "has"
	case verb == "am" || verb == "are":
		return "is"
	case !baseVerbs[verb]:
		return verb
	case strings.HasSuffix(verb, "s"), strings.HasSuffix(verb, "sh"), strings.HasSuffix(verb, "ch"),
		strings.HasSuffix(verb, "x"), strings.HasSuffix(verb, "o"), strings.HasSuffix(verb, "z"):
		return verb + "es"
	case strings.HasSuffix(verb, "y") && !strings.ContainsRune("aeiou", rune(verb[len(verb)-2])):
		return verb[:len(verb)-1] + "ies"
	}
	return verb + "s"
}

// lemma undoes inflection: "moved" and "moves" are "move".
func lemma(verb string) string {
	verb = strings.ToLower(verb)
	if l, ok := irregular[verb]; ok {
		return l
	}
	if baseVerbs[verb] {
		return verb
	}
	for _, ending := range []string{"ing", "ed", "es", "s", "d"} {
		stem, ok := strings.CutSuffix(verb, ending)
		if !ok || len(stem) < 2 {
			continue
		}
		for _, candidate := range []string{stem, stem + "e", strings.TrimSuffix(stem, "i") + "y", stem[:len(stem)-1]} {
			if baseVerbs[candidate] {
				return candidate
			}
		}
	}
	return ""
}
