package graph

import (
	"cmp"
	"encoding/json"
	"reflect"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/temporal"
)

// FactEdit is what is put right about a fact by hand. What is nil stays as it
// is. Its two ends stay: a fact between others is another fact.
type FactEdit struct {
	Predicate  *string // such as WORKS_AT
	Fact       *string // one sentence that says it
	Attributes json.RawMessage

	// ValidAt and InvalidAt are since when and until when it holds; the zero time:
	// it is not known since when, it still holds.
	ValidAt   *time.Time
	InvalidAt *time.Time

	// AsKnownAt puts back what was believed of the fact at this time: its words,
	// relation, attributes and times, with how they are known and how exactly. It
	// stands alone. Zero: nothing is put back.
	AsKnownAt time.Time
}

// As is the fact as it was in an earlier version, between the entities that it is
// between now: they may have become others since.
func (f Fact) As(version Fact) Fact {
	f.Predicate, f.Fact, f.ToldAs, f.Attributes = version.Predicate, version.Fact, version.ToldAs, version.Attributes
	f.Valid, f.BoundedBy = version.Valid, version.BoundedBy
	return f
}

// Alone is an error where AsKnownAt is given beside something else.
func (e FactEdit) Alone() error {
	if !e.AsKnownAt.IsZero() && (e.Predicate != nil || e.Fact != nil || len(e.Attributes) > 0 || e.ValidAt != nil || e.InvalidAt != nil) {
		return Invalid("as_known_at", "puts back all that was believed then: leave out what else is to change, or change it afterwards")
	}
	return ValidateTime("as_known_at", e.AsKnownAt)
}

// Of is the fact as edited. The error names the field and the limit.
func (e FactEdit) Of(f Fact) (Fact, error) {
	if e.Fact != nil && *e.Fact != f.Fact {
		f.ToldAs = "" // these are the words of another sentence
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
		t := at.from.UTC().Truncate(time.Microsecond) // as the database keeps it
		if t.Equal(*at.to) {
			continue
		}
		*at.to, *at.known = t, temporal.StatedAt(t)
		f.BoundedBy = uuid.Nil
	}
	return validateOrder(f.Valid.Start, f.Valid.End)
}

// SameAs reports whether two states of a fact say the same.
func (f Fact) SameAs(other Fact) bool {
	return f.Predicate == other.Predicate && f.Fact == other.Fact && f.Told() == other.Told() && f.Valid.Equal(other.Valid) && sameJSON(f.Attributes, other.Attributes)
}

// sameJSON reports whether two documents say the same, however they are written.
func sameJSON(one, other json.RawMessage) bool {
	var a, b any
	return json.Unmarshal(one, &a) == nil && json.Unmarshal(other, &b) == nil && reflect.DeepEqual(a, b)
}
