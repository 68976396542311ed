package offline

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/temporal"
)

// dated is a sentence with its time expressions.
type dated struct {
	ref         time.Time
	text        string // with each expression replaced by a comma
	whole       string
	expressions []dates.Expression
	conditional bool // it depends on a condition
}

// timing is the kind and time of a claim.
type timing struct {
	kind  string // prompts.State or prompts.Event
	valid temporal.Validity
}

// findDates reads the time expressions of a sentence. The tense of the verb tells whether they lie
// in the past. The "Christmas" of "a Christmas party" is no date.
func findDates(sentence string, ref time.Time) dated {
	d := dated{ref: ref, text: sentence, whole: sentence}
	if !mayHoldDate(sentence) {
		return d
	}
	found := dates.Reader{Prefer: dates.ByTense}.Find(sentence, ref)
	for i := len(found) - 1; i >= 0; i-- {
		if e := opened(sentence, found[i], ref); !describes(sentence, e) {
			d.expressions = append([]dates.Expression{e}, d.expressions...)
			d.text = d.text[:e.Start] + ", " + d.text[e.End:]
		}
	}
	return d
}

// mayHoldDate is a quick check for sentences that may contain a date.
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

// A rate of payment is no date: "40 dollars a month".
var (
	rate = pattern.New(`^(?i:an?|per|each|every) `)
	paid = pattern.New(`(?:[€$£] ?\d[\d.,]*k?|\b(?:euros?|dollars|pounds|francs|yen|rupees|crowns|bucks|EUR|USD|GBP|CHF)) $`)
)

// describes reports whether an expression modifies a noun, between an article and the noun.
func describes(sentence string, e dates.Expression) bool {
	if rate().MatchString(e.Text) && paid().MatchString(sentence[:e.Start]) {
		return true
	}
	after, ok := strings.CutPrefix(sentence[e.End:], " ")
	if !ok || !describedBy().MatchString(sentence[:e.Start]) || strings.ContainsAny(e.Text, "0123456789") && e.Kind == dates.Dated {
		return false
	}
	next := strings.ToLower(strings.TrimRight(wordAhead().FindString(after), ".'-"))
	return next != "" && !phraseStops[next] && !prepositions[next] && !capitalised(wordAhead().FindString(after)) && !isPast(next)
}

// date returns the first expression that dates the statement of a verb.
//
// A statement in the present tense holds when it is said. A date in it seldom says since when ("I
// love hiking in summer").
func (d dated) date(v verbPhrase) (dates.Expression, bool) {
	if v.past || v.perfect {
		d.expressions = slices.Clone(d.expressions)
		for i, e := range d.expressions {
			d.expressions[i] = dates.OfToday(e, d.ref)
		}
	}
	for _, e := range d.expressions {
		if e.Kind == dates.Dated && !vagueCount().MatchString(e.Text) && !datesAnother().MatchString(d.whole[:e.Start]) && d.fitsTense(e, v) {
			return d.narrowed(e), true
		}
	}
	return dates.Expression{}, false
}

// narrowed returns a more exact date within the time of an expression, if the sentence has one:
// "this year, on 14 March".
func (d dated) narrowed(e dates.Expression) dates.Expression {
	for _, o := range d.expressions {
		from, to := o.Interval.Start, o.Interval.End
		if o.Kind == dates.Dated && o.Granularity < e.Granularity && !from.IsZero() && !to.IsZero() && !e.Interval.End.IsZero() &&
			!from.Before(e.Interval.Start) && !to.After(e.Interval.End) {
			return o
		}
	}
	return e
}

// vagueCount matches vague counts: "a few years ago" names no year.
var vagueCount = pattern.New(`(?i)\b(?:few|couple|several|some|about|around|roughly|almost|nearly|over)\b`)

// datesAnother matches words between a verb and a date that belongs to another verb: "met a man who
// moved", "rested after Eva came".
var datesAnother = pattern.New(`\S\s(?:if|unless|provided|providing|assuming|as long as|so long as|depending on) |\S\s(?:who|which|that|(?:after|before|when|while|because|if|since) (?:\p{Lu}|he |she |they |it |we |I ))`)

// fitsTense reports whether an expression may date the verb: a past event did not happen tomorrow.
func (d dated) fitsTense(e dates.Expression, v verbPhrase) bool {
	start := e.Interval.Start
	switch {
	case v.past:
		return start.IsZero() || !start.After(d.ref)
	case v.future:
		return start.IsZero() || start.After(d.ref) || e.Interval.End.After(d.ref)
	case v.perfect || v.begins || v.progress:
		return true
	}
	return start.After(d.ref) || sinceThen().MatchString(e.Text)
}

var (
	sinceThen = pattern.New(`(?i)^(?:since|from|starting|beginning|as of|as from|effective|with effect|until|till?|up to|through|ever since)\b`)

	// Expressions that also say when something ended.
	bounded = pattern.New(`(?i)^(?:from|between|(?:up )?until|till?|up to|through)\b|\s(?:to|until|till|through|and|-|–)\s`)

	lasting = pattern.New(`(?i)\bfor (?:about |around |over |almost |nearly |more than |the (?:last|past) )?((?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|\d{1,2}) (?:year|month|week|day)s?)\b( ago)?`)
)

// present returns when an ongoing state holds: since the stated date, else since it was said.
func (d dated) present(v verbPhrase) timing {
	e, ok := d.date(v)
	if !ok {
		return timing{prompts.State, d.during(v)}
	}
	valid := e.StatedAs()
	if !bounded().MatchString(e.Text) {
		valid.End, valid.Until = time.Time{}, temporal.Bound{}
	}
	if valid.Start.IsZero() && !v.past {
		said := temporal.SaidSince(d.ref)
		if valid.Start, valid.From = said.Start, said.From; valid.Empty() {
			return timing{prompts.State, said}
		}
	}
	return timing{prompts.State, valid}
}

// during reads "has lived here for three years" as a beginning. Without a duration the state holds
// since it was said.
func (d dated) during(v verbPhrase) temporal.Validity {
	m := lasting().FindStringSubmatch(d.whole)
	if !v.perfect || v.past || m == nil || m[2] != "" {
		return temporal.SaidSince(d.ref)
	}
	for _, e := range dates.Find(m[1]+" ago", d.ref) {
		start := e.StatedAs()
		start.End, start.Until = time.Time{}, temporal.Bound{}
		return start
	}
	return temporal.SaidSince(d.ref)
}

// once returns when something happened: at the stated time, else before it was told.
func (d dated) once(v verbPhrase) timing {
	if e, ok := d.date(v); ok {
		valid := e.StatedAs()
		if v.future {
			valid = dates.NotBefore(valid, d.ref)
		}
		if !valid.Start.IsZero() || valid.End.Before(d.ref) || v.future {
			return timing{prompts.Event, valid}
		}
	}
	return timing{prompts.Event, temporal.OverBy(d.ref)}
}

// former returns the period that a coarse expression names, such as the year in which somebody
// worked somewhere. A state that began at a stated time was over when it was told.
func (d dated) former() (timing, bool) {
	for _, e := range d.expressions {
		start := e.Interval.Start
		if e.Kind != dates.Dated || e.Granularity < calendar.Month && !bounded().MatchString(e.Text) || !start.IsZero() && !start.Before(d.ref) {
			continue
		}
		valid := e.StatedAs()
		if valid.End.IsZero() || valid.End.After(d.ref) {
			valid.End, valid.Until = d.ref, temporal.Bound{Basis: temporal.Said, Precision: temporal.ToInstant}
		}
		return timing{prompts.State, valid}, true
	}
	return timing{}, false
}

// over returns the timing of a state that had ended when it was told.
func (d dated) over() timing { return timing{prompts.Event, temporal.OverBy(d.ref)} }

// said returns the timing of a state that goes on when it is told.
func (d dated) said() timing { return timing{prompts.State, temporal.SaidSince(d.ref)} }

// ahead reports whether a timing begins after a time.
func (t timing) ahead(ref time.Time) bool { return t.valid.Start.After(ref) }

// isStated reports whether a text gives the time: "last year", "since May".
func isStated(v temporal.Validity) bool { return v.From.Dated() || v.Until.Basis == temporal.Stated }

// only returns the expression of a sentence with exactly one, if it gives a date.
func (d dated) only() (dates.Expression, bool) {
	if len(d.expressions) != 1 {
		return dates.Expression{}, false
	}
	return d.expressions[0], d.expressions[0].Kind == dates.Dated
}

// ExtractDates returns the words of the fact's first date expression.
func (*Analyst) ExtractDates(ctx context.Context, q prompts.ExtractDates) (prompts.ExtractedDates, error) {
	for _, e := range (dates.Reader{Prefer: dates.ByTense}).Find(q.Fact, q.OccurredAt) {
		if e.Kind != dates.Dated {
			continue
		}
		found := prompts.ExtractedDates{Reason: e.Text}
		if !e.Interval.Start.IsZero() {
			found.ValidAt = e.Text
		}
		if !e.Interval.End.IsZero() && (found.ValidAt == "" || bounded().MatchString(e.Text)) {
			found.InvalidAt = e.Text
		}
		return found, ctx.Err()
	}
	return prompts.ExtractedDates{}, ctx.Err()
}
