package offline

import (
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/temporal"
)

// dated is a sentence and the time expressions in it.
type dated struct {
	ref         time.Time
	text        string // with a comma in place of each expression
	whole       string
	expressions []temporal.Expression
}

// findDates reads the time expressions of a sentence. One that says what
// sort of thing something is, as in "a Christmas party", dates nothing.
func findDates(sentence string, ref time.Time) dated {
	d := dated{ref: ref, text: sentence, whole: sentence}
	if !mayHoldDate(sentence) {
		return d
	}
	found := temporal.Find(sentence, ref)
	for i := len(found) - 1; i >= 0; i-- {
		if e := found[i]; !describes(sentence, e) {
			d.expressions = append([]temporal.Expression{e}, d.expressions...)
			d.text = d.text[:e.Start] + ", " + d.text[e.End:]
		}
	}
	return d
}

// mayHoldDate passes quickly over sentences without a word that dates have.
func mayHoldDate(s string) bool {
	if strings.ContainsAny(s, "0123456789") {
		return true
	}
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return notInWord(r) && r != '\'' }) {
		w = strings.TrimSuffix(strings.ToLower(w), "'s")
		if dateWords[w] || timeWords[w] {
			return true
		}
	}
	return false
}

var describedBy = pattern.New(`(?i)(?:\b(?:an?|the|new|old|big|great|annual|first|our|my)|'s) (?:\p{L}+ )?$`)

// describes reports whether an expression stands between an article and a noun.
func describes(sentence string, e temporal.Expression) bool {
	after, ok := strings.CutPrefix(sentence[e.End:], " ")
	if !ok || !describedBy().MatchString(sentence[:e.Start]) || strings.ContainsAny(e.Text, "0123456789") && e.Kind == temporal.Dated {
		return false
	}
	next := strings.ToLower(wordAhead().FindString(after))
	return next != "" && !phraseStops[next] && !prepositions[next] && !capitalised(wordAhead().FindString(after)) && !isPast(next)
}

// span is when a claim holds.
type span struct{ from, until *time.Time }

// span places what a verb says on the timeline.
//
// What is said in the present tense holds when it is said; a date in such a
// sentence seldom says since when ("I love hiking in summer").
func (d dated) span(v verbPhrase) span {
	expressions := d.expressions
	if v.future && len(expressions) > 0 {
		expressions = temporal.Reader{Prefer: temporal.Future}.Find(d.whole, d.ref)
	}
	for _, e := range expressions {
		if e.Kind == temporal.Dated && d.fitsTense(e, v) {
			return d.spanOf(e)
		}
	}
	if at := d.durationSince(v); at != nil {
		return span{from: at}
	}
	return span{}
}

// fitsTense reports whether an expression may date the verb: what is past did
// not happen tomorrow.
func (d dated) fitsTense(e temporal.Expression, v verbPhrase) bool {
	start := e.Interval.Start
	switch {
	case v.past:
		return start.IsZero() || start.Before(d.ref)
	case v.future:
		return start.IsZero() || start.After(d.ref)
	case v.perfect || v.begins || v.progress:
		return true
	}
	return start.After(d.ref) || sinceThen().MatchString(e.Text)
}

var sinceThen = pattern.New(`(?i)^(?:since|from|starting|beginning|as of|until|till?|up to|through|ever since)\b`)

var (
	// Expressions that say when something ended as well.
	bounded = pattern.New(`(?i)^(?:from|between|(?:up )?until|till?|up to)\b|\s(?:to|until|till|through|and|-|–)\s`)

	lasting = pattern.New(`(?i)\bfor (?:about |around |over |almost |nearly |more than |the (?:last|past) )?((?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|\d{1,2}) (?:years?|months?|weeks?|days?))\b( ago)?`)
)

func (d dated) spanOf(e temporal.Expression) span {
	var s span
	onset := e.Onset(d.ref)
	if !onset.IsZero() {
		s.from = &onset
	}
	if !onset.Equal(e.Interval.Start) {
		return s
	}
	if !e.Interval.End.IsZero() && (s.from == nil || bounded().MatchString(e.Text)) {
		s.until = &e.Interval.End
	}
	return s
}

// interval is the whole stretch that a coarse expression names, such as a year
// in which somebody worked somewhere.
func (d dated) interval() (span, bool) {
	for _, e := range d.expressions {
		start := e.Interval.Start
		if e.Kind == temporal.Dated && e.Granularity >= temporal.Month && !e.Interval.End.IsZero() && (start.IsZero() || start.Before(d.ref)) {
			s := d.spanOf(e)
			if s.from == nil || s.until != nil {
				return s, true
			}
			if e.Interval.End.Before(d.ref) {
				return span{from: s.from, until: &e.Interval.End}, true
			}
		}
	}
	return span{}, false
}

// durationSince reads "has lived here for three years" as a beginning.
func (d dated) durationSince(v verbPhrase) *time.Time {
	if !v.perfect || v.past {
		return nil
	}
	m := lasting().FindStringSubmatch(d.whole)
	if m == nil || m[2] != "" {
		return nil
	}
	if found := temporal.Find(m[1]+" ago", d.ref); len(found) == 1 && !found[0].Interval.Start.IsZero() {
		return &found[0].Interval.Start
	}
	return nil
}
