package temporal

import "time"

// midnight is the start of t's day in t's location.
func midnight(t time.Time) time.Time { return startOf(t, Day) }

// startOf is the start of the calendar unit g that t lies in. Weeks start on Monday.
func startOf(t time.Time, g Granularity) time.Time {
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
		m, d = m-m%3, 1 // December belongs to the next year's winter, months 0 to 2 of it
	case Year:
		m, d = 1, 1
	case Decade:
		y, m, d = y-y%10, 1, 1
	case Century:
		y, m, d = y-y%100, 1, 1
	}
	return time.Date(y, m, d, 0, 0, 0, 0, t.Location())
}

// step moves t by n units. Months clamp: one month before 31 March is the end of February.
func step(t time.Time, g Granularity, n int) time.Time {
	switch g {
	case Second:
		return t.Add(time.Duration(n) * time.Second)
	case Minute:
		return t.Add(time.Duration(n) * time.Minute)
	case Hour:
		return t.Add(time.Duration(n) * time.Hour)
	case PartOfDay, Day:
		return t.AddDate(0, 0, n)
	case Week, Weekend:
		return t.AddDate(0, 0, 7*n)
	case Month:
		return addMonths(t, n)
	case Quarter, Season:
		return addMonths(t, 3*n)
	case Year:
		return addMonths(t, 12*n)
	case Decade:
		return addMonths(t, 120*n)
	case Century:
		return addMonths(t, 1200*n)
	default:
		return t
	}
}

func addMonths(t time.Time, n int) time.Time {
	first := time.Date(t.Year(), t.Month()+time.Month(n), 1,
		t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), t.Location())
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(t.Day(), last)-1)
}

// whole is the calendar unit g that t lies in.
func whole(t time.Time, g Granularity) Interval {
	start := startOf(t, g)
	if g == Weekend {
		return Interval{Start: start, End: start.AddDate(0, 0, 2)}
	}
	return Interval{Start: start, End: step(start, g, 1)}
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
	return startOf(time.Date(y, 1, 4, 0, 0, 0, 0, loc), Week).AddDate(0, 0, 7*(n-1))
}

// weekWithin is week n of the interval, which holds the interval's nth Thursday; n = -1 is the last.
func weekWithin(i Interval, n int) time.Time {
	if n < 0 {
		return startOf(i.End.AddDate(0, 0, -4), Week)
	}
	return startOf(i.Start.AddDate(0, 0, 3), Week).AddDate(0, 0, 7*(n-1))
}

// onWeekday is the first such weekday at or after t.
func onWeekday(t time.Time, w time.Weekday) time.Time {
	return t.AddDate(0, 0, (int(w-t.Weekday())+7)%7)
}
