package dates

import (
	"time"

	"github.com/annalsdb/annals/internal/calendar"
)

// OfToday widens an hour of the day of ref to the whole day, if ref is the beginning of that day:
// then only the day of writing is known, and something that happened "this morning" is dated so.
func OfToday(e Expression, ref time.Time) Expression {
	start := calendar.StartOf(ref, calendar.Day)
	end := calendar.Step(start, calendar.Day, 1)
	if !ref.Equal(start) || e.Granularity >= calendar.Day || !e.Interval.Start.After(start) || !e.Interval.Start.Before(end) {
		return e
	}
	e.Interval.Start, e.Granularity = start, calendar.Day
	if !e.Interval.End.IsZero() {
		e.Interval.End = end
	}
	return e
}
