package timeline

import (
	"slices"
	"time"

	"github.com/annalsdb/annals/temporal"
)

// Repeat returns when a known claim holds after it was told again. The new words date ends that
// were undated, and refine those that they tell more exactly.
//
//   - A stated start replaces a start that was only said or inferred. Of two stated starts
//     the more exact one counts, if it lies within the other.
//   - A state that was also said to hold at an earlier time held since then.
//   - A stated end ends a state that went on. Of two stated ends the more exact one counts.
//
// An event takes the range that is told more exactly. A planned start becomes stated once one of
// the two claims was told after it, and not as a plan.
func Repeat(known, again Claim) temporal.Validity {
	v := repeated(known, again)
	if v.From.Basis == temporal.Planned && (known.confirms(v) || again.confirms(v)) {
		v.From.Basis = temporal.Stated
	}
	return v
}

// confirms reports whether a claim says that a plan came true.
func (c Claim) confirms(plan temporal.Validity) bool {
	return c.Valid.From.Basis != temporal.Planned && !c.Said.IsZero() && !c.Said.Before(plan.Start)
}

func repeated(known, again Claim) temporal.Validity {
	v, told := known.Valid, again.Valid
	if known.Event {
		if told.From.Dated() && (!v.From.Dated() || refines(told, v)) {
			return told
		}
		return v
	}
	if again.Event { // an event tells how the state began: its end is not that of the state
		told.End, told.Until = time.Time{}, temporal.Bound{}
	}
	if told.From.Dated() && told.Until.Dated() && !v.Start.IsZero() && !told.End.After(v.Start) {
		return v // a stretch that was over before is not this one
	}
	switch told.From.Basis {
	case temporal.Stated, temporal.Planned:
		if !v.From.Dated() || finer(told.From, v.From) && v.From.Unit(v.Start).Contains(told.Start) {
			v.Start, v.From = told.Start, told.From
		}
	case temporal.Said:
		if v.From.Basis == temporal.Said && told.Start.Before(v.Start) {
			v.Start, v.From = told.Start, told.From
		}
	}
	if told.Until.Basis == temporal.Said && v.End.IsZero() && again.toldAfter(known) {
		v.End, v.Until = told.End, told.Until
	}
	if told.Until.Basis == temporal.Stated && (v.End.IsZero() || v.Until.Basis == temporal.Said || finer(told.Until, v.Until) && told.End.Before(v.End)) {
		v.End, v.Until = told.End, told.Until
	}
	if v.Empty() { // the repetition does not fit the known range
		return known.Valid
	}
	return v
}

// refines reports whether a range lies within another and is known more exactly.
func refines(v, o temporal.Validity) bool { return finer(v.From, o.From) && v.Within(o.Interval) }

// precisions are ordered from finest to coarsest.
var precisions = []temporal.Precision{
	temporal.ToInstant, temporal.ToTheDay, temporal.ToTheWeek, temporal.ToTheMonth, temporal.ToTheSeason, temporal.ToTheYear, temporal.ToTheDecade,
}

// finer reports whether both ends are dated and the first more exactly.
func finer(b, o temporal.Bound) bool {
	return b.Dated() && o.Dated() && slices.Index(precisions, b.Precision) < slices.Index(precisions, o.Precision)
}
