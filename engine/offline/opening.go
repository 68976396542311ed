package offline

import (
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/internal/pattern"
)

// "From 1 May the plan costs 20 euros" states a beginning. The verb is in the present tense, so it
// does not tell whether the date is past or future.

var (
	// Words before a date that make it a beginning.
	opensBefore = pattern.New(`(?i)(?:^|[\s,])((with effect from|effective from|effective as of|effective|as from|as of|from) (?:the )?)$`)
	opensAtHead = pattern.New(`^(?i:as of|as from|effective|from)\b`)

	// A date at the end is a beginning after "costs 20 euros" and after "runs billing", but not in
	// "a letter from 1 May".
	valueAtEnd = pattern.New(`(?i)(?:\d|euros?|dollars|pounds|francs|an? (?:month|year|week|day)|per (?:month|year|week|day)|members|people|percent|%|open|closed|available) $`)
	postAtEnd  = pattern.New(`\b(?:runs?|leads?|manages?|heads?|directs?|coordinates?|administers?|handles?|operates?|maintains?|owns? the|responsible for|in charge of) [^,.;]+ $`)
	speaksOf   = pattern.New(`(?i)\b(?:will|shall|going to)\b|'ll\b`)
)

// recently is how long ago a statement in the present tense may have begun.
const recently = 60 * 24 * time.Hour

// opened extends an expression by the word that makes it a beginning, and puts it on the nearer
// side of the present.
func opened(sentence string, e dates.Expression, ref time.Time) dates.Expression {
	if e.Kind != dates.Dated {
		return e
	}
	date := e
	if m := opensBefore().FindStringSubmatchIndex(sentence[:e.Start]); m != nil && !e.Interval.Start.IsZero() {
		if before := sentence[:m[2]]; strings.Trim(before, " ,") != "" && strings.EqualFold(sentence[m[4]:m[5]], "from") && !valueAtEnd().MatchString(before) && !postAtEnd().MatchString(before) {
			return e
		}
		e.Start, e.Interval.End = m[2], time.Time{}
		e.Text = sentence[e.Start:e.End]
	} else if !opensAtHead().MatchString(e.Text) || !e.Interval.End.IsZero() {
		return e
	}
	if tellsSide(sentence[:date.Start] + sentence[date.End:]) {
		return e
	}
	back, forth := sameWords(sentence, date, dates.Past, ref), sameWords(sentence, date, dates.Future, ref)
	ago, ahead := ref.Sub(back.Interval.Start), forth.Interval.Start.Sub(ref)
	e.Interval.Start = forth.Interval.Start
	if ago >= 0 && ago < recently && ago < ahead && ago+ahead > recently {
		e.Interval.Start = back.Interval.Start
	}
	return e
}

// sameWords reads an expression with dates on one side of the present.
func sameWords(sentence string, e dates.Expression, side dates.Preference, ref time.Time) dates.Expression {
	for _, o := range (dates.Reader{Prefer: side}).Find(sentence, ref) {
		if o.Start == e.Start && o.End == e.End {
			return o
		}
	}
	return e
}

// tellsSide reports whether the verbs of a sentence show that its date is past or future.
func tellsSide(sentence string) bool {
	return speaksOf().MatchString(sentence) || anyWord(sentence, func(w string) bool {
		return isPast(w) && !sameInPast[w] || w == "was" || w == "were" || w == "been"
	})
}
