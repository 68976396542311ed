package graph

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/temporal"
)

// Fact is what holds between two different entities, and when.
type Fact struct {
	GroupID    string
	ID         uuid.UUID
	SourceID   uuid.UUID
	TargetID   uuid.UUID
	Source     string // the source entity's name
	Target     string // the target entity's name
	Predicate  string // in capitals: LIVES_IN
	Fact       string // one sentence that stands on its own, as it was written
	ToldAs     string // the words of Told, as they are stored; empty: the fact was not stored
	Attributes json.RawMessage

	Kind FactKind

	Valid    temporal.Validity // when it held or happened in the world, and how that is known
	Recorded temporal.Interval // when this version was what we believed

	SaidAt    time.Time // when it was said first; zero: it was made by hand
	CreatedAt time.Time
	ExpiredAt time.Time // when we learned that it had ended; zero: never

	// BoundedBy is the fact that an inferred end of Valid comes from; zero: none.
	BoundedBy uuid.UUID

	// Trust says whether it is believed. Candidates are shown only to who asks for them.
	Trust Trust

	// DisputedBy are the facts of a higher authority that contradict this one.
	DisputedBy []uuid.UUID

	// StatementID is shared by the facts that one statement gave for several
	// pairs of entities.
	StatementID uuid.UUID

	// Episodes are those that state the fact, oldest first.
	Episodes []uuid.UUID

	Marks Marks // whether it expires, is pinned, and how it was found
}

// FactKind tells what goes on from what happens.
type FactKind string

// The kinds of facts. What has no kind is a state.
const (
	FactState FactKind = "state" // it goes on: she lives in Porto
	FactEvent FactKind = "event" // it happens: she visited Oslo, she quit smoking
)

// Told is the fact's sentence for a reader of a later day: what it says by
// "yesterday" or "next month" is said by its date. A fact that was made by hand
// is as it is. Dates are resolved only where the fact was not stored: that takes
// too long for readers.
func (f Fact) Told() string {
	switch {
	case f.ToldAs != "":
		return f.ToldAs
	case f.SaidAt.IsZero():
		return f.Fact
	}
	return dates.Resolved(f.Fact, f.SaidAt, f.Valid.Interval)
}

// When says in words when the fact holds or happened, as exactly as that is
// known: "since 2021", "on 5 May 2024", "some time before 8 March 2024".
// A plan is "planned for 5 May 2024". After that day it "was planned for 5 May 2024",
// until a message confirms it. A disputed fact reads "since 2021, disputed", a
// candidate "since 2021, not confirmed".
func (f Fact) When(reading time.Time) string {
	when := f.Valid.Phrase(reading)
	if f.Kind == FactEvent {
		when = f.Valid.PhraseOfEvent(reading)
	}
	switch {
	case f.Trust == TrustCandidate:
		when += ", not confirmed"
	case len(f.DisputedBy) > 0 || f.Trust == TrustDisputed:
		when += ", disputed"
	}
	return when
}

// Ended reports whether the fact is a state that did not hold any more at a
// time. An event is over, and never ends.
func (f Fact) Ended(at time.Time) bool {
	return f.Kind != FactEvent && !f.Valid.End.IsZero() && !f.Valid.End.After(at)
}

// HeldAt reports whether it held or happened at a time, as far as is known. An event
// without a start happened at no given time.
func (f Fact) HeldAt(at time.Time) bool {
	return f.Valid.Contains(at) && (f.Kind != FactEvent || !f.Valid.Start.IsZero())
}

// ShownAt reports whether lists and searches show it as of a time: it held then, or it was
// planned then. An event that had been planned stays until somebody says that it happened.
// In SQL annals_internal.shown_at says the same.
func (f Fact) ShownAt(at time.Time) bool {
	if f.Valid.Contains(at) {
		return f.HeldAt(at)
	}
	planned := f.Valid.Start.After(at) || f.Kind == FactEvent && f.Valid.From.Basis == temporal.Planned
	return planned && !f.SaidAt.IsZero() && !f.SaidAt.After(at)
}

// NoLonger begins the predicate of a fact which says that another one ended.
const NoLonger = "NO_LONGER_"

// Relation is a predicate without what says that the relation ended: LIVES_IN of
// NO_LONGER_LIVES_IN.
func Relation(predicate string) string { return strings.TrimPrefix(predicate, NoLonger) }

// Disputed reports whether a higher authority contradicts the fact.
func (f Fact) Disputed() bool { return len(f.DisputedBy) > 0 || f.Trust == TrustDisputed }

// FactVersion is one state a fact was in: what we believed of it, and for how long.
type FactVersion struct {
	Fact
	Current bool // it is what we believe now

	// CausedBy are the episodes whose processing made this version, EndedBy
	// those that made the next one or withdrew the fact. None: a hand edit.
	CausedBy, EndedBy []uuid.UUID
}

// SearchText is what a fact is found by: its sentence and its relation in words,
// so that "moved to Porto" answers "where does she live". The index of words has
// the same.
func SearchText(fact, predicate string) string {
	return fact + " " + strings.ToLower(strings.ReplaceAll(predicate, "_", " "))
}

// Dated is what the fact says, as a sentence for a summary: its [Fact.Told] with the
// words of [Fact.When] behind it, "Kim lives in Lisbon (since March 2024)." A sentence
// that names this time already is as it is, and when something was said is no date of
// it.
func (f Fact) Dated(reading time.Time) string {
	told := strings.TrimSpace(f.Told())
	said, stop := cutStop(told)
	if f.hasDate() && !f.namesDate(told, reading) {
		said += " (" + f.When(reading) + ")"
	}
	return said + stop
}

// cutStop cuts a sentence into what it says and its final stop. One without gets one,
// so that it can be told from its neighbours.
func cutStop(sentence string) (said, stop string) {
	said = strings.TrimRightFunc(sentence, func(r rune) bool { return unicode.Is(unicode.STerm, r) })
	switch said {
	case "":
		return sentence, ""
	case sentence:
		return said, "."
	}
	return said, sentence[len(said):]
}

// hasDate reports whether more is known of when the fact holds than when it was said.
func (f Fact) hasDate() bool {
	known := func(b temporal.Bound) bool { return b.Dated() || b.Basis == temporal.Inferred }
	return known(f.Valid.From) || known(f.Valid.Until)
}

// namesDate reports whether a sentence names when an event happened, when a state
// began, or, of a state that has an end, when it ends: later that is what matters.
func (f Fact) namesDate(sentence string, reading time.Time) bool {
	if !strings.ContainsAny(sentence, "0123456789") {
		return false
	}
	if !f.SaidAt.IsZero() {
		reading = f.SaidAt
	}
	return slices.ContainsFunc(dates.Find(sentence, reading), func(e dates.Expression) bool {
		v := e.StatedAs()
		begins, ends := v.Start.Equal(f.Valid.Start) && !v.Start.IsZero(), v.End.Equal(f.Valid.End) && !v.End.IsZero()
		return ends || begins && (f.Kind == FactEvent || f.Valid.End.IsZero())
	})
}
