package temporal

import (
	"time"
)

// Interval is a half-open range of time: Start belongs to it, End does not. A zero Start or End
// means unbounded on that side, so the zero Interval is all of time.
type Interval struct {
	Start time.Time
	End   time.Time
}

// Contains reports whether t lies within the interval.
func (i Interval) Contains(t time.Time) bool {
	return (i.Start.IsZero() || !t.Before(i.Start)) && (i.End.IsZero() || t.Before(i.End))
}

// Overlaps reports whether the two intervals share an instant.
func (i Interval) Overlaps(o Interval) bool {
	return (i.End.IsZero() || o.Start.IsZero() || o.Start.Before(i.End)) &&
		(o.End.IsZero() || i.Start.IsZero() || i.Start.Before(o.End))
}

// Empty reports whether the interval holds no instant: its end is not after its start.
func (i Interval) Empty() bool {
	return !i.Start.IsZero() && !i.End.IsZero() && !i.Start.Before(i.End)
}

// Ongoing reports whether the interval has no known end.
func (i Interval) Ongoing() bool { return i.End.IsZero() }

// Within reports whether every instant of i belongs to o.
func (i Interval) Within(o Interval) bool {
	return (o.Start.IsZero() || (!i.Start.IsZero() && !i.Start.Before(o.Start))) &&
		(o.End.IsZero() || (!i.End.IsZero() && !i.End.After(o.End)))
}

// Close returns the interval ended at end. It only narrows: an interval that ends earlier is
// returned unchanged. A zero end changes nothing.
func (i Interval) Close(end time.Time) Interval {
	if !end.IsZero() && (i.End.IsZero() || end.Before(i.End)) {
		i.End = end
	}
	return i
}

// Intersect returns the instants the two intervals share. The result is [Interval.Empty]
// where they share none.
func (i Interval) Intersect(o Interval) Interval {
	i = i.Close(o.End)
	if !o.Start.IsZero() && (i.Start.IsZero() || o.Start.After(i.Start)) {
		i.Start = o.Start
	}
	return i
}

// Equal reports whether both bounds are the same instants.
func (i Interval) Equal(o Interval) bool { return i.Start.Equal(o.Start) && i.End.Equal(o.End) }

// String writes the interval as [start, end). Midnights are written as dates, and an open bound as
// "…".
func (i Interval) String() string {
	open, start := "[", bound(i.Start)
	if i.Start.IsZero() {
		open = "("
	}
	return open + start + ", " + bound(i.End) + ")"
}

func bound(t time.Time) string {
	switch {
	case t.IsZero():
		return "…"
	case t.Equal(time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())):
		return t.Format(time.DateOnly)
	default:
		return t.Format(time.RFC3339)
	}
}
