// Package timeline decides how facts share a timeline: two claims that cannot both be true, or a
// claim that is repeated. Nothing is deleted. A contradiction only narrows ranges, and a claim that
// would have no time left is expired, which keeps it in the history.
package timeline

import (
	"time"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/temporal"
)

// Claim is a fact reduced to its times, as the rules of contradiction need it.
type Claim struct {
	// Valid is when the fact holds or happened in the world, with the bases of its ends.
	Valid temporal.Validity
	// Said is when the words were said. Zero: the fact was made by hand.
	Said time.Time
	// Recorded is when Annals learned the fact. It decides between facts that were said at the same
	// time.
	Recorded time.Time
	// Came is when the fact first came into the graph; zero: long ago. Approved is when somebody
	// last approved it by hand; zero: never. Whoever approves a fact knows those that were there
	// before.
	Came, Approved time.Time
	// Event marks a fact that happens once. A fact that says that something stopped ("quit", "no
	// longer") is an event too.
	Event bool
}

// Side names one of the two claims of a contradiction.
type Side uint8

// The sides of a contradiction.
const (
	Neither Side = iota
	Old
	New
)

// Resolution is how two contradicting claims share the timeline. No range in it is empty.
type Resolution struct {
	Old temporal.Validity
	New temporal.Validity
	// Expired is the side that is no longer believed, because the other leaves it no time. Its
	// range is unchanged: an expired claim lives on in the history only.
	Expired Side
}

// Resolve applies the contradiction rules of bi-temporal memory (Zep, arXiv 2501.13956, §2.2),
// refined by the bases of the ends, to an old claim and a new one that cannot both hold. Claims
// that share no time both stay.
//
// Of two states that were both stated, or both only said to hold, the later start ends the earlier
// one, in whatever order they arrived. An unknown start counts as earlier than any known one. With
// equal starts one state expires. The order of belief is: the one approved since the other came,
// then the one said later, then the one recorded later.
//
// A start that a text states wins over the moment at which a state was only said to hold. If "since
// 1 May" is said after "I work at Acme" of 10 May, then Acme ended by 1 May, and its start is
// unknown. If the stated range has an end, the state that was said to hold goes on from that end.
//
// A state may be said to hold on a day of the month or year in which the other is stated to begin.
// It then ends with that day, and the other begins on the next.
//
// An event ends the state that it contradicts and keeps its own time. If the state began within the
// time of the event, the state ends with that time.
//
// To place a new claim among several old ones, pass the resulting New range to the next call and
// stop when Expired is [New].
func Resolve(old, new Claim) Resolution {
	r := Resolution{Old: old.Valid, New: new.Valid}
	switch {
	case old.Event && new.Event:
		if r.Old.Overlaps(r.New.Interval) {
			r.Expired = loser(old, new)
		}
	case new.Event:
		r.Old = old.endedBy(new)
	case old.Event:
		r.New = new.endedBy(old)
	case !r.Old.Overlaps(r.New.Interval):
	case old.saidWithin(new):
		r.Old, r.New = sharing(old.Valid, new.Valid)
	case new.saidWithin(old):
		r.New, r.Old = sharing(new.Valid, old.Valid)
	case old.givesWayTo(new):
		r.Old = beside(old.Valid, new.Valid)
	case new.givesWayTo(old):
		r.New = beside(new.Valid, old.Valid)
	case startsBefore(r.Old.Interval, r.New.Interval):
		r.Old = closed(r.Old, r.New.Start, inferred(r.New.From))
	case startsBefore(r.New.Interval, r.Old.Interval):
		r.New = closed(r.New, r.Old.Start, inferred(r.Old.From))
	default:
		r.Expired = loser(old, new)
	}
	return r
}

// saidWithin reports whether a claim was said to hold in the month or year in which the other, told
// later, began: "I live in Oslo" on 10 January, and then "I moved to Bergen in January".
func (c Claim) saidWithin(o Claim) bool {
	return c.givesWayTo(o) && !o.Valid.Start.IsZero() && o.Valid.From.Precision != temporal.ToTheDay &&
		o.Valid.From.Unit(o.Valid.Start).Contains(nextDay(c.Valid.Start))
}

// sharing divides such a month or year after the day on which the first state was said to hold.
func sharing(v, later temporal.Validity) (first, second temporal.Validity) {
	boundary := nextDay(v.Start)
	if !later.End.IsZero() && !boundary.Before(later.End) {
		return beside(v, later), later
	}
	later.Start = boundary
	return closed(v, boundary, temporal.Bound{Basis: temporal.Inferred, Precision: later.From.Precision}), later
}

// Displaced reports whether a claim that was only said to hold lost its start to a stated claim.
func Displaced(before, after temporal.Validity) bool {
	return before.From.Basis == temporal.Said && after.Start.IsZero()
}

// nextDay is the end of the day that t lies in.
func nextDay(t time.Time) time.Time {
	_, end := calendar.Around(t, calendar.Day)
	return end
}

// givesWayTo reports whether a claim is only said to hold at a time for which the other, told
// later, states something else.
func (c Claim) givesWayTo(o Claim) bool {
	if c.Valid.From.Basis != temporal.Said || !o.toldAfter(c) {
		return false
	}
	if o.Valid.Start.IsZero() {
		return o.Valid.Until.Basis == temporal.Stated
	}
	return o.Valid.From.Dated() && o.Valid.Start.Before(c.Valid.Start)
}

// beside returns the range that a stated claim leaves to a state that was said to hold within it:
// the time after it if it has ended, else the time before it.
func beside(v, stated temporal.Validity) temporal.Validity {
	if over := stated.End; stated.Until.Basis == temporal.Stated && (v.End.IsZero() || over.Before(v.End)) {
		v.Start, v.From = over, temporal.Bound{Basis: temporal.Inferred, Precision: stated.Until.Precision}
		return v
	}
	if stated.Start.IsZero() {
		return v
	}
	return endingBy(v, stated.Start, stated.From.Precision)
}

// endingBy drops the start of a range and ends it by a time.
func endingBy(v temporal.Validity, at time.Time, p temporal.Precision) temporal.Validity {
	v.Start, v.From = time.Time{}, temporal.Bound{}
	return closed(v, at, temporal.Bound{Basis: temporal.Inferred, Precision: p})
}

// endedBy returns the range of a state after an event ended it.
func (c Claim) endedBy(event Claim) temporal.Validity {
	v, at := c.Valid, event.Valid
	begins := !at.Start.IsZero() && (v.Start.IsZero() || v.Start.Before(at.Start))
	switch {
	case begins:
		return closed(v, at.Start, inferred(at.From))
	case at.End.IsZero():
		return v
	case v.Start.IsZero() || v.Start.Before(at.End):
		return closed(v, at.End, at.Until)
	case v.From.Basis == temporal.Said && at.Until.Basis == temporal.Stated && event.toldAfter(c):
		if at.Start.IsZero() {
			return endingBy(v, at.End, at.Until.Precision)
		}
		return endingBy(v, at.Start, at.From.Precision)
	}
	return v
}

// toldAfter reports whether a claim was said after another.
func (c Claim) toldAfter(o Claim) bool {
	if c.Said.IsZero() || o.Said.IsZero() {
		return c.Recorded.After(o.Recorded)
	}
	return c.Said.After(o.Said)
}

// loser chooses which of two claims with the same start expires.
func loser(old, new Claim) Side {
	switch {
	case old.Approved.After(new.Came) && old.Approved.After(new.Approved):
		return New
	case new.Approved.After(old.Came) && new.Approved.After(old.Approved):
		return Old
	}
	if old.toldAfter(new) || old.Said.Equal(new.Said) && old.Recorded.After(new.Recorded) {
		return New
	}
	return Old
}

// closed ends a range at a time, unless it ends earlier already.
func closed(v temporal.Validity, at time.Time, known temporal.Bound) temporal.Validity {
	if i := v.Close(at); !i.Equal(v.Interval) {
		v.Interval, v.Until = i, known
	}
	return v
}

// inferred returns the bound of an end that another claim's start gives. If that start is when
// something was said, the end is exact to the day at most.
func inferred(b temporal.Bound) temporal.Bound {
	if b.Basis == temporal.Said && b.Precision == temporal.ToInstant {
		return temporal.Bound{Basis: temporal.Inferred, Precision: temporal.ToTheDay}
	}
	return temporal.Bound{Basis: temporal.Inferred, Precision: b.Precision}
}

// startsBefore orders starts with the unknown start first.
func startsBefore(a, b temporal.Interval) bool {
	if a.Start.IsZero() || b.Start.IsZero() {
		return a.Start.IsZero() && !b.Start.IsZero()
	}
	return a.Start.Before(b.Start)
}
