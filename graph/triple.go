package graph

import (
	"cmp"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"
)

// Triple is a fact given as such, without a text that states it.
type Triple struct {
	GroupID string
	Source  TripleEnd
	Target  TripleEnd

	Predicate  string // such as WORKS_AT
	Fact       string // one sentence; empty: made from the ends and the predicate
	Attributes json.RawMessage

	// ValidAt and InvalidAt are the start and end of its time. If both are zero, the
	// analyst reads them from the sentence; without any there, the fact holds since
	// OccurredAt.
	ValidAt   time.Time
	InvalidAt time.Time

	// More are further pairs of entities to which the sentence applies. Their facts
	// share one statement.
	More []TriplePair

	// StatementID adds the fact to an existing statement of the group; zero: a new
	// statement.
	StatementID uuid.UUID

	OccurredAt time.Time // when it was said or became known; zero: now
	ExternalID string    // the caller's own name for it, unique in the group; empty: none
	Force      bool      // stores it even if it was erased; see Episode.Force
}

// TriplePair is a further pair of entities of a [Triple].
type TriplePair struct {
	Source    TripleEnd
	Target    TripleEnd
	Predicate string
}

// Pairs returns all pairs of the triple.
func (t Triple) Pairs() []TriplePair {
	return append([]TriplePair{{t.Source, t.Target, t.Predicate}}, t.More...)
}

// Ends returns pointers to the ends of all pairs, so that callers can change them.
func (t *Triple) Ends() []*TripleEnd {
	ends := []*TripleEnd{&t.Source, &t.Target}
	for i := range t.More {
		ends = append(ends, &t.More[i].Source, &t.More[i].Target)
	}
	return ends
}

// TripleEnd is the entity at one end of a [Triple]. It is matched to the known
// entities like an entity that an episode mentions.
type TripleEnd struct {
	ID         uuid.UUID // a known entity, which takes precedence over the name; zero: matched by name
	Name       string    // may be empty if ID is set
	Label      string    // its type; empty: unknown
	Attributes json.RawMessage
}

// Validate checks a triple before it is stored. The error names the field and the
// limit.
func (t Triple) Validate() error {
	if err := ValidateGroupID(t.GroupID); err != nil {
		return err
	}
	if len(t.More) > MaxTriplePairs {
		return Invalid("more", "are %d pairs; the limit is %d", len(t.More), MaxTriplePairs)
	}
	for _, p := range t.Pairs() {
		if err := p.validate(); err != nil {
			return err
		}
	}
	if err := errors.Join(
		ValidateText("fact", t.Fact, MaxName), ValidateText("external_id", t.ExternalID, MaxName), ValidateObject("attributes", t.Attributes),
	); err != nil {
		return err
	}
	return cmp.Or(
		ValidateTime("valid_at", t.ValidAt),
		ValidateTime("invalid_at", t.InvalidAt),
		ValidateTime("occurred_at", t.OccurredAt),
		validateOrder(t.ValidAt, t.InvalidAt),
	)
}

// MaxTriplePairs is the most further pairs of a [Triple].
const MaxTriplePairs = 100

func (p TriplePair) validate() error {
	for _, f := range []struct {
		name, value string
		required    bool
	}{
		{"source", p.Source.Name, p.Source.ID == uuid.Nil},
		{"target", p.Target.Name, p.Target.ID == uuid.Nil},
		{"predicate", p.Predicate, true},
		{"source_label", p.Source.Label, false},
		{"target_label", p.Target.Label, false},
	} {
		if f.required && f.value == "" {
			return Invalid(f.name, "is empty")
		}
		if err := ValidateText(f.name, f.value, MaxName); err != nil {
			return err
		}
	}
	return errors.Join(ValidateObject("source_attributes", p.Source.Attributes), ValidateObject("target_attributes", p.Target.Attributes))
}
