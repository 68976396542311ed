package temporal

import (
	"time"

	"github.com/annalsdb/annals/internal/calendar"
)

// Basis says how one end of a range is known.
type Basis string

// The bases. The zero value is the basis of an open end.
const (
	// NotKnown is the basis of an open end: nobody said since when, or until when.
	NotKnown Basis = ""
	// Stated ends are given in the text: "since May", "until Friday".
	Stated Basis = "stated"
	// Said ends are the time of the words: the state held, or was over, at that moment. Its real start or
	// end is unknown.
	Said Basis = "said"
	// Planned starts are given in a text that was written before them. A later message that confirms them
	// makes them Stated.
	Planned Basis = "planned"
	// Inferred ends come from another claim that cannot hold at the same time.
	Inferred Basis = "inferred"
)

// Precision says how exactly one end of a range is known.
type Precision string

// The precisions, finest first. The zero value belongs to an open end.
const (
	Unmeasured  Precision = ""
	ToInstant   Precision = "instant"
	ToTheDay    Precision = "day"
	ToTheWeek   Precision = "week"
	ToTheMonth  Precision = "month"
	ToTheSeason Precision = "season" // a quarter, too
	ToTheYear   Precision = "year"
	ToTheDecade Precision = "decade" // or longer
)

// precisionUnits are the units of the precisions.
var precisionUnits = map[Precision]calendar.Granularity{
	ToInstant: calendar.Second, ToTheDay: calendar.Day, ToTheWeek: calendar.Week, ToTheMonth: calendar.Month,
	ToTheSeason: calendar.Season, ToTheYear: calendar.Year, ToTheDecade: calendar.Decade,
}

// Bound says how one end of a [Validity] is known.
type Bound struct {
	Basis     Basis     `json:"basis"`
	Precision Precision `json:"precision"`
}

// Dated reports whether a text gives the time: it states or announces it.
func (b Bound) Dated() bool { return b.Basis == Stated || b.Basis == Planned }

// Unit returns the second, day, month or other unit in which a start of this precision lies.
func (b Bound) Unit(start time.Time) Interval {
	unit, known := precisionUnits[b.Precision]
	if !known {
		return Interval{Start: start}
	}
	if unit == calendar.Season && start.Month()%3 == 1 { // a quarter: no season begins in this month
		unit = calendar.Quarter
	}
	from, end := calendar.Around(start, unit)
	return Interval{Start: from, End: end}
}

// Validity is the range in which something holds or happened, with how each end is known. An open end has a
// zero bound. The end of a range known to the month is the end of that month.
type Validity struct {
	Interval
	From  Bound // how Start is known
	Until Bound // how End is known
}

// Equal reports whether both ranges are the same and known in the same way.
func (v Validity) Equal(o Validity) bool {
	return v.Interval.Equal(o.Interval) && v.From == o.From && v.Until == o.Until
}

// StatedAt returns the bound of an end that a program or a person gives as a time. The zero time gives the
// zero bound.
func StatedAt(t time.Time) Bound {
	if t.IsZero() {
		return Bound{}
	}
	return Bound{Stated, ToInstant}
}

// SaidSince returns the validity of a state that is only said to hold at a time.
func SaidSince(at time.Time) Validity {
	return Validity{Interval: Interval{Start: at}, From: Bound{Said, ToInstant}}
}

// OverBy returns the validity of a state that is only said to be over at a time.
func OverBy(at time.Time) Validity {
	return Validity{Interval: Interval{End: at}, Until: Bound{Said, ToInstant}}
}
