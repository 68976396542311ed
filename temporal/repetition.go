package temporal

import "time"

// Repeat is when a known claim holds that was told again: what is told of its
// ends dates what was not, and what is told more exactly refines it.
//
//   - A stated start dates what was only said to hold, or was inferred; of two
//     stated ones the more exact one counts, if it lies within the other.
//   - What was said to hold at an earlier time held since then.
//   - A stated end ends what went on; of two stated ends the more exact one counts.
//
// An event is dated by the stretch that is told more exactly.
func Repeat(known, again Claim) Validity {
	v, told := known.Valid, again.Valid
	if known.Event {
		if told.From.Basis == Stated && (v.From.Basis != Stated || told.refines(v)) {
			return told
		}
		return v
	}
	if again.Event { // how a state began: its end is none of the state
		told.End, told.Until = time.Time{}, Bound{}
	}
	switch told.From.Basis {
	case Stated:
		if v.From.Basis != Stated || told.From.finer(v.From) && v.From.Unit(v.Start).Contains(told.Start) {
			v.Start, v.From = told.Start, told.From
		}
	case Said:
		if v.From.Basis == Said && told.Start.Before(v.Start) {
			v.Start, v.From = told.Start, told.From
		}
	}
	if told.Until.Basis == Said && v.End.IsZero() && again.toldAfter(known) {
		v.End, v.Until = told.End, told.Until
	}
	if told.Until.Basis == Stated && (v.End.IsZero() || v.Until.Basis == Said || told.Until.finer(v.Until) && told.End.Before(v.End)) {
		v.End, v.Until = told.End, told.Until
	}
	if v.Empty() { // what is told does not fit what is known
		return known.Valid
	}
	return v
}

// refines reports whether a stretch lies within another and is known more exactly.
func (v Validity) refines(o Validity) bool {
	return v.From.finer(o.From) && v.Within(o.Interval)
}

// finer reports whether both ends are stated and the first more exactly.
func (b Bound) finer(o Bound) bool {
	return b.Basis == Stated && o.Basis == Stated && precisionUnits[b.Precision] < precisionUnits[o.Precision]
}
