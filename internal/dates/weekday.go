package dates

import (
	"time"

	"github.com/annalsdb/annals/internal/calendar"
)

// weekdayName reads the name of a weekday, with the full stop of an abbreviation.
func (p *parser) weekdayName(i int) (time.Weekday, int) {
	d, ok := weekdays[p.word(i)]
	if !ok || p.at(i).kind != wordToken || p.is(i-1, "black", "cyber", "good", "easter", "ash", "palm", "whit", "white", "trinity", "clean", "holy") {
		return 0, 0
	}
	if p.is(i+1, ".") && p.glued(i+1) && len(p.word(i)) <= 5 && i+2 < len(p.toks) && !p.at(i+2).capital {
		return d, i + 2
	}
	return d, i + 1
}

// weekdayDate reads a weekday and what specifies it: "Friday", "Friday the 15th", "Tue, May 9",
// "Friday next week", "next week Friday".
func (p *parser) weekdayDate(i int) (when, int) {
	d, k := p.weekdayName(i)
	if k == 0 {
		return p.weekThenWeekday(i)
	}
	if w, end := longest(k, p.weekdayWithDate(d), p.weekdayOfWeek(d)); end > 0 {
		return w, end
	}
	if ambiguousWeekdays[p.word(i)] && !p.weekdayContext(i) {
		return when{}, 0
	}
	if p.glued(k) && (p.at(k).kind != markToken || p.is(k, "-") && p.at(k+1).kind == wordToken && weekdays[p.word(k+1)] == 0 && partsOfDay[p.word(k+1)] == partOfDay{}) {
		return when{}, 0
	}
	return partsWhen(parts{weekday: d, hasWeekday: true}), k
}

func (p *parser) weekdayContext(i int) bool {
	if p.is(i-1, "the", "a", "an", "my", "his", "her", "their", "our", "your") {
		return false
	}
	return p.is(i-1, "on", "last", "next", "this", "past", "coming", "by", "since", "until", "till", "before", "after") ||
		p.at(i).capital && p.at(i-1).kind == wordToken ||
		i == 0 && len(p.toks) == 1 || p.clockAt(i+1)
}

// weekdayWithDate reads the date after a weekday. The date decides; for a day without a month the
// weekday decides which month.
func (p *parser) weekdayWithDate(d time.Weekday) rule {
	return func(i int) (when, int) {
		k := p.phrase(i, ",|.? on?")
		if day, end := p.ordinal(p.skip(k, "the")); end > 0 && day <= 31 && p.dayAlone(end) {
			if _, month := p.monthName(p.skip(end, "of")); month == 0 {
				return p.weekdayWithDay(d, day, end)
			}
		}
		if p.is(k, "the") {
			if day, end := p.small(k + 1); end > 0 && day >= 1 && day <= 31 && p.clauseEnds(end) {
				return p.weekdayWithDay(d, day, end)
			}
		}
		if w, end := longest(k, p.monthDay, p.dayMonth, p.numericDate); end > 0 && w.gran == calendar.Day && p.fits(w, d, k) {
			return w, end
		}
		if t := p.at(i); t.kind == numberToken && !t.ordinal && t.width == 2 && t.value > 12 && t.value <= 31 && p.dayEnds(i+1) && p.clauseEnds(i+1) && !p.is(i+1, "-", "to") {
			return p.weekdayWithDay(d, t.value, i+1) // "Friday 15"
		}
		if p.is(i, "(") {
			if w, end := longest(i+1, p.monthDay, p.dayMonth, p.numericDate); end > 0 && w.gran == calendar.Day && p.is(end, ")") {
				return w, end + 1
			}
		}
		if w, end := p.offset(k); end > 0 && w.gran == calendar.Day && w.fixed {
			from := w.placed.Start
			if p.is(end-1, "ago") {
				from = calendar.StartOf(from, calendar.Week)
			}
			return dayWhen(onWeekday(from, d)), end
		}
		if end := p.phrase(k, "of"); end > 0 {
			if w, next := p.date(p.skip(end, "the")); next > 0 && w.gran == calendar.Week && w.fixed {
				return dayWhen(onWeekday(w.placed.Start, d)), next
			}
		}
		return when{}, 0
	}
}

// fits tells "Friday 7-6" from "Monday 11-4": two bare numbers are a date only if it falls on the
// weekday in some year near the reference.
func (p *parser) fits(w when, d time.Weekday, i int) bool {
	if w.parts.year != 0 || !p.is(i+1, "-", ".") || p.at(i).kind != numberToken {
		return true
	}
	for y := p.ref.Year() - 1; y <= p.ref.Year()+1; y++ {
		if t, ok := p.civil(y, w.parts.month, w.parts.day); ok && t.Weekday() == d {
			return true
		}
	}
	return false
}

// weekdayBehind skips the weekday after a date that falls on it: "Oct 2nd, Tuesday", "2 October
// 2018 (Tue)".
func (p *parser) weekdayBehind(w when, end int) int {
	k := p.skip(end, ",", "(")
	d, next := p.weekdayName(k)
	if end == 0 || k == end || next == 0 || p.is(end, "(") != p.is(next, ")") {
		return end
	}
	if at, ok := p.place(w); !ok || at.Start.Weekday() != d {
		return end
	}
	return p.skip(next, ")")
}

func (p *parser) weekdayWithDay(d time.Weekday, day, end int) (when, int) {
	c := parts{day: day, weekday: d, hasWeekday: true}
	if _, ok := p.placeParts(c); ok {
		return partsWhen(c), end
	}
	return when{}, 0
}

// weekdayOfWeek reads "next week" after a weekday: "Tuesday next week", "Friday of this week".
func (p *parser) weekdayOfWeek(d time.Weekday) rule {
	return func(i int) (when, int) {
		k := p.phrase(i, ",? of|in?")
		w, end := p.shiftedUnit(k)
		if end == 0 || w.gran != calendar.Week || w.placed.Start.IsZero() {
			return when{}, 0
		}
		return dayWhen(onWeekday(w.placed.Start, d)), end
	}
}

// weekThenWeekday reads "next week Friday", "last week on Sunday", "next week, say on Wednesday".
func (p *parser) weekThenWeekday(i int) (when, int) {
	w, k := longest(i, p.shiftedUnit, p.nthWeek)
	if k == 0 || w.gran != calendar.Week || w.placed.Start.IsZero() {
		return when{}, 0
	}
	k = p.phrase(k, "maybe|'s? ,?")
	k = max(k, p.phrase(k, "how|what about"))
	k = p.phrase(k, "say|maybe? on?")
	d, end := p.weekdayName(k)
	if end == 0 {
		return when{}, 0
	}
	return dayWhen(onWeekday(w.placed.Start, d)), end
}

// nthWeekday reads "the first Friday of May", "third Tuesday", "last Monday in 2019's May".
func (p *parser) nthWeekday(i int) (when, int) {
	k := p.skip(i, "the")
	n, k := p.nth(k)
	d, end := p.weekdayName(k)
	if k == 0 || n > 5 || end == 0 {
		return when{}, 0
	}
	if w, next := p.nthInYear(n, d, end); next > 0 {
		return w, next
	}
	month, next := p.ofMonth(end)
	var part *partOfDay
	if of, k := p.partName(end); next == 0 && k > 0 {
		month, next = p.ofMonth(k)
		part = &of
	}
	if next > 0 {
		end = next
	} else if month = calendar.StartOf(p.ref, calendar.Month); n < 0 || !p.dayAlone(end) && end < len(p.toks) {
		return when{}, 0
	}
	t, ok := nthInMonth(month, n, d)
	if !ok {
		return when{}, 0
	}
	w := dayWhen(t)
	if next > 0 {
		w.part = part
	}
	return w, end
}

// nthInYear reads the year of "the first Friday of 2019".
func (p *parser) nthInYear(n int, d time.Weekday, i int) (when, int) {
	if !p.is(i, "of", "in") {
		return when{}, 0
	}
	year, end := p.container(i+1, calendar.Month)
	if end == 0 || year.End.Sub(year.Start) < 300*24*time.Hour {
		return when{}, 0
	}
	if n < 0 {
		return dayWhen(onWeekday(year.End.AddDate(0, 0, -7), d)), end
	}
	return dayWhen(onWeekday(year.Start, d).AddDate(0, 0, 7*(n-1))), end
}

// nth reads an ordinal, or "last" as -1.
func (p *parser) nth(i int) (int, int) {
	if p.is(i, "last", "final") {
		return -1, i + 1
	}
	return p.ordinal(i)
}

// ofMonth reads "of next month", "in May 2019", "this month" and returns the start of the month.
func (p *parser) ofMonth(i int) (time.Time, int) {
	k := p.skip(i, "of", "in")
	if end := p.phrase(k, "the month"); end > 0 && k > i {
		return calendar.StartOf(p.ref, calendar.Month), end
	}
	w, end := p.settled(longest(k, p.shiftedUnit, p.monthYear, p.monthAfterOf))
	if w.gran != calendar.Month {
		return time.Time{}, 0
	}
	return w.placed.Start, end
}

// monthAfterOf reads a month after "of" or "in", so that any month name is unambiguous.
func (p *parser) monthAfterOf(i int) (when, int) {
	m, end := p.monthName(i)
	_, weekday := weekdays[p.word(i-1)]
	if counted := (weekday || p.is(i-1, "week")) && !ambiguousMonths[p.word(i)]; end == 0 || !p.is(i-1, "of", "in") && !counted {
		return when{}, 0
	}
	return partsWhen(parts{month: m}), end
}

func nthInMonth(month time.Time, n int, d time.Weekday) (time.Time, bool) {
	t := onWeekday(month, d).AddDate(0, 0, 7*(n-1))
	if n < 0 {
		t = onWeekday(month.AddDate(0, 1, -7), d)
	}
	return t, t.Month() == month.Month()
}

// shiftWeekday places "this Friday" in the current week, "next Friday" in the next week, and "last Friday" on
// the last Friday before the reference day.
func (p *parser) shiftWeekday(d time.Weekday, n int) when {
	today := midnight(p.ref)
	if n < 0 {
		return dayWhen(onWeekday(today.AddDate(0, 0, -7), d))
	}
	return dayWhen(onWeekday(calendar.StartOf(p.ref, calendar.Week).AddDate(0, 0, 7*n), d))
}
