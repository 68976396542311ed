package dates

import (
	"time"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/temporal"
)

var precisions = map[calendar.Granularity]temporal.Precision{
	calendar.Second: temporal.ToInstant, calendar.Minute: temporal.ToInstant, calendar.Hour: temporal.ToInstant,
	calendar.PartOfDay: temporal.ToTheDay, calendar.Day: temporal.ToTheDay,
	calendar.Weekend: temporal.ToTheWeek, calendar.Week: temporal.ToTheWeek, calendar.Month: temporal.ToTheMonth,
	calendar.Quarter: temporal.ToTheSeason, calendar.Season: temporal.ToTheSeason, calendar.Year: temporal.ToTheYear,
	calendar.Decade: temporal.ToTheDecade, calendar.Century: temporal.ToTheDecade,
}

// Precision returns how exactly an expression of a granularity says when something begins or
// ends. A part of a day says the day, a weekend the week, a century no more than the decade.
func Precision(g calendar.Granularity) temporal.Precision { return precisions[g] }

// StatedAs is the validity of what a text dates by an expression: from its first moment to its
// last, as exactly as it speaks: "two years ago" says a year, and "the end of the year" says its
// last days.
func (e Expression) StatedAs() temporal.Validity {
	v := temporal.Validity{Interval: e.Interval}
	g := max(e.Granularity, e.counted)
	known := temporal.Bound{Basis: temporal.Stated, Precision: Precision(g)}
	if !v.Start.IsZero() {
		v.From = known
		if e.counted != calendar.Unknown {
			v.Start = calendar.StartOf(v.Start, e.counted)
		}
	}
	if !v.End.IsZero() {
		v.Until = known
		if e.counted != calendar.Unknown {
			v.End = whole(v.End.Add(-time.Second), e.counted).End
		}
	}
	if e.last.gran == calendar.Unknown || v.Start.IsZero() {
		return v
	}
	v.Start, v.From.Precision = e.last.start, Precision(e.last.gran)
	if !v.End.IsZero() && g > e.last.gran {
		v.Until.Precision = v.From.Precision
	}
	return v
}

// NotBefore is the stretch of what was announced at a time: it begins no earlier than that, so
// that "is leaving this month" ends nothing in the days before. A single day stays whole.
func NotBefore(v temporal.Validity, said time.Time) temporal.Validity {
	exact := v.From.Precision == temporal.ToInstant || v.From.Precision == temporal.ToTheDay
	if v.From.Basis == temporal.Stated && !exact && v.Start.Before(said) && (v.End.IsZero() || v.End.After(said)) {
		v.Start = said
	}
	return v
}

// PlannedIf is the stretch of what was told at a time: what begins after that is planned.
// So is what was announced for a stretch that had begun: "is leaving this month".
func PlannedIf(v temporal.Validity, said time.Time, announced bool) temporal.Validity {
	if v.From.Basis == temporal.Stated && !said.IsZero() && (v.Start.After(said) || announced && v.Start.Equal(said)) {
		v.From.Basis = temporal.Planned
	}
	return v
}
