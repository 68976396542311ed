package project

import (
	"cmp"
	"encoding/json"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
)

// Stamp formats a time.
func Stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// StampOr formats a time; nil if it is zero.
func StampOr(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := Stamp(t)
	return &s
}

// Nullable distinguishes null from a missing field.
type Nullable[T any] struct {
	Given bool
	Value T
}

// UnmarshalJSON decodes null as the zero value.
func (n *Nullable[T]) UnmarshalJSON(text []byte) error {
	n.Given = true
	if string(text) == "null" {
		return nil
	}
	return json.Unmarshal(text, &n.Value)
}

// pointer returns the value; nil if the field is missing.
func (n Nullable[T]) pointer() *T {
	if !n.Given {
		return nil
	}
	return &n.Value
}

// OrZero dereferences p; the zero value if it is nil.
func OrZero[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// Object returns a JSON object; nil if it is null.
func Object(text json.RawMessage) json.RawMessage {
	if string(text) == "null" {
		return nil
	}
	return text
}

// Some returns a list with one text; nil if the text is empty.
func Some(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// Counted returns an error unless n is 1 to most.
func Counted(field string, n, most int) error {
	if n == 0 || n > most {
		return graph.Invalid(field, "are %d; send 1 to %d", n, most)
	}
	return nil
}

// MaxListed is how many ids one filter may have.
const MaxListed = 256

// Reader reads fields of a request. It keeps the first error, and reads on.
type Reader struct{ Err error }

// Note keeps an error, if it is the first.
func (r *Reader) Note(err error) { r.Err = cmp.Or(r.Err, err) }

// refuse keeps the error that a field has.
func (r *Reader) refuse(field, format string, args ...any) {
	r.Note(graph.Invalid(field, format, args...))
}

// Whole reads a whole number within bounds; an empty text is the default.
func (r *Reader) Whole(field, text string, otherwise, least, most int) int {
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		r.refuse(field, "is %q; it must be %d to %d", text, least, most)
	}
	return n
}

// Bounded reads an optional number, which must be 1 to most; nil: the default.
func (r *Reader) Bounded(field string, given *int, otherwise, most int) int {
	if given == nil {
		return otherwise
	}
	if *given < 1 || *given > most {
		r.refuse(field, "is %d; it must be 1 to %d", *given, most)
	}
	return *given
}

// Time reads a time; an empty text is none.
func (r *Reader) Time(field, text string) time.Time {
	at, err := graph.ParseTime(field, text)
	r.Note(err)
	return at
}

// UUID reads an id; an empty text is none.
func (r *Reader) UUID(field, text string) uuid.UUID {
	if text == "" {
		return uuid.Nil
	}
	id, err := uuid.Parse(text)
	if err != nil {
		r.refuse(field, "%q is no UUID", text)
	}
	return id
}

// UUIDs reads at most most ids. It returns nil for none: no list of the service is narrowed by that.
func (r *Reader) UUIDs(field string, texts []string, most int) (ids []uuid.UUID) {
	if len(texts) > most {
		r.refuse(field, "are %d; the limit is %d", len(texts), most)
		return nil
	}
	for _, text := range texts {
		if text == "" {
			r.refuse(field, "%q is no UUID", text)
		}
		ids = append(ids, r.UUID(field, text))
	}
	return ids
}
