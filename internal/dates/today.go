package dates

import (
	"time"

	"github.com/annalsdb/annals/internal/calendar"
)

// OfToday widens an hour that is still to come on the day of ref to the whole day. If only the day
// of writing is known, as its midnight, then something that happened "this morning" is dated so.
func OfToday(e Expression, ref time.Time) Expression {
	start := calendar.StartOf(ref, calendar.Day)
	end := calendar.Step(start, calendar.Day, 1)
	if e.Granularity < calendar.Day && e.Interval.Start.After(ref) && e.Interval.Start.Before(end) {
		e.Interval.Start, e.Interval.End, e.Granularity = start, end, calendar.Day
	}
	return e
}
