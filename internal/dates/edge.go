package dates

import (
	"time"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/temporal"
)

// edge is where the last days of a period begin, and how exactly such words speak.
type edge struct {
	start time.Time
	gran  calendar.Granularity
}

// lastDays are those that "the end of" a period means: of a week from Friday on, of a month, a
// quarter or a year the last seven days, of a season its last month, of a decade its last year.
// Nobody who says so tells the day: the end of a year is known to the month.
func lastDays(of temporal.Interval, g calendar.Granularity) edge {
	switch g {
	case calendar.Weekend:
		return edge{}
	case calendar.Week:
		return edge{of.End.AddDate(0, 0, -3), calendar.Week}
	case calendar.Month, calendar.Quarter, calendar.Year:
		return edge{of.End.AddDate(0, 0, -7), calendar.Month}
	case calendar.Season:
		return edge{calendar.AddMonths(of.End, -1), calendar.Month}
	case calendar.Decade:
		return edge{calendar.AddMonths(of.End, -12), calendar.Year}
	case calendar.Century:
		return edge{calendar.AddMonths(of.End, -120), calendar.Decade}
	}
	return edge{}
}
