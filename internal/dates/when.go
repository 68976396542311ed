package dates

import (
	"time"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/temporal"
)

// when is the meaning of a date expression before it is placed. It is an interval that is placed
// already, or calendar parts. Missing parts come from a neighbour ("4 to 22 January") or from the
// preferred side of the reference.
type when struct {
	parts  parts
	placed temporal.Interval
	fixed  bool
	gran   calendar.Granularity
	kind   Kind
	// part is a part of the day that the words of the date name: "tonight".
	part *partOfDay
	// counted is the unit, coarser than a day, of a counted distance: "two years ago".
	counted calendar.Granularity
	// last holds the last days of a period, if the words name its end.
	last edge
}

// parts are the calendar parts that a text names. Zero means not named.
type parts struct {
	year       int
	month      time.Month
	day        int
	weekday    time.Weekday
	hasWeekday bool
}

// fixedWhen returns a when that is placed already.
func fixedWhen(i temporal.Interval, g calendar.Granularity) when {
	return when{placed: i, fixed: true, gran: g}
}

// unitWhen returns the calendar unit of t.
func unitWhen(t time.Time, g calendar.Granularity) when { return fixedWhen(whole(t, g), g) }

// dayWhen returns the day of t.
func dayWhen(t time.Time) when { return unitWhen(t, calendar.Day) }

// partsWhen returns a when of calendar parts.
func partsWhen(c parts) when {
	w := when{parts: c}
	switch {
	case c.day != 0 || c.hasWeekday:
		w.gran = calendar.Day
	case c.month != 0:
		w.gran = calendar.Month
	default:
		w.gran = calendar.Year
	}
	return w
}

// place resolves the when against the reference.
func (p *parser) place(w when) (temporal.Interval, bool) {
	if w.fixed {
		return w.placed, true
	}
	t, ok := p.placeParts(w.parts)
	if !ok {
		return temporal.Interval{}, false
	}
	return whole(t, w.gran), true
}

func (p *parser) placeParts(c parts) (time.Time, bool) {
	switch {
	case c.year != 0:
		return p.civil(c.year, max(c.month, 1), max(c.day, 1))
	case c.month != 0 && c.day != 0:
		return p.nearest(8, func(n int) (time.Time, bool) { return p.civil(p.ref.Year()+n, c.month, c.day) }, calendar.Day)
	case c.month != 0:
		return p.nearest(1, func(n int) (time.Time, bool) { return p.civil(p.ref.Year()+n, c.month, 1) }, calendar.Month)
	case c.day != 0:
		return p.dayOfSomeMonth(c)
	case c.hasWeekday:
		return p.nearestWeekday(c.weekday), true
	default:
		return time.Time{}, false
	}
}

// civil returns midnight of a day, if the calendar has that day.
func (p *parser) civil(y int, m time.Month, d int) (time.Time, bool) {
	if !validDate(y, m, d) {
		return time.Time{}, false
	}
	return time.Date(y, m, d, 0, 0, 0, 0, p.ref.Location()), true
}

// nearest returns the candidate closest to the reference on the preferred side. candidate(0) is in
// the reference's own cycle. A month that is still running is not past.
func (p *parser) nearest(reach int, candidate func(n int) (time.Time, bool), g calendar.Granularity) (time.Time, bool) {
	now := calendar.StartOf(p.ref, g)
	for n := range reach + 1 {
		if p.Prefer == Future {
			if t, ok := candidate(n); ok && !t.Before(now) {
				return t, true
			}
			continue
		}
		if t, ok := candidate(-n); ok && (t.Before(now) || g == calendar.Day && t.Equal(now)) {
			return t, true
		}
	}
	return time.Time{}, false
}

// dayOfSomeMonth places "the 21st" and "Friday the 14th". With a weekday it tries the current month
// first, on either side of the reference.
func (p *parser) dayOfSomeMonth(c parts) (time.Time, bool) {
	first := calendar.StartOf(p.ref, calendar.Month)
	candidate := func(n int) (time.Time, bool) {
		m := first.AddDate(0, n, 0)
		t, ok := p.civil(m.Year(), m.Month(), c.day)
		return t, ok && (!c.hasWeekday || t.Weekday() == c.weekday)
	}
	if t, ok := candidate(0); ok && c.hasWeekday {
		return t, true
	}
	return p.nearest(48, candidate, calendar.Day)
}

// nearestWeekday returns the closest such weekday other than the reference's own day.
func (p *parser) nearestWeekday(w time.Weekday) time.Time {
	today := midnight(p.ref)
	if p.Prefer == Future {
		return onWeekday(today.AddDate(0, 0, 1), w)
	}
	return onWeekday(today.AddDate(0, 0, -7), w)
}

// midnight returns the start of t's day in t's location.
func midnight(t time.Time) time.Time { return calendar.StartOf(t, calendar.Day) }

// whole returns the calendar unit g of t.
func whole(t time.Time, g calendar.Granularity) temporal.Interval {
	return spanning(calendar.Around(t, g))
}

// spanning returns the interval from one time to another.
func spanning(start, end time.Time) temporal.Interval {
	return temporal.Interval{Start: start, End: end}
}

// validDate reports whether the calendar has the day.
func validDate(y int, m time.Month, d int) bool {
	if m < 1 || m > 12 || d < 1 || d > 31 {
		return false
	}
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Day() == d
}

// isoWeek returns the Monday of week n of the year, as ISO 8601 counts: week 1 has the year's first
// Thursday.
func isoWeek(y, n int, loc *time.Location) time.Time {
	return calendar.StartOf(time.Date(y, 1, 4, 0, 0, 0, 0, loc), calendar.Week).AddDate(0, 0, 7*(n-1))
}

// weekWithin returns week n of an interval, the week of the interval's nth Thursday; n = -1 is the
// last.
func weekWithin(i temporal.Interval, n int) time.Time {
	if n < 0 {
		return calendar.StartOf(i.End.AddDate(0, 0, -4), calendar.Week)
	}
	return calendar.StartOf(i.Start.AddDate(0, 0, 3), calendar.Week).AddDate(0, 0, 7*(n-1))
}

// onWeekday returns the first such weekday at or after t.
func onWeekday(t time.Time, w time.Weekday) time.Time {
	return t.AddDate(0, 0, (int(w-t.Weekday())+7)%7)
}
