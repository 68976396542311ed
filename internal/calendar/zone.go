package calendar

import (
	"fmt"
	"time"
)

// Unzoned marks a time that was written without a zone. Until somebody knows the
// zone that is meant, it is read as UTC.
var Unzoned = time.FixedZone("UTC", 0)

// InZone is the moment at which the clocks of a zone show what was written
// without one; another time is as it is. Where clocks are put back and show it
// twice, the first is meant; where they are put forward and never show it, the
// moment that would have been it. The note says so.
func InZone(t time.Time, zone *time.Location) (at time.Time, note string) {
	if t.Location() != Unzoned {
		return t, ""
	}
	wall := t.UTC()
	_, before := wall.Add(-24 * time.Hour).In(zone).Zone()
	_, after := wall.Add(24 * time.Hour).In(zone).Zone()
	first, second := wall.Add(-time.Duration(before)*time.Second), wall.Add(-time.Duration(after)*time.Second)
	switch shows := func(at time.Time) bool { return Wall(at.In(zone)).Equal(wall) }; {
	case !shows(first) && !shows(second):
		return first, fmt.Sprintf("the clocks of %s never show %s; %s is meant", zone, wall.Format(time.DateTime), first.In(zone).Format(time.RFC3339))
	case shows(first) && shows(second) && !first.Equal(second):
		return first, fmt.Sprintf("the clocks of %s show %s twice; the first is meant, %s", zone, wall.Format(time.DateTime), first.In(zone).Format(time.RFC3339))
	case shows(first):
		return first, ""
	default:
		return second, ""
	}
}

// Wall is what the clocks show at a time, as a time of UTC.
func Wall(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}
