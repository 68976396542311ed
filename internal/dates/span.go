package dates

import (
	"time"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/temporal"
)

// A range stands between two dates: "from May 3 to May 9", "between 2014 and 2018", "4 to 22
// January", "Nov-Feb 2017", "next week between Wednesday and Friday".

// spanLead skips the word that opens a range.
func (p *parser) spanLead(i int) (int, bool) {
	k := p.skip(i, "during", "in", "on")
	switch {
	case p.is(k, "from"):
		return p.skip(k+1, "around"), false
	case p.is(k, "between"):
		return k + 1, true
	}
	return i, false
}

// spanSeparator skips the word between the ends of a range, or returns 0.
func (p *parser) spanSeparator(i int, between bool) int {
	i = p.skip(i, ",")
	if between && p.is(i, "and") {
		return i + 1
	}
	return p.phrases(i, "to|until|till|til|through|thru|-|~", "up to|until", "and up to")
}

// daysOfMonth reads days followed by their month: "from 4 to 22 January, 1995", "4 till 23 of this
// month", "between the 3rd and 12th of Sept".
func (p *parser) daysOfMonth(i int) (when, int) {
	k, between := p.spanLead(i)
	if p.at(k).kind == numberToken && !p.begins(k) {
		return when{}, 0
	}
	from, next := p.dayNumber(k)
	sep := p.spanSeparator(next, between)
	if next == 0 || sep == 0 {
		return when{}, 0
	}
	if m, end := p.monthDay(sep); end > 0 && !(p.is(sep+1, "-") && p.glued(sep+1)) {
		start := m
		start.parts.day = from
		return p.join(start, m, end)
	}
	to, next := p.dayNumber(sep)
	if next == 0 {
		return when{}, 0
	}
	if w, end := p.dayMonth(sep); end > 0 {
		if _, number := p.dayNumber(end); number > 0 && w.parts.year == 0 && p.at(end).width <= 2 && p.at(end).kind == numberToken {
			return when{}, 0 // "5 to 6 of April 22" is a time on a day
		}
		if d, _ := p.dayNumber(p.skip(next, "of")); p.at(p.skip(next, "of")).kind == wordToken && d > 0 || p.yearIsDay(next) {
			return when{}, 0
		}
		start := w
		start.parts.day = from
		return p.join(start, w, end)
	}
	month, end := p.ofMonth(next)
	if end == 0 {
		return when{}, 0
	}
	start := parts{year: month.Year(), month: month.Month(), day: from}
	stop := start
	stop.day = to
	return p.join(partsWhen(start), partsWhen(stop), end)
}

// yearIsDay reports whether a month stands at i with a day number right after it.
func (p *parser) yearIsDay(i int) bool {
	_, k := p.monthName(p.skip(i, "of"))
	_, end := p.dayNumber(k)
	return k > 0 && end > 0 && p.at(end-1).width != 4
}

// monthThenDays reads days after their month: "November 19-20", "April ninth through 17th",
// "November between 19 and 20", "July 17th to the 19th, 2020".
func (p *parser) monthThenDays(i int) (when, int) {
	k, between := p.spanLead(i)
	m, next := p.monthName(k)
	if next == 0 {
		return when{}, 0
	}
	if inner, b := p.spanLead(next); inner > next {
		next, between = inner, b
	}
	from, next := p.dayNumber(next)
	if next == 0 {
		return when{}, 0
	}
	year, afterYear := p.yearAfter(next)
	if afterYear == 0 {
		afterYear = next
	}
	sep := p.spanSeparator(afterYear, between)
	to, end := p.dayNumber(sep)
	if sep == 0 || end == 0 || !p.dayEnds(end) || p.unitAt(end) {
		return when{}, 0
	}
	if _, month := p.monthName(p.skip(end, "of")); month > 0 {
		return when{}, 0
	}
	if y, next := p.yearAfter(end); next > 0 && year == 0 {
		year, end = y, next
	}
	start, _ := p.checked(parts{year: year, month: m, day: from}, end)
	if to < from {
		year, m = 0, m%12+1
	}
	return p.join(start, partsWhen(parts{year: year, month: m, day: to}), end)
}

// weekThenDays reads "this week from Tue to Thu".
func (p *parser) weekThenDays(i int) (when, int) {
	week, k := p.shiftedUnit(i)
	if k == 0 || week.gran != calendar.Week || week.placed.Start.IsZero() {
		return when{}, 0
	}
	k, between := p.spanLead(p.skip(k, ","))
	from, next := p.weekdayName(k)
	sep := p.spanSeparator(next, between)
	if next == 0 || sep == 0 {
		return when{}, 0
	}
	to, end := p.weekdayName(sep)
	if end == 0 {
		return when{}, 0
	}
	start := onWeekday(week.placed.Start, from)
	return fixedWhen(spanning(start, onWeekday(start, to).AddDate(0, 0, 1)), calendar.Day), end
}

// generalSpan reads two complete dates, or two years.
func (p *parser) generalSpan(i int) (when, int) {
	k, between := p.spanLead(i)
	if p.at(k).kind == numberToken && !p.begins(k) {
		return when{}, 0
	}
	a, next := p.spanEnd(k, k > i)
	if next == 0 {
		return when{}, 0
	}
	sep := p.spanSeparator(next, between)
	if sep == 0 && p.is(next, "and") && p.is(i, "from") {
		sep = next + 1
	}
	if sep == 0 || p.is(sep-1, "-") && p.glued(sep-1) != p.glued(sep) && p.glued(sep-1) {
		return when{}, 0
	}
	b, end := p.secondEnd(a, k, sep)
	if end == 0 {
		return when{}, 0
	}
	if p.is(sep-1, "-") && b.parts.hasWeekday && !b.fixed && a.gran == calendar.Day && !a.parts.hasWeekday {
		return when{}, 0 // "May 5 - Tuesday"
	}
	if p.yearLacking(a, b, k, next, end) {
		a = inYearOf(a, b)
	}
	return p.join(a, b, end)
}

// secondEnd reads the second end of a range that begins with a, at token i. After "now", "today" or
// "tomorrow" the end is in the future.
func (p *parser) secondEnd(a when, i, sep int) (when, int) {
	if _, end := p.anchor(i); p.Prefer == Past && p.is(i, "now", "today", "tomorrow") && end > 0 {
		ahead := *p
		ahead.Prefer, ahead.dates = Future, map[int]dateMemo{}
		p = &ahead
	}
	b, end := p.spanEnd(p.skip(sep, "the", "around"), true)
	if full, fullEnd := p.spanEnd(sep, true); fullEnd > end {
		b, end = full, fullEnd
	}
	if end == 0 && p.is(i-1, "between", "from") {
		return p.shortYearAfter(a, sep)
	}
	return b, end
}

// yearLacking reports whether the first end of a range of weeks, quarters or seasons takes its year
// from the second: "from Q1 to Q3 2018".
func (p *parser) yearLacking(a, b when, i, mid, end int) bool {
	same := a.fixed && b.fixed && a.gran == b.gran && (a.gran == calendar.Quarter || a.gran == calendar.Season || a.gran == calendar.Week && p.is(i, "week"))
	return same && !p.namesYear(i, mid) && p.namesYear(mid, end) && a.placed.Start.YearDay() <= b.placed.Start.YearDay()
}

// inYearOf moves a week, a quarter or a season into the year of another.
func inYearOf(a, b when) when {
	if a.gran == calendar.Week {
		_, n := a.placed.Start.ISOWeek()
		y, _ := b.placed.Start.ISOWeek()
		return unitWhen(isoWeek(y, n, a.placed.Start.Location()), calendar.Week)
	}
	return unitWhen(calendar.AddMonths(a.placed.Start, 12*(b.placed.Start.Year()-a.placed.Start.Year())), a.gran)
}

// namesYear reports whether a year stands among the tokens.
func (p *parser) namesYear(i, end int) bool {
	for ; i < end; i++ {
		if t := p.at(i); t.kind == numberToken && t.width == 4 || shifts[t.text] != 0 {
			return true
		}
	}
	return false
}

// spanEnd reads one end of a range.
func (p *parser) spanEnd(i int, led bool) (when, int) {
	if p.is(i, "now", "present") && led {
		return dayWhen(p.ref), i + 1
	}
	if end := p.phrase(i, "the present"); end > 0 {
		return dayWhen(p.ref), end
	}
	w, end := p.compound(i)
	if w.kind != Dated {
		w, end = when{}, 0
	}
	if y, next := p.spanYear(i); next > end {
		return partsWhen(parts{year: y}), next
	}
	if m, next := p.monthNamed(i); next > end && p.is(i-1, "to", "-", "through", "until", "till", "and", "from", "between") {
		return m, next
	}
	if d, next := p.spanWeekday(i); next > end {
		return d, next
	}
	if d, next := p.dayOnlyNamed(i); next > end && led {
		return d, next
	}
	return w, end
}

// spanYear reads a year at an end of a range, where the range itself announces it.
func (p *parser) spanYear(i int) (int, int) {
	y, end := p.fourDigitYear(i)
	if end == 0 || y < 1300 || p.countedNoun(end) || !p.begins(i) && !p.is(i-1, "-", "~") {
		return 0, 0
	}
	return y, end
}

// spanWeekday reads a weekday beside a separator and another weekday: "Mon-Fri".
func (p *parser) spanWeekday(i int) (when, int) {
	d, end := p.weekdayName(i)
	if end == 0 {
		return when{}, 0
	}
	_, before := weekdays[p.word(i-2)]
	_, after := weekdays[p.word(end+1)]
	if !(after && p.spanSeparator(end, true) > 0 || before && p.spanSeparator(i-1, true) > 0) {
		return when{}, 0
	}
	return partsWhen(parts{weekday: d, hasWeekday: true}), end
}

// join makes one range of two ends. Each end takes from the other what it does not name.
func (p *parser) join(a, b when, end int) (when, int) {
	a, b = lend(a, b)
	from, to, ok := p.placeEnds(a, b)
	if !ok || from.Start.IsZero() || to.End.IsZero() || !from.Start.Before(to.End) || to.Start.Before(from.Start) {
		return when{}, 0
	}
	joined := fixedWhen(spanning(from.Start, to.End), min(a.gran, b.gran))
	joined.last = a.last
	return joined, end
}

// lend completes the first end by the month or year of the second.
func lend(a, b when) (when, when) {
	if a.fixed || b.fixed {
		return a, b
	}
	if a.parts.month == 0 && a.parts.day != 0 && a.parts.year == 0 && !a.parts.hasWeekday {
		a.parts.month = b.parts.month
	}
	if a.parts.year == 0 && a.parts.month != 0 && b.parts.year != 0 {
		a.parts.year = b.parts.year
		if b.parts.month != 0 && (a.parts.month > b.parts.month || a.parts.month == b.parts.month && a.parts.day > b.parts.day && b.parts.day != 0) {
			a.parts.year--
		}
	}
	return a, b
}

// placeEnds places the complete end first and the other in relation to it.
func (p *parser) placeEnds(a, b when) (temporal.Interval, temporal.Interval, bool) {
	if p.open(a) && b.fixed {
		to := b.placed
		from, ok := p.before(a, to.Start)
		return from, to, ok
	}
	from, ok := p.place(a)
	if !ok {
		return from, from, false
	}
	if p.open(b) {
		to, ok := p.after(b, from.Start)
		return from, to, ok
	}
	to, ok := p.place(b)
	return from, to, ok
}

// open reports whether a when needs the reference to be placed.
func (p *parser) open(w when) bool { return !w.fixed && w.parts.year == 0 }

// after places an open when at or after t; before places it at or before t.
func (p *parser) after(w when, t time.Time) (temporal.Interval, bool) {
	q := parser{ref: t, Reader: Reader{Prefer: Future}}
	if w.parts.hasWeekday && w.parts.day == 0 {
		return whole(onWeekday(midnight(t), w.parts.weekday), calendar.Day), true
	}
	return q.place(w)
}

func (p *parser) before(w when, t time.Time) (temporal.Interval, bool) {
	q := parser{ref: t, Reader: Reader{Prefer: Past}}
	return q.place(w)
}
