package timeline

import (
	"slices"
	"time"

	"github.com/annalsdb/annals/temporal"
)

// Repeat is when a known claim holds that was told again: what is told of its
// ends dates what was not, and what is told more exactly refines it.
//
//   - A stated start dates what was only said to hold, or was inferred; of two
//     stated ones the more exact one counts, if it lies within the other.
//   - What was said to hold at an earlier time held since then.
//   - A stated end ends what went on; of two stated ends the more exact one counts.
//
// An event is dated by the stretch that is told more exactly. What was planned is
// stated once one of the two was told when it had begun, and not as a plan.
func Repeat(known, again Claim) temporal.Validity {
	v := repeated(known, again)
	if v.From.Basis == temporal.Planned && (known.confirms(v) || again.confirms(v)) {
		v.From.Basis = temporal.Stated
	}
	return v
}

// confirms reports whether a claim says of what was planned that it came.
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
	if again.Event { // how a state began: its end is none of the state
		told.End, told.Until = time.Time{}, temporal.Bound{}
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
	if v.Empty() { // what is told does not fit what is known
		return known.Valid
	}
	return v
}

// refines reports whether a stretch lies within another and is known more exactly.
func refines(v, o temporal.Validity) bool { return finer(v.From, o.From) && v.Within(o.Interval) }

// precisions in the order of how much they tell.
var precisions = []temporal.Precision{
	temporal.ToInstant, temporal.ToTheDay, temporal.ToTheWeek, temporal.ToTheMonth, temporal.ToTheSeason, temporal.ToTheYear, temporal.ToTheDecade,
}

// finer reports whether both ends are stated and the first more exactly.
func finer(b, o temporal.Bound) bool {
	return b.Dated() && o.Dated() && slices.Index(precisions, b.Precision) < slices.Index(precisions, o.Precision)
}
