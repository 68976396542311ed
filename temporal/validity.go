package temporal

import (
	"time"

	"github.com/annalsdb/annals/internal/calendar"
)

// Basis says how one end of a stretch of time is known.
type Basis string

// The bases. The zero value is the basis of an end that nobody told.
const (
	// NotKnown is the basis of an end that is open: nobody said since when, or until when.
	NotKnown Basis = ""
	// Stated ends stand in the text: "since May", "until Friday".
	Stated Basis = "stated"
	// Said ends are when the words were said: it held, or was over, at that moment, since when is not told.
	Said Basis = "said"
	// Planned beginnings stand in a text that was written before them. A later message
	// that confirms them makes them Stated.
	Planned Basis = "planned"
	// Inferred ends come from another claim that cannot hold at the same time.
	Inferred Basis = "inferred"
)

// Precision says how exactly one end of a stretch of time is known.
type Precision string

// The precisions, finest first. The zero value is that of an open end.
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

// precisionUnits are what each precision tells a time to. Finer ones are smaller.
var precisionUnits = map[Precision]calendar.Granularity{
	ToInstant: calendar.Second, ToTheDay: calendar.Day, ToTheWeek: calendar.Week, ToTheMonth: calendar.Month,
	ToTheSeason: calendar.Season, ToTheYear: calendar.Year, ToTheDecade: calendar.Decade,
}

// Bound says how one end of a [Validity] is known.
type Bound struct {
	Basis     Basis     `json:"basis"`
	Precision Precision `json:"precision"`
}

// Dated reports whether a text says when: it states it, or announces it.
func (b Bound) Dated() bool { return b.Basis == Stated || b.Basis == Planned }

// Unit returns the second, day, month, year … that a start of this precision lies in.
func (b Bound) Unit(start time.Time) Interval {
	unit, known := precisionUnits[b.Precision]
	if !known {
		return Interval{Start: start}
	}
	if unit == calendar.Season && start.Month()%3 == 1 { // no season begins then
		unit = calendar.Quarter
	}
	from, end := calendar.Around(start, unit)
	return Interval{Start: from, End: end}
}

// Validity is the stretch of time in which something holds, or in which it
// happened, and how each end of it is known. An open end has no bound. The end
// of a stretch known to the month is the end of that month.
type Validity struct {
	Interval
	From  Bound // how Start is known
	Until Bound // how End is known
}

// Equal reports whether both stretches are the same and known in the same way.
func (v Validity) Equal(o Validity) bool {
	return v.Interval.Equal(o.Interval) && v.From == o.From && v.Until == o.Until
}

// StatedAt is how an end is known that is given as a time, by a program or a
// person. The zero time is not known.
func StatedAt(t time.Time) Bound {
	if t.IsZero() {
		return Bound{}
	}
	return Bound{Stated, ToInstant}
}

// SaidSince is the validity of what is only said to hold at a time.
func SaidSince(at time.Time) Validity {
	return Validity{Interval: Interval{Start: at}, From: Bound{Said, ToInstant}}
}

// OverBy is the validity of what is only said to be over at a time.
func OverBy(at time.Time) Validity {
	return Validity{Interval: Interval{End: at}, Until: Bound{Said, ToInstant}}
}
