package graph

import (
	"encoding/json"
	"time"
)

// Triple is a fact that is known as such, without a text that states it.
type Triple struct {
	GroupID string
	Source  TripleEnd
	Target  TripleEnd

	Predicate  string // such as WORKS_AT
	Fact       string // one sentence that says it; empty: made of the ends and the predicate
	Attributes json.RawMessage

	// ValidAt and InvalidAt are since when and until when it holds. Both zero:
	// the analyst reads them from the sentence; without any there, it holds
	// since OccurredAt.
	ValidAt   time.Time
	InvalidAt time.Time

	OccurredAt time.Time // when it was said or became known; zero: now
	ExternalID string    // the caller's own name for it, unique in the group; empty: none
	Force      bool      // takes in again what was erased; see Episode.Force
}

// TripleEnd is an entity at one end of a [Triple]. It is recognised among those
// that are known, as one that an episode mentions is.
type TripleEnd struct {
	Name       string
	Label      string // its type; empty: unknown
	Attributes json.RawMessage
}

// Validate checks a triple before it is taken in. The error names the field
// and the limit.
func (t Triple) Validate() error {
	if err := ValidateGroupID(t.GroupID); err != nil {
		return err
	}
	for _, f := range []struct {
		name, value string
		required    bool
	}{
		{"source", t.Source.Name, true},
		{"target", t.Target.Name, true},
		{"predicate", t.Predicate, true},
		{"source_label", t.Source.Label, false},
		{"target_label", t.Target.Label, false},
		{"fact", t.Fact, false},
	} {
		if f.required && f.value == "" {
			return Invalid(f.name, "is empty")
		}
		if err := ValidateText(f.name, f.value, MaxName); err != nil {
			return err
		}
	}
	for name, attributes := range map[string]json.RawMessage{
		"attributes": t.Attributes, "source_attributes": t.Source.Attributes, "target_attributes": t.Target.Attributes,
	} {
		if err := ValidateObject(name, attributes); err != nil {
			return err
		}
	}
	return t.validateTimes()
}

func (t Triple) validateTimes() error {
	for name, at := range map[string]time.Time{"valid_at": t.ValidAt, "invalid_at": t.InvalidAt, "occurred_at": t.OccurredAt} {
		if err := ValidateTime(name, at); err != nil {
			return err
		}
	}
	if !t.ValidAt.IsZero() && !t.InvalidAt.IsZero() && !t.ValidAt.Before(t.InvalidAt) {
		return Invalid("invalid_at", "is not after valid_at: a fact holds for some time")
	}
	return nil
}
