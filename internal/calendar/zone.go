package calendar

import (
	"fmt"
	"time"
)

// Unzoned is the location of a time that was written without a zone. Until the
// intended zone is known, it is read as UTC.
var Unzoned = time.FixedZone("UTC", 0)

// InZone returns the moment at which the clocks of zone show a time with the
// location [Unzoned]. Any other time is returned unchanged. If clocks that are
// put back show it twice, it returns the first. If clocks that are put forward
// skip it, it applies the offset before the change. In both cases note says so.
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

// Wall returns the clock reading of a time as a time in UTC.
func Wall(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}
