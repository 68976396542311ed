package datetime

import (
	"strconv"
	"strings"
	"time"

	"github.com/annalsdb/annals/temporal"
)

// gold is a result of the set in its past reading.
type gold struct {
	typ, timex string
	start      time.Time
	end        time.Time // zero where the result has none
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

// units derives the granularities that are right:
//
//   - a date is a day, a datetime a time;
//   - a datetimerange is a part of the day where the timex names one (TMO) or no clock time,
//     else a time;
//   - a daterange with a timex of one calendar unit (2016, 2016-05, 2016-W45, 2016-W45-WE) is
//     that unit; a week named by one of its days is a week by its length;
//   - any other daterange has a timex (start, end, duration), and its unit is the finest of the
//     duration: P18D days, P5M months. Whole quarters, years, decades and centuries that lie
//     on their boundaries may also be called so.
func (g gold) units() []temporal.Granularity {
	switch g.typ {
	case "date":
		return []temporal.Granularity{temporal.Day}
	case "datetime":
		return []temporal.Granularity{clockUnit}
	case "datetimerange":
		return []temporal.Granularity{g.clockOrPart()}
	}
	if _, duration, ok := strings.Cut(g.timex, ",P"); ok {
		return g.durationUnits(strings.TrimSuffix(duration, ")"))
	}
	return []temporal.Granularity{g.calendarUnit()}
}

func (g gold) clockOrPart() temporal.Granularity {
	_, clock, ok := strings.Cut(g.timex, "T")
	if !ok || clock == "" || clock[0] >= 'A' && clock[0] <= 'Z' {
		return temporal.PartOfDay
	}
	return clockUnit
}

func (g gold) calendarUnit() temporal.Granularity {
	switch parts := strings.Split(g.timex, "-"); {
	case strings.HasSuffix(g.timex, "-WE"):
		return temporal.Weekend
	case strings.HasPrefix(parts[len(parts)-1], "W"):
		return temporal.Week
	case g.timex == "PRESENT_REF":
		return temporal.Day
	case len(parts) == 1:
		return temporal.Year
	case len(parts) == 2:
		return temporal.Month
	case g.end.Equal(g.start.AddDate(0, 0, 7)):
		return temporal.Week
	default:
		return temporal.Day
	}
}

// durationUnits reads an ISO 8601 duration without its P, such as 18D, 5M or 10Y.
func (g gold) durationUnits(d string) []temporal.Granularity {
	n, _ := strconv.Atoi(strings.TrimRight(d, "YMWDB"))
	switch d[len(d)-1] {
	case 'Y':
		return g.yearUnits(n)
	case 'M':
		units := []temporal.Granularity{temporal.Month}
		if n%3 == 0 && n > 0 && g.start.Month()%3 == 1 {
			units = append(units, temporal.Quarter)
		}
		if n%12 == 0 && n > 0 && g.start.Month() == 1 {
			units = append(units, temporal.Year)
		}
		return units
	case 'W':
		return []temporal.Granularity{temporal.Week}
	default:
		return []temporal.Granularity{temporal.Day}
	}
}

func (g gold) yearUnits(n int) []temporal.Granularity {
	units := []temporal.Granularity{temporal.Year}
	for _, block := range []struct {
		years int
		unit  temporal.Granularity
	}{{10, temporal.Decade}, {100, temporal.Century}} {
		if n > 0 && n%block.years == 0 && g.start.Year()%block.years == 0 && g.start.YearDay() == 1 {
			units = append(units, block.unit)
		}
	}
	return units
}

// clockUnit stands for hours, minutes and seconds alike.
const clockUnit = temporal.Hour

// folded maps a granularity onto those that the set tells apart.
func folded(g temporal.Granularity) temporal.Granularity {
	if g == temporal.Second || g == temporal.Minute {
		return clockUnit
	}
	return g
}
