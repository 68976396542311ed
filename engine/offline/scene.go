package offline

import (
	"slices"
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
)

// scene is what the rules know while they read one utterance.
type scene struct {
	u     utterance
	names []name
	third string // the one person spoken of so far, whom "she" or "he" means
	many  bool   // more than one
	topic string // what the last clause denies something of: "my manager"

	had    string // the only thing that somebody is said to have, which "it" means; empty: none, or several
	hadOne bool   // there was one
}

// Words that take back what a sentence says.
var hedges = set(`maybe perhaps probably possibly supposedly if whether wish wonder imagine dreamt`)

// read finds what a clause claims, which may say several things of one subject.
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

// claimed finds what one statement claims.
func (c *scene) claimed(clause string) []claim {
	if holdsAny(clause, "us all", "all of us", "each of us") {
		return nil // what holds for all of us is said of nobody
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
	more := slices.ContainsFunc(claims, func(cl claim) bool { return cl.relative == "" })
	for i := range claims {
		claims[i].sentence = sentence
		if cl := claims[i]; more && cl.relative != "" {
			claims[i].sentence = cl.object + " is " + cl.subject + "'s " + cl.relative + "." // which stays so when the rest has ended
		}
		c.notice(claims[i])
		c.having(claims[i])
	}
	return claims
}

// What somebody tells of themself, as another one passes it on.
var tellsOfSelf = pattern.New(`^(\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?) (says|tells (?:me|us)|said|told (?:me|us)) (?:that )?(?:s?he)( |'s )(\S+)`)

// ofThemselves says "Ben works at Lund" for "Ben says that he works at Lund". What was told in
// the past of the past may go on, as in "said he lived in Oslo", and who was spoken of just
// before may be meant.
func (c *scene) ofThemselves(clause string) string {
	m := tellsOfSelf().FindStringSubmatch(clause)
	if m == nil || c.third != "" && c.third != m[1] || isPast(m[4]) && !strings.HasPrefix(m[2], "says") && !strings.HasPrefix(m[2], "tells") {
		return clause
	}
	return m[1] + strings.Replace(m[3], "'s", " is", 1) + m[4] + clause[len(m[0]):]
}

// owned gives "the printer" to the speaker, who has a problem with it.
func (c *scene) owned(sentence string, claims []claim) string {
	if at := article().FindString(sentence); at != "" && len(claims) > 0 && c.u.speaker != "" && claims[0].rule == aProblem {
		return c.u.speaker + "'s " + sentence[len(at):]
	}
	return sentence
}

// What is said between says nothing.
var interjected = pattern.New(`(?i)(?:,| and),? (?:like|as) i (?:said|mentioned)\b.*$|, (?:for example|of course|by the way|to be honest|you know)\b,?`)

func hedged(sentence string) bool {
	return anyWord(sentence, func(w string) bool { return hedges[w] })
}

// anyWord reports whether a word of a text is such a one, in lower case.
func anyWord(text string, such func(w string) bool) bool {
	for w := range strings.FieldsFuncSeq(text, notInWord) {
		if such(strings.ToLower(w)) {
			return true
		}
	}
	return false
}

// sound drops claims that lack an end, relate a thing to itself or repeat. Who has a child
// HAS nothing besides.
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

// notice remembers people spoken of, for the pronouns after them.
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

// resolvePronoun puts the one person spoken of so far in place of "she".
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

// claimsOf finds what a sentence says of its subjects.
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

// ofPlans finds what a sentence says of its subjects that comes true on a condition.
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

// date places claims on the timeline: at the date that is named, else when
// they are said. What ended without a date is over by then.
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

// said is the timing of what goes on when it is spoken of.
func (c *scene) said() timing { return dated{ref: c.u.at}.said() }

var leadingAdverb = pattern.New(`^(?i:(?:just|finally|recently|also|actually|even|already|still) )*`)

// completed puts an "I" in front of a clause that leaves it out: "Took the
// kids to the museum."
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
