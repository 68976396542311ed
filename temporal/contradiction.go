package temporal

import "time"

// Claim is one side of a contradiction: a fact reduced to its times.
type Claim struct {
	// Valid is when the fact holds in the world. A zero Start means the start is unknown.
	Valid Interval
	// Recorded is when Annals learned the fact. It breaks ties between equal starts.
	Recorded time.Time
	// Terminates marks a claim that says something ended ("stopped", "no longer"). It closes
	// what it contradicts like any later claim, stays as the record of the ending, and wins
	// over a claim that starts at the same instant.
	Terminates bool
}

// Side names one of the two claims of a contradiction.
type Side uint8

// The sides of a contradiction.
const (
	Neither Side = iota
	Old
	New
)

// Resolution is how two contradicting claims share the timeline. Each interval lies within
// the one its claim came with (where the new claim came without a start, within [ref, …)),
// and is never empty.
type Resolution struct {
	Old Interval
	New Interval
	// Expired is the side that is no longer believed because the other leaves it no time.
	// Its interval is left as it was: an expired claim lives on in history only.
	Expired Side
}

// Resolve applies the contradiction rules of bi-temporal memory (Zep, arXiv 2501.13956, §2.2)
// to an old claim and a new one that cannot both hold. ref stands in for a start that the new
// claim lacks.
//
// Disjoint claims both stay. Otherwise the later start closes the earlier claim, whichever
// arrived first. With equal starts one of the two would be left no time and expires: a
// termination wins, else the claim recorded later (the new one on a tie). An unknown start
// counts as earlier than any known one.
//
// To place one new claim among several old ones, feed the resulting New interval into the
// next call and stop when Expired is [New]. Where starts are distinct, neither the order of
// the old claims nor the order of arrival changes the timeline: every claim ends at the
// earliest start after its own.
func Resolve(old, new Claim, ref time.Time) Resolution {
	r := Resolution{Old: old.Valid, New: startedBy(new.Valid, ref)}
	switch {
	case !r.Old.Overlaps(r.New):
	case startsBefore(r.Old, r.New):
		r.Old = r.Old.Close(r.New.Start)
	case startsBefore(r.New, r.Old):
		r.New = r.New.Close(r.Old.Start)
	default:
		r.Expired = loser(old, new)
	}
	return r
}

// loser picks which of two claims with the same start gives way.
func loser(old, new Claim) Side {
	switch {
	case new.Terminates:
		return Old
	case old.Terminates, old.Recorded.After(new.Recorded):
		return New
	default:
		return Old
	}
}

// startedBy gives an interval without a start the start ref, unless it ended by then.
func startedBy(i Interval, ref time.Time) Interval {
	if i.Start.IsZero() && (i.End.IsZero() || ref.Before(i.End)) {
		i.Start = ref
	}
	return i
}

// startsBefore orders starts with the unknown start first.
func startsBefore(a, b Interval) bool {
	if a.Start.IsZero() || b.Start.IsZero() {
		return a.Start.IsZero() && !b.Start.IsZero()
	}
	return a.Start.Before(b.Start)
}
