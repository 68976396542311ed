package dates

import (
	"time"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/temporal"
)

// midnight is the start of t's day in t's location.
func midnight(t time.Time) time.Time { return calendar.StartOf(t, calendar.Day) }

// whole is the calendar unit g that t lies in.
func whole(t time.Time, g calendar.Granularity) temporal.Interval {
	return spanning(calendar.Around(t, g))
}

// spanning is the stretch from one time to another.
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

// isoWeek is the Monday of week n of the year, counted as ISO 8601 does: week 1 holds the
// year's first Thursday.
func isoWeek(y, n int, loc *time.Location) time.Time {
	return calendar.StartOf(time.Date(y, 1, 4, 0, 0, 0, 0, loc), calendar.Week).AddDate(0, 0, 7*(n-1))
}

// weekWithin is week n of the interval, which holds the interval's nth Thursday; n = -1 is the last.
func weekWithin(i temporal.Interval, n int) time.Time {
	if n < 0 {
		return calendar.StartOf(i.End.AddDate(0, 0, -4), calendar.Week)
	}
	return calendar.StartOf(i.Start.AddDate(0, 0, 3), calendar.Week).AddDate(0, 0, 7*(n-1))
}

// onWeekday is the first such weekday at or after t.
func onWeekday(t time.Time, w time.Weekday) time.Time {
	return t.AddDate(0, 0, (int(w-t.Weekday())+7)%7)
}
