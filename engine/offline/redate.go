package offline

import (
	"strconv"
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
)

// A correction of a date often gives only the day: "I misspoke, it is the 12th". The month and year
// are those of the corrected date.

var (
	dayAlone    = pattern.New(`^(\d{1,2})(?:st|nd|rd|th)(?: (?:instead|actually|not)\b.*)?$`)
	dayInDate   = pattern.New(`(?:^|[^\d:.,/-])(\d{1,2})(st|nd|rd|th)?(?:$|[^\d:./-])`)
	weekdayHead = pattern.New(`^(?i:on )?(?i:` + weekday + `)day,? `)
	onOrIn      = pattern.New(` (?:on|in) (?:the )?$`)

	leadingPreposition = pattern.New(`^(?i:on|in) `)
)

// on returns the claim, made at then, with the date that a correction gives, if both have one.
func (cl claim) on(u utterance, then time.Time) []claim {
	is := cl.dateMeant(u)
	if is == "" {
		return nil
	}
	was := findDates(cl.sentence, then)
	date, ok := was.only()
	if !ok {
		return nil
	}
	ways := []string{"on " + is, "on the " + is}
	if day := dayAlone().FindStringSubmatch(is); day != nil {
		if text, ok := anotherDay(date, day[1]); ok {
			return cl.redated(was, text, then, u.at)
		}
		ways = ways[1:]
	}
	for _, text := range ways {
		if is := findDates(text, u.at); len(is.expressions) == 1 {
			return cl.redated(was, is.expressions[0].Text, u.at, u.at)
		}
	}
	return nil
}

// dateMeant returns the date that a correction gives, or that it gives in repeating the statement:
// "Correction: we fly on 13 June".
func (cl claim) dateMeant(u utterance) string {
	if m := whatIsIt().FindStringSubmatch(u.text); m != nil {
		return m[1]
	}
	e, ok := findDates(u.text, u.at).only()
	if !ok || !sharesVerb(fold(u.text), prompts.KnownFact{Fact: cl.sentence}) {
		return ""
	}
	return leadingPreposition().ReplaceAllString(e.Text, "")
}

// anotherDay replaces the day of the month in a date. ok is false if the date has neither a day nor
// a month, such as "next Tuesday".
func anotherDay(e dates.Expression, day string) (string, bool) {
	n, _ := strconv.Atoi(day)
	if y, month, _ := e.Interval.Start.Date(); time.Date(y, month, n, 0, 0, 0, 0, time.UTC).Month() != month {
		return "", false // the month has no such day
	}
	if e.Granularity == calendar.Month && !e.Interval.Start.IsZero() {
		return day + e.Interval.Start.Format(" January 2006"), true
	}
	text := e.Text[len(weekdayHead().FindString(e.Text)):]
	m := dayInDate().FindStringSubmatchIndex(text)
	if m == nil {
		return "", false
	}
	if was, _ := strconv.Atoi(text[m[2]:m[3]]); was != e.Interval.Start.Day() {
		return "", false // the number is an hour or something else
	}
	end := m[3]
	if m[4] >= 0 {
		day, end = ordinal(n), m[5]
	}
	return text[:m[2]] + day + text[end:], true
}

func ordinal(n int) string {
	suffix := "th"
	if n/10 != 1 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

// redated returns the claim with the words of another date, read as on the day from. If they would
// be read differently at the time of the correction, the date is written in full.
func (cl claim) redated(was dated, words string, from, at time.Time) []claim {
	old := was.expressions[0]
	cl.sentence = withDate(cl.sentence, old, words)
	is, now := findDates(cl.sentence, from), findDates(cl.sentence, at)
	e, ok := is.only()
	if !ok {
		return nil
	}
	cl.rule = "a correction"
	if cl.predicate == "BIRTHDAY" {
		cl.object = birthday(is)
		cl.sentence = withDate(cl.sentence, e, cl.object)
		return onlyWhere(cl.object != "", cl.toldAt(at))
	}
	if e.Granularity <= calendar.Day && (len(now.expressions) != 1 || !now.expressions[0].Interval.Equal(e.Interval)) {
		cl.sentence = withDate(cl.sentence, e, e.Interval.Start.Format("2 January 2006"))
		now = findDates(cl.sentence, at)
	}
	if unitOf(cl.object) == "date" {
		p, ok := dateValue(e, is)
		cl.object, cl.objectSaid = p.text, p.said
		return onlyWhere(ok, cl.toldAt(at))
	}
	v := verbPhrase{past: cl.valid.Start.Before(at), future: !cl.valid.Start.Before(at)}
	if cl.kind == prompts.Event {
		cl.timing = now.once(v)
	} else {
		cl.timing = now.present(v)
	}
	return []claim{cl}
}

func onlyWhere(ok bool, cl claim) []claim {
	if !ok {
		return nil
	}
	return []claim{cl}
}

// withDate replaces a date in a sentence, with the preposition that the new words need.
func withDate(sentence string, e dates.Expression, words string) string {
	before, after := sentence[:e.Start], sentence[e.End:]
	words = leadingPreposition().ReplaceAllString(words, "")
	if at := onOrIn().FindStringIndex(before); at != nil {
		before = before[:at[0]] + " " + prepositionOf(words)
	} else if strings.HasPrefix(e.Text, "on ") || strings.HasPrefix(e.Text, "in ") {
		before += prepositionOf(words)
	}
	return before + words + after
}

// prepositionOf returns the preposition of a date: on a day, in a month.
func prepositionOf(words string) string {
	for _, e := range dates.Find("on "+words, time.Time{}.AddDate(2000, 0, 0)) {
		if e.Granularity >= calendar.Month {
			return "in "
		}
	}
	return "on "
}
