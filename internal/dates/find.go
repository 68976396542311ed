package dates

import (
	"strings"
	"time"

	"github.com/annalsdb/annals/temporal"
)

// Find returns the time expressions of text in the order they appear, without overlaps. ref is when
// the text was written: "yesterday" is the day before it, in its location. A text without an
// English expression is searched for absolute dates in other languages. Find reads at most
// [MaxText] bytes, in linear time.
func (r Reader) Find(text string, ref time.Time) []Expression {
	if len(text) > MaxText {
		text = text[:MaxText]
	}
	if y := ref.Year(); y < 1 || y > 9999 {
		return nil
	}
	p := &parser{text: text, toks: tokenize(text), ref: ref, Reader: r, dates: map[int]dateMemo{}}
	p.DayFirst = r.DayFirst || p.writesDayFirst()
	if p.byTense, p.told = r.Prefer == ByTense, r.Prefer == Told; p.told {
		p.Prefer = Past
	}
	p.each(func(_, _ int, e Expression) { p.found = append(p.found, e) })
	if p.found == nil {
		return r.foreign(p)
	}
	return p.found
}

// each calls do with every expression of the text and the range of its tokens. It skips dates that
// the text denies, or from which something was postponed.
func (p *parser) each(do func(i, end int, e Expression)) {
	for i := 0; i < len(p.toks); {
		if k := p.newValue(i); k > 0 {
			i = k
			continue
		}
		e, end := p.expression(i)
		if end == 0 {
			i++
			continue
		}
		if e.Kind != Dated || !p.ruledOut(i) {
			do(i, end, e)
		}
		i = end
	}
}

// expression reads the longest expression that starts at token i.
func (p *parser) expression(i int) (Expression, int) {
	if !p.mayStart(i) {
		return Expression{}, 0
	}
	p.preferByTense(i)
	best, end := longest(i, untimed(Recurring, p.recurring), p.bounded, p.daysOfMonth, p.monthThenDays, p.weekThenDays, p.generalSpan,
		p.compared, p.lasting, p.compound, untimed(Duration, p.duration))
	if end == 0 {
		return Expression{}, 0
	}
	at, ok := p.place(best)
	if !ok || at.Empty() || !plausible(at) {
		return Expression{}, 0
	}
	from, to := p.toks[i].start, p.toks[end-1].end
	return Expression{
		Start: from, End: to, Text: p.text[from:to],
		Interval: at, Granularity: best.gran, Kind: best.kind, counted: best.counted, last: best.last,
	}, end
}

// untimed is a rule for expressions without a place on the timeline.
func untimed(k Kind, read func(i int) int) rule {
	return func(i int) (when, int) { return when{fixed: true, kind: k}, read(i) }
}

// plausible reports whether calendars and databases agree on the years.
func plausible(i temporal.Interval) bool {
	in := func(t time.Time) bool { return t.IsZero() || t.Year() >= 1 && t.Year() <= 9999 }
	return in(i.Start) && in(i.End)
}

// maxDepth limits how many times a date may be counted from another date.
const maxDepth = 6

// date reads a date of any form at token i. It keeps readings, so that a place is read once however
// many rules look at it.
func (p *parser) date(i int) (when, int) {
	if m, ok := p.dates[i]; ok {
		return m.w, m.end
	}
	if p.depth >= maxDepth || i >= len(p.toks) {
		return when{}, 0
	}
	p.depth++
	w, end := longest(i, p.relativeDay, p.stamp, p.numericDate, p.monthDay, p.dayMonth, p.monthYear,
		p.weekdayDate, p.nthWeekday, p.dayOfNamedMonth, p.holidayWeekend, p.holiday, p.shiftedUnit,
		p.offset, p.stretch, p.weekOf, p.nthWeek, p.weekNumber, p.quarter, p.decade, p.century,
		p.season, p.endOfDay, p.restOf, p.laterOrEarlier, p.phaseOf, p.bareYear, p.bareMonth, p.dayOnly, p.theUnit, p.yearThen, p.partOfNamedDay)
	if at, ok := p.place(w); end > 0 && (!ok || at.Empty()) {
		w, end = when{}, 0
	}
	p.depth--
	if p.depth == 0 || end > 0 {
		p.dates[i] = dateMemo{w, end}
	}
	return w, end
}

// starters are the words that an expression can begin with.
var starters = func() map[string]bool {
	m := set(`a an the to in for at from between since until till til before after by on or as no not
		starting beginning commencing effective ending anytime prior up later earlier sooner more less longer fewer
		within through every each any daily once twice all full whole entire some over early late mid
		middle end start rest remainder half quarter few several couple about around roughly almost
		nearly right just ever equal during q h w wc cy eod eow eom eoy year week weekend weekday
		ytd mtd wtd qtd tonight tonite noon midday midnight > < ≥ ≤ ' final current same lunch calendar`)
	for w := range adverbs {
		m[w] = true
	}
	addKeys(m, units)
	addKeys(m, months)
	addKeys(m, weekdays)
	addKeys(m, seasons)
	addKeys(m, shifts)
	addKeys(m, partsOfDay)
	addKeys(m, dayWords)
	addKeys(m, numberWords)
	addKeys(m, ordinalWords)
	return m
}()

func addKeys[V any](m map[string]bool, from map[string]V) {
	for w := range from {
		m[w] = true
	}
}

// mayStart quickly skips the words that begin no expression.
func (p *parser) mayStart(i int) bool {
	t := p.at(i)
	if t.kind == numberToken || starters[t.text] {
		return true
	}
	if t.kind != wordToken {
		return false
	}
	return holidayStarts[plainWord(t.text)] || decadeWord(t.text) > 0 ||
		strings.HasSuffix(t.text, "days") && len(t.text) > 6
}
