package offline

import (
	"slices"
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
)

// scene is the state of reading one utterance.
type scene struct {
	u     utterance
	names []name
	third string // the one person mentioned so far, whom "she" or "he" means
	many  bool   // more than one person was mentioned
	topic string // the topic of a denial in the last clause: "my manager"

	had    string // the only thing that somebody is said to have, which "it" means; empty: none, or several
	hadOne bool   // a thing was mentioned
}

// hedges are words that make a sentence no statement.
var hedges = set(`maybe perhaps probably possibly supposedly if whether wish wonder imagine dreamt`)

// read returns the claims of a clause, which may make several statements about one subject.
func (c *scene) read(clause string) []claim {
	said := breath(c.aboutTopic(c.u.withoutVocative(clause)))
	date := sharedDate(said, c.u)
	var claims []claim
	for i, one := range said {
		if i < len(said)-1 {
			one = strings.TrimRight(one, ".,! ") + date
		}
		claims = append(claims, c.claimed(one)...)
	}
	return claims
}

// claimed returns the claims of one statement.
func (c *scene) claimed(clause string) []claim {
	if holdsAny(clause, "us all", "all of us", "each of us") {
		return nil // a statement about all of us concerns nobody in particular
	}
	if holdsAny(clause, " said", " mentioned", "for example", "of course", "by the way", "to be honest", "you know") {
		clause = interjected().ReplaceAllString(clause, "")
	}
	clause = c.soldIt(notAny().ReplaceAllStringFunc(c.ofThemselves(clause), notOne))
	sentence := standAlone(c.completed(c.resolvePronoun(c.together(clause))), c.u)
	if strings.Count(sentence, " ") < 2 && !strings.Contains(sentence, " died") {
		return nil
	}
	claims := c.kinship(sentence)
	d := findDates(sentence, c.u.at)
	said := sentence
	if at := conditionAt(sentence); at >= 0 {
		d.conditional, said = true, sentence[:at]
	}
	if !hedged(said) {
		claims = append(claims, c.claimsOf(d)...)
	}
	claims = c.sound(withoutDead(withoutLeft(claims, d)))
	sentence = c.owned(sentence, claims)
	more := slices.ContainsFunc(claims, func(cl claim) bool { return cl.relative == "" || cl.object != claims[0].object })
	for i := range claims {
		claims[i].sentence = sentence
		if cl := claims[i]; more && cl.relative != "" {
			claims[i].sentence = cl.object + " is " + cl.subject + "'s " + cl.relative + "." // it still holds when the rest has ended
		}
		c.notice(claims[i])
		c.having(claims[i])
	}
	return claims
}

// tellsOfSelf matches a report of what somebody said about themself.
var tellsOfSelf = pattern.New(`^(\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?) (says|tells (?:me|us)|said|told (?:me|us)) (?:that )?(?:s?he)( |'s )(\S+)`)

// ofThemselves rewrites "Ben says that he works at Lund" as "Ben works at Lund". It does not if the
// report and its content are in the past, as the state may go on ("said he lived in Oslo"), or if
// "he" may mean a person mentioned just before.
func (c *scene) ofThemselves(clause string) string {
	m := tellsOfSelf().FindStringSubmatch(clause)
	if m == nil || c.third != "" && c.third != m[1] || isPast(m[4]) && !strings.HasPrefix(m[2], "says") && !strings.HasPrefix(m[2], "tells") {
		return clause
	}
	return m[1] + strings.Replace(m[3], "'s", " is", 1) + m[4] + clause[len(m[0]):]
}

// owned makes the speaker the owner of "the printer" that has a problem.
func (c *scene) owned(sentence string, claims []claim) string {
	if at := article().FindString(sentence); at != "" && len(claims) > 0 && c.u.speaker != "" && claims[0].rule == aProblem {
		return c.u.speaker + "'s " + sentence[len(at):]
	}
	return sentence
}

// interjected matches parenthetical phrases, which state nothing.
var interjected = pattern.New(`(?i)(?:,| and),? (?:like|as) i (?:said|mentioned)\b.*$|, (?:for example|of course|by the way|to be honest|you know)\b,?`)

func hedged(sentence string) bool {
	return anyWord(sentence, func(w string) bool { return hedges[w] })
}

// anyWord reports whether a word of a text, in lower case, satisfies such.
func anyWord(text string, such func(w string) bool) bool {
	for w := range strings.FieldsFuncSeq(text, notInWord) {
		if such(strings.ToLower(w)) {
			return true
		}
	}
	return false
}

// sound drops claims that lack an end, relate a thing to itself or repeat another. A claim of
// having a child replaces a HAS of the same person.
func (c *scene) sound(claims []claim) []claim {
	var out []claim
	seen := map[[3]string]bool{}
	for _, cl := range claims {
		key := [3]string{fold(cl.subject), cl.predicate, fold(cl.object)}
		if key[0] == "" || key[2] == "" || key[0] == key[2] || seen[key] {
			continue
		}
		if isKin[cl.predicate] {
			seen[[3]string{key[0], "HAS", key[2]}] = true
		}
		seen[key] = true
		out = append(out, cl)
	}
	return out
}

// notice stores the people mentioned, for later pronouns.
func (c *scene) notice(cl claim) {
	for _, end := range [][2]string{{cl.object, cl.objectLabel}, {cl.subject, cl.subjectLabel}} {
		if end[1] != "Person" && (end[1] != "" || end[0] != cl.subject) || fold(end[0]) == fold(c.u.speaker) || fold(end[0]) == fold(c.u.listener) || end[0] == c.third {
			continue
		}
		c.many = c.many || c.third != ""
		c.third = end[0]
	}
}

var pronounAhead = pattern.New(`^(?:[Hh]e|[Ss]he)( |'s )`)

// resolvePronoun replaces "she" by the one person mentioned so far.
func (c *scene) resolvePronoun(clause string) string {
	m := pronounAhead().FindStringSubmatchIndex(clause)
	if m == nil || c.third == "" || c.many {
		return clause
	}
	verb := " "
	if clause[m[2]:m[3]] == "'s " {
		verb = " is "
	}
	return c.third + verb + clause[m[1]:]
}

// claimsOf returns what a sentence says about its subjects.
func (c *scene) claimsOf(d dated) []claim {
	if m, is := d.moved(); is {
		if claims := c.ofDates(m); claims != nil {
			return claims
		}
	}
	if d.conditional {
		if claims := c.ofPlans(d); claims != nil {
			return claims
		}
		return c.ofDates(d)
	}
	for _, read := range [...]func(dated) ([]claim, bool){c.favorites, c.home, c.status, c.brokenThing, c.relativeIs} {
		if claims, ok := read(d); ok {
			return claims
		}
	}
	if claims := c.setValue(d); claims != nil {
		return claims
	}
	subjects, rest := c.subjects(d.text)
	if claims := c.couple(subjects, rest, d); claims != nil {
		return claims
	}
	var claims []claim
	for _, s := range subjects {
		if s.owns {
			claims = append(claims, c.belonging(s.text, rest, d)...)
		} else {
			claims = append(claims, c.predicate(s, rest, d)...)
		}
	}
	if claims == nil {
		return c.ofThings(d)
	}
	return claims
}

// ofPlans returns what a sentence says about its subjects under a condition.
func (c *scene) ofPlans(d dated) []claim {
	subjects, rest := c.subjects(d.text)
	var claims []claim
	for _, s := range subjects {
		if !s.owns {
			claims = append(claims, c.predicate(s, rest, d)...)
		}
	}
	return claims
}

// date sets the timing of claims: the stated date, else when they were said. An end without a date
// happened before that.
func (c *scene) date(claims []claim, d dated) []claim {
	for i := range claims {
		if claims[i].ends {
			claims[i].timing = d.once(verbPhrase{past: true})
		} else {
			claims[i].timing = d.present(verbPhrase{perfect: true})
		}
	}
	return claims
}

// said returns the timing of a state that goes on when it is told.
func (c *scene) said() timing { return dated{ref: c.u.at}.said() }

var leadingAdverb = pattern.New(`^(?i:(?:just|finally|recently|also|actually|even|already|still) )*`)

// completed adds an "I" to a clause without a subject: "Took the kids to the museum."
func (c *scene) completed(clause string) string {
	at := leadingAdverb().FindString(clause)
	first, rest, _ := strings.Cut(clause[len(at):], " ")
	next, _, _ := strings.Cut(rest, " ")
	first = strings.ToLower(first)
	_, irregularPast := irregular[first]
	if c.u.speaker == "" || !isPast(first) || sameInPast[first] || !irregularPast && !strings.HasSuffix(first, "ed") ||
		lemma(first) == "be" || next == "by" || next == "with" || next == "in" || next == "on" || strings.HasPrefix(clause, "Had") {
		return clause
	}
	return "I " + strings.ToLower(at) + first + " " + rest
}
