package datetime

import (
	"strconv"
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/calendar"
)

// gold is a result of the set in its past reading.
type gold struct {
	typ, timex string
	start      time.Time
	end        time.Time // zero if the result has none
}

func newGold(typ, timex, start, end string, loc *time.Location) (gold, bool) {
	g := gold{typ: typ, timex: timex}
	var ok bool
	if g.start, ok = parseTime(start, loc); !ok {
		return gold{}, false
	}
	g.end, _ = parseTime(end, loc)
	return g, true
}

// units returns the granularities that count as right:
//
//   - a date is a day, a datetime a time;
//   - a datetimerange is a part of the day if the timex names one (TMO) or has no clock time,
//     else a time;
//   - a daterange with a timex of one calendar unit (2016, 2016-05, 2016-W45, 2016-W45-WE) is
//     that unit; a week named by one of its days is recognised by its length;
//   - any other daterange has a timex (start, end, duration), and its unit is the finest of the
//     duration: days for P18D, months for P5M. Whole quarters, years, decades and centuries on
//     their boundaries also count as such.
func (g gold) units() []calendar.Granularity {
	switch g.typ {
	case "date":
		return []calendar.Granularity{calendar.Day}
	case "datetime":
		return []calendar.Granularity{clockUnit}
	case "datetimerange":
		return []calendar.Granularity{g.clockOrPart()}
	}
	if _, duration, ok := strings.Cut(g.timex, ",P"); ok {
		return g.durationUnits(strings.TrimSuffix(duration, ")"))
	}
	return []calendar.Granularity{g.calendarUnit()}
}

func (g gold) clockOrPart() calendar.Granularity {
	_, clock, ok := strings.Cut(g.timex, "T")
	if !ok || clock == "" || clock[0] >= 'A' && clock[0] <= 'Z' {
		return calendar.PartOfDay
	}
	return clockUnit
}

func (g gold) calendarUnit() calendar.Granularity {
	switch parts := strings.Split(g.timex, "-"); {
	case strings.HasSuffix(g.timex, "-WE"):
		return calendar.Weekend
	case strings.HasPrefix(parts[len(parts)-1], "W"):
		return calendar.Week
	case g.timex == "PRESENT_REF":
		return calendar.Day
	case len(parts) == 1:
		return calendar.Year
	case len(parts) == 2:
		return calendar.Month
	case g.end.Equal(g.start.AddDate(0, 0, 7)):
		return calendar.Week
	default:
		return calendar.Day
	}
}

// durationUnits reads an ISO 8601 duration without its P, such as 18D, 5M or 10Y.
func (g gold) durationUnits(d string) []calendar.Granularity {
	n, _ := strconv.Atoi(strings.TrimRight(d, "YMWDB"))
	switch d[len(d)-1] {
	case 'Y':
		return g.yearUnits(n)
	case 'M':
		units := []calendar.Granularity{calendar.Month}
		if n%3 == 0 && n > 0 && g.start.Month()%3 == 1 {
			units = append(units, calendar.Quarter)
		}
		if n%12 == 0 && n > 0 && g.start.Month() == 1 {
			units = append(units, calendar.Year)
		}
		return units
	case 'W':
		return []calendar.Granularity{calendar.Week}
	default:
		return []calendar.Granularity{calendar.Day}
	}
}

func (g gold) yearUnits(n int) []calendar.Granularity {
	units := []calendar.Granularity{calendar.Year}
	for _, block := range []struct {
		years int
		unit  calendar.Granularity
	}{{10, calendar.Decade}, {100, calendar.Century}} {
		if n > 0 && n%block.years == 0 && g.start.Year()%block.years == 0 && g.start.YearDay() == 1 {
			units = append(units, block.unit)
		}
	}
	return units
}

// clockUnit stands for hours, minutes and seconds.
const clockUnit = calendar.Hour

// folded maps a granularity to one that the set distinguishes.
func folded(g calendar.Granularity) calendar.Granularity {
	if g == calendar.Second || g == calendar.Minute {
		return clockUnit
	}
	return g
}
