package graph

import (
	"cmp"
	"encoding/json"
	"reflect"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/temporal"
)

// FactEdit is a correction of a fact by hand. Nil fields stay unchanged. The two
// entities cannot be changed: a fact between others is another fact.
type FactEdit struct {
	Predicate  *string // such as WORKS_AT
	Fact       *string // one sentence that says it
	Attributes json.RawMessage

	// ValidAt and InvalidAt are the start and end of its time. The zero time means
	// an unknown start, or that it still holds.
	ValidAt   *time.Time
	InvalidAt *time.Time

	// AsKnownAt restores the fact as it was believed at this time: its sentence,
	// predicate, attributes and times, with their basis and precision. No other
	// field may be set with it. Zero restores nothing.
	AsKnownAt time.Time
}

// As returns the fact with the words, attributes and times of an earlier version.
// It keeps the present entities, which may differ from those of the version.
func (f Fact) As(version Fact) Fact {
	f.Predicate, f.Fact, f.ToldAs, f.Attributes = version.Predicate, version.Fact, version.ToldAs, version.Attributes
	f.Valid, f.BoundedBy = version.Valid, version.BoundedBy
	return f
}

// Alone returns an error if AsKnownAt is set together with another field.
func (e FactEdit) Alone() error {
	if !e.AsKnownAt.IsZero() && (e.Predicate != nil || e.Fact != nil || len(e.Attributes) > 0 || e.ValidAt != nil || e.InvalidAt != nil) {
		return Invalid("as_known_at", "puts back all that was believed then: leave out what else is to change, or change it afterwards")
	}
	return ValidateTime("as_known_at", e.AsKnownAt)
}

// Of returns the fact as edited. Times are in UTC with microseconds. The error
// names the field and the limit.
func (e FactEdit) Of(f Fact) (Fact, error) {
	if e.Fact != nil && *e.Fact != f.Fact {
		f.ToldAs = "" // ToldAs belongs to the former sentence
	}
	for _, text := range []struct {
		name string
		from *string
		to   *string
	}{{"predicate", e.Predicate, &f.Predicate}, {"fact", e.Fact, &f.Fact}} {
		if text.from == nil {
			continue
		}
		if *text.from == "" {
			return f, Invalid(text.name, "is empty")
		}
		if err := ValidateText(text.name, *text.from, MaxName); err != nil {
			return f, err
		}
		*text.to = *text.from
	}
	if e.Attributes != nil {
		f.Attributes = e.Attributes
	}
	return f, cmp.Or(ValidateObject("attributes", e.Attributes), e.date(&f))
}

func (e FactEdit) date(f *Fact) error {
	for _, at := range []struct {
		name  string
		from  *time.Time
		to    *time.Time
		known *temporal.Bound
	}{{"valid_at", e.ValidAt, &f.Valid.Start, &f.Valid.From}, {"invalid_at", e.InvalidAt, &f.Valid.End, &f.Valid.Until}} {
		if at.from == nil {
			continue
		}
		if err := ValidateTime(at.name, *at.from); err != nil {
			return err
		}
		t := at.from.UTC().Truncate(time.Microsecond) // the database's precision
		if t.Equal(*at.to) {
			continue
		}
		*at.to, *at.known = t, temporal.StatedAt(t)
		f.BoundedBy = uuid.Nil
	}
	return validateOrder(f.Valid.Start, f.Valid.End)
}

// SameAs reports whether two states of a fact have equal words, times and
// attributes.
func (f Fact) SameAs(other Fact) bool {
	return f.Predicate == other.Predicate && f.Fact == other.Fact && f.Told() == other.Told() && f.Valid.Equal(other.Valid) && sameJSON(f.Attributes, other.Attributes)
}

// sameJSON reports whether two JSON documents have equal values, however they are
// formatted.
func sameJSON(one, other json.RawMessage) bool {
	var a, b any
	return json.Unmarshal(one, &a) == nil && json.Unmarshal(other, &b) == nil && reflect.DeepEqual(a, b)
}
