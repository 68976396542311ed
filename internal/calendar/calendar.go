package calendar

import (
	"fmt"
	"time"
)

// StartOf returns the start of the calendar unit g that contains t. Weeks start on Monday.
func StartOf(t time.Time, g Granularity) time.Time {
	y, m, d := t.Date()
	switch g {
	case Second:
		return t.Truncate(time.Second)
	case Minute:
		return time.Date(y, m, d, t.Hour(), t.Minute(), 0, 0, t.Location())
	case Hour:
		return time.Date(y, m, d, t.Hour(), 0, 0, 0, t.Location())
	case Week:
		d -= (int(t.Weekday()) + 6) % 7
	case Weekend:
		d += 5 - (int(t.Weekday())+6)%7
	case Month:
		d = 1
	case Quarter:
		m, d = m-(m-1)%3, 1
	case Season:
		m, d = m-m%3, 1 // December belongs to the next year's winter: months 0 to 2
	case Year:
		m, d = 1, 1
	case Decade:
		y, m, d = y-y%10, 1, 1
	case Century:
		y, m, d = y-y%100, 1, 1
	}
	return time.Date(y, m, d, 0, 0, 0, 0, t.Location())
}

// lengths holds the length of each unit, in months, in days or as a duration.
var lengths = [...]struct {
	months, days int
	clock        time.Duration
}{
	Second: {clock: time.Second}, Minute: {clock: time.Minute}, Hour: {clock: time.Hour},
	PartOfDay: {days: 1}, Day: {days: 1}, Weekend: {days: 7}, Week: {days: 7},
	Month: {months: 1}, Quarter: {months: 3}, Season: {months: 3}, Year: {months: 12}, Decade: {months: 120}, Century: {months: 1200},
}

// Length returns the length of a unit in months, in days or as a duration; the other two
// are zero.
func (g Granularity) Length() (months, days int, clock time.Duration) {
	l := lengths[g]
	return l.months, l.days, l.clock
}

// Step moves t by n units. Days of the month clamp: one month before 31 March is the end of
// February.
func Step(t time.Time, g Granularity, n int) time.Time {
	switch l := lengths[g]; {
	case l.months > 0:
		return AddMonths(t, n*l.months)
	case l.days > 0:
		return t.AddDate(0, 0, n*l.days)
	default:
		return t.Add(time.Duration(n) * l.clock)
	}
}

// AddMonths moves t by n months, at most to the last day of the resulting month.
func AddMonths(t time.Time, n int) time.Time {
	first := time.Date(t.Year(), t.Month()+time.Month(n), 1,
		t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), t.Location())
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(t.Day(), last)-1)
}

// Around returns the calendar unit g that contains t, as start and exclusive end.
func Around(t time.Time, g Granularity) (start, end time.Time) {
	start = StartOf(t, g)
	if g == Weekend {
		return start, start.AddDate(0, 0, 2)
	}
	return start, Step(start, g, 1)
}

// QuarterName returns the quarter that contains t: "the first quarter of 2024".
func QuarterName(t time.Time) string {
	return fmt.Sprintf("the %s quarter of %d", [...]string{"first", "second", "third", "fourth"}[(t.Month()-1)/3], t.Year())
}
