package offline

import (
	"regexp"
	"strings"
	"time"

	"github.com/annalsdb/annals/temporal"
)

// Clauses that state nothing.
var (
	noStatement = regexp.MustCompile(`(?i)^(?:thanks|thank you|hi|hello|hey|bye|wow|great|good (?:morning|night|luck)|congrat|please|let me know|let's|take care|if |would |could |can |should |may |do |does |did |what |where |when |why |how |who )`)
	hedged      = regexp.MustCompile(`(?i)\b(?:would|could|might|should|maybe|perhaps|if|wish|hope|hopes|hoping|wonder|wondering|almost|thinking of|thinking about|considering)\b`)
)

// readSentence finds what a clause claims.
func readSentence(u utterance, clause string, names []name) []claim {
	if noStatement.MatchString(clause) {
		return nil
	}
	sentence := standAlone(clause, u)
	if len(strings.Fields(sentence)) < 3 || len(sentence) > 600 {
		return nil
	}
	from, until, undated := datesOf(sentence, u.at)
	subject, rest := subjectOf(undated, u, names)
	said, _, _ := strings.Cut(strings.TrimLeft(rest, ", "), ",")
	if subject == "" || hedged.MatchString(said) {
		return nil
	}
	var claims []claim
	for _, c := range relate(subject, rest, names) {
		c.sentence, c.from, c.until = sentence, from, until
		claims = append(claims, c)
	}
	return claims
}

var lastUnit = regexp.MustCompile(`(?i)^(?:this )?(?:last|past) (week|month|year)$`)

// datesOf finds when a sentence's relation holds, and the sentence without it.
// "Last week" said of an event means about a week ago, not since Monday.
func datesOf(sentence string, ref time.Time) (from, until *time.Time, undated string) {
	undated = sentence
	var first *temporal.Expression
	expressions := temporal.Find(sentence, ref)
	for i := len(expressions) - 1; i >= 0; i-- {
		e := expressions[i]
		if e.Kind == temporal.Dated {
			first = &expressions[i]
		}
		undated = undated[:e.Start] + " , " + undated[e.End:]
	}
	if first == nil {
		return nil, nil, undated
	}
	if m := lastUnit.FindStringSubmatch(first.Text); m != nil {
		at := unitBefore(strings.ToLower(m[1]), ref)
		return &at, nil, undated
	}
	if !first.Interval.Start.IsZero() {
		from = &first.Interval.Start
	}
	if spans.MatchString(first.Text) && !first.Interval.End.IsZero() {
		until = &first.Interval.End
	}
	return from, until, undated
}

// Expressions that say when something ended as well.
var spans = regexp.MustCompile(`(?i)^(?:from|between|until|till|up to)\b|\b(?:to|until|till|through)\b`)

func unitBefore(unit string, ref time.Time) time.Time {
	day := time.Date(ref.Year(), ref.Month(), ref.Day(), 0, 0, 0, 0, ref.Location())
	switch unit {
	case "week":
		return day.AddDate(0, 0, -7)
	case "month":
		return day.AddDate(0, -1, 0)
	}
	return day.AddDate(-1, 0, 0)
}

var (
	// What may stand before the subject once dates are cut out.
	beforeSubject = regexp.MustCompile(`^(?i:(?:[\s,.]|on|in|at|by|since|just|today|recently|lately|finally|still|as of|over|during|for|about|around|that|then|so|also)\b?[\s,]*)*`)

	// "Alice's sister Anna": the name after the word for the relation.
	relative = regexp.MustCompile(`^'s (?:[a-z]+ ){0,2}?(?i:sister|brother|mother|father|mom|mum|dad|wife|husband|partner|son|daughter|friend|boss|colleague|cousin|aunt|uncle|boyfriend|girlfriend|neighbou?r|manager|dog|cat),? (\p{Lu}\p{L}+)\b,?`)
)

// subjectOf finds who or what a sentence is about and what it says of them.
// A rest that begins with 's speaks of something that belongs to the subject.
func subjectOf(sentence string, u utterance, names []name) (subject, rest string) {
	s := sentence[len(beforeSubject.FindString(sentence)):]
	candidates := []string{u.speaker, u.listener}
	for _, n := range names {
		candidates = append(candidates, n.text)
	}
	for _, c := range candidates {
		if c == "" || len(s) <= len(c) || !strings.EqualFold(s[:len(c)], c) || len(c) < len(subject) {
			continue
		}
		if next := s[len(c)]; next == ' ' || next == '\'' || next == ',' {
			subject = c
		}
	}
	if subject == "" {
		return "", ""
	}
	return subject, strings.TrimRight(s[len(subject):], ".!? ")
}
