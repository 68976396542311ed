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

// Fact is a relation between two different entities, with the time at which it holds.
type Fact struct {
	GroupID    string
	ID         uuid.UUID
	SourceID   uuid.UUID
	TargetID   uuid.UUID
	Source     string // the source entity's name
	Target     string // the target entity's name
	Predicate  string // in capitals: LIVES_IN
	Fact       string // one self-contained sentence, as it was written
	ToldAs     string // the stored result of Told; empty: the fact was not stored
	Attributes json.RawMessage

	Kind FactKind

	Valid    temporal.Validity // when it held or happened in the world, and how that is known
	Recorded temporal.Interval // when this version was believed

	SaidAt    time.Time // when it was first said; zero: it was made by hand
	CreatedAt time.Time
	ExpiredAt time.Time // when the end became known; zero: it has no known end

	// BoundedBy is the fact that gave Valid an inferred end; zero: none.
	BoundedBy uuid.UUID

	// Trust says whether the fact is believed. Readers see candidates only on request.
	Trust Trust

	// DisputedBy are facts of a higher authority that contradict this one.
	DisputedBy []uuid.UUID

	// StatementID is shared by facts that one statement gave for several pairs of
	// entities.
	StatementID uuid.UUID

	// Episodes are the episodes that state the fact, oldest first.
	Episodes []uuid.UUID

	Marks Marks // its expiry, pin and judgements
}

// FactKind distinguishes lasting states from events.
type FactKind string

// The kinds of facts. An empty kind means a state.
const (
	FactState FactKind = "state" // it lasts: she lives in Porto
	FactEvent FactKind = "event" // it happens: she visited Oslo, she quit smoking
)

// Told returns the fact's sentence for a later reader: "yesterday" or "next month" is
// replaced by its date. The sentence of a fact made by hand is returned unchanged. A
// stored fact has the result in ToldAs; dates are resolved here only if it was not stored,
// since that is too slow for readers.
func (f Fact) Told() string {
	switch {
	case f.ToldAs != "":
		return f.ToldAs
	case f.SaidAt.IsZero():
		return f.Fact
	}
	return dates.Resolved(f.Fact, f.SaidAt, f.Valid.Interval)
}

// When returns in words when the fact holds or happened, as exactly as known: "since
// 2021", "on 5 May 2024", "some time before 8 March 2024". The time of reading decides the
// tense: a plan is "planned for 5 May 2024", and after that day "was planned for 5 May
// 2024" until a message confirms it. A disputed fact reads "since 2021, disputed", a
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

// Ended reports whether the fact is a state that had ended at a time. Events never end.
func (f Fact) Ended(at time.Time) bool {
	return f.Kind != FactEvent && !f.Valid.End.IsZero() && !f.Valid.End.After(at)
}

// HeldAt reports whether the fact held or happened at a time, as far as known. It is false
// for an event without a start, whose time is unknown.
func (f Fact) HeldAt(at time.Time) bool {
	return f.Valid.Contains(at) && (f.Kind != FactEvent || !f.Valid.Start.IsZero())
}

// ShownAt reports whether lists and searches as of a time show the fact: it held or
// happened then, or a plan for it was known by then. A planned event stays shown until an
// episode says that it happened. The SQL function annals_internal.shown_at has the same
// rule.
func (f Fact) ShownAt(at time.Time) bool {
	if f.Valid.Contains(at) {
		return f.HeldAt(at)
	}
	planned := f.Valid.Start.After(at) || f.Kind == FactEvent && f.Valid.From.Basis == temporal.Planned
	return planned && !f.SaidAt.IsZero() && !f.SaidAt.After(at)
}

// NoLonger is the prefix of a predicate that states the end of another fact.
const NoLonger = "NO_LONGER_"

// Relation returns a predicate without the prefix NoLonger: LIVES_IN for
// NO_LONGER_LIVES_IN.
func Relation(predicate string) string { return strings.TrimPrefix(predicate, NoLonger) }

// Disputed reports whether a higher authority contradicts the fact.
func (f Fact) Disputed() bool { return len(f.DisputedBy) > 0 || f.Trust == TrustDisputed }

// FactVersion is a state of a fact, with the time during which it was believed.
type FactVersion struct {
	Fact
	Current bool // whether this version is believed now

	// CausedBy are the episodes whose processing made this version. EndedBy are the
	// episodes that made the next version or withdrew the fact. Both are empty after an
	// edit by hand or an undo.
	CausedBy, EndedBy []uuid.UUID
}

// SearchText returns the text by which a fact is found: its sentence and its predicate in
// words, so that "moved to Porto" answers "where does she live". The index of words holds
// the same text.
func SearchText(fact, predicate string) string {
	return fact + " " + strings.ToLower(strings.ReplaceAll(predicate, "_", " "))
}

// Dated returns the fact as a sentence for a summary: [Fact.Told] followed by [Fact.When]
// in parentheses, as in "Kim lives in Lisbon (since March 2024)." The parentheses are left
// out if the sentence already names that time, or if only the time of saying is known.
func (f Fact) Dated(reading time.Time) string {
	told := strings.TrimSpace(f.Told())
	said, stop := cutStop(told)
	if f.hasDate() && !f.namesDate(told, reading) {
		said += " (" + f.When(reading) + ")"
	}
	return said + stop
}

// cutStop splits a sentence into its words and its final stop. A sentence without a stop
// gets one, to separate it from its neighbours.
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

// hasDate reports whether the fact's time is known beyond the time at which it was said.
func (f Fact) hasDate() bool {
	known := func(b temporal.Bound) bool { return b.Dated() || b.Basis == temporal.Inferred }
	return known(f.Valid.From) || known(f.Valid.Until)
}

// namesDate reports whether a sentence names the fact's time: of an event when it
// happened, of an open state its start, of a state that has an end its end, which later
// readers need most.
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
