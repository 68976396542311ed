package retrieval

import (
	"strconv"
	"time"

	"github.com/annalsdb/annals/temporal"
)

// dateRange is a stretch of time as 2024-03-08 – present. An end does not
// belong to it.
func dateRange(i temporal.Interval) string {
	from, to := "unknown", "present"
	if !i.Start.IsZero() {
		from = day(i.Start)
	}
	if !i.End.IsZero() {
		to = day(i.End)
	}
	return from + " – " + to
}

// rangeInWords is a stretch of time as a sentence says it. It names days even
// where a month or a year may be meant: a time does not tell how exactly it is
// known, and 1 January may be a year or a day.
func rangeInWords(i temporal.Interval) string {
	switch {
	case i.Start.IsZero() && i.End.IsZero():
		return "since an unknown date"
	case i.Start.IsZero():
		return "until " + dayInWords(i.End)
	case i.End.IsZero():
		return "since " + dayInWords(i.Start)
	}
	return "from " + dayInWords(i.Start) + " until " + dayInWords(i.End)
}

// day is a time in UTC, without the clock time where it is midnight; empty if
// it is zero.
func day(t time.Time) string { return onDay(t, t.UTC().Format(time.DateOnly), " 15:04") }

// dayInWords is day with the month's name.
func dayInWords(t time.Time) string {
	return onDay(t, t.UTC().Format("2 January ")+strconv.Itoa(t.UTC().Year()), ", 15:04")
}

func onDay(t time.Time, day, clock string) string {
	t = t.UTC()
	switch {
	case t.IsZero():
		return ""
	case t.Equal(t.Truncate(24 * time.Hour)):
		return day
	}
	return day + t.Format(clock)
}
