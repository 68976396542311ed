package construct

import (
	"strconv"
	"time"
)

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
