package dates

import (
	"time"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/temporal"
)

// Kind is the kind of a time expression, so that callers can skip those that name no date.
type Kind uint8

// The kinds of expressions. Only Dated ones have a place on the timeline.
const (
	// Dated is a date, a moment or a range of dates: "last Friday", "since 2016".
	Dated Kind = iota
	// Clock is a time of day without a date: "at 8pm". Its interval lies on the reference day.
	Clock
	// Duration is a length of time: "for two weeks". Its interval is unbounded.
	Duration
	// Recurring is a repeating time: "every Monday". Its interval is unbounded.
	Recurring
)

var kindNames = [...]string{"dated", "clock", "duration", "recurring"}

// String returns the English name, such as "recurring".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Expression is one time expression found in a text.
type Expression struct {
	// Start and End are byte offsets: text[Start:End] == Text.
	Start, End int
	Text       string
	// Interval is the time that the expression means, half-open, in the location of the reference
	// time. It is unbounded on a side that the expression leaves open ("since 2016").
	Interval temporal.Interval
	// Granularity is the unit of the expression: Year for "since 2016", Day for "from May 3 to May
	// 9", Month for "early March".
	Granularity calendar.Granularity
	Kind        Kind
	// counted is the unit of a counted distance that is placed on a day: "two years ago".
	counted calendar.Granularity
	last    edge // of "the end of the year"
}

// Preference decides how a date that fits both before and after the reference is read.
type Preference uint8

// The preferences. The zero value reads the past, as memories do.
const (
	Past Preference = iota
	Future
	// ByTense decides by the words around the date: "joined in July", "is joining in July".
	ByTense
	// Told reads what has happened: "at the end of the year" is the end of a past year.
	Told
)

// Reader finds time expressions. The zero value reads US month/day order and prefers the past.
// A Reader is a plain value and safe for concurrent use.
type Reader struct {
	// Prefer resolves ambiguous dates: "on Friday", "May 5".
	Prefer Preference
	// DayFirst reads 3/4/2021 as 3 April instead of March 4.
	DayFirst bool
}

// MaxText is the number of bytes of a text that are read; the rest is ignored.
const MaxText = 1 << 18

// Find reads text with the default [Reader].
func Find(text string, ref time.Time) []Expression { return Reader{}.Find(text, ref) }

var precisions = map[calendar.Granularity]temporal.Precision{
	calendar.Second: temporal.ToInstant, calendar.Minute: temporal.ToInstant, calendar.Hour: temporal.ToInstant,
	calendar.PartOfDay: temporal.ToTheDay, calendar.Day: temporal.ToTheDay,
	calendar.Weekend: temporal.ToTheWeek, calendar.Week: temporal.ToTheWeek, calendar.Month: temporal.ToTheMonth,
	calendar.Quarter: temporal.ToTheSeason, calendar.Season: temporal.ToTheSeason, calendar.Year: temporal.ToTheYear,
	calendar.Decade: temporal.ToTheDecade, calendar.Century: temporal.ToTheDecade,
}

// Precision returns how exactly an expression of a granularity states a beginning or an end: a part
// of a day to the day, a weekend to the week, a century to the decade.
func Precision(g calendar.Granularity) temporal.Precision { return precisions[g] }

// StatedAs returns the validity of what a text dates by an expression: from its first moment to its
// last, with its precision. "two years ago" states a year, "the end of the year" its last days.
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

// NotBefore returns the validity of something announced at a time: it begins no earlier, so that
// "is leaving this month" ends nothing on the days before. A single day is kept whole.
func NotBefore(v temporal.Validity, said time.Time) temporal.Validity {
	exact := v.From.Precision == temporal.ToInstant || v.From.Precision == temporal.ToTheDay
	if v.From.Basis == temporal.Stated && !exact && v.Start.Before(said) && (v.End.IsZero() || v.End.After(said)) {
		v.Start = said
	}
	return v
}

// PlannedIf returns the validity of something said at a time: a beginning after that time is
// planned. So is the beginning of something announced for a period that had begun: "is leaving this
// month".
func PlannedIf(v temporal.Validity, said time.Time, announced bool) temporal.Validity {
	if v.From.Basis == temporal.Stated && !said.IsZero() && (v.Start.After(said) || announced && v.Start.Equal(said)) {
		v.From.Basis = temporal.Planned
	}
	return v
}
