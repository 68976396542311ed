package project

import (
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

// Whole parses a whole number within bounds; an empty text is the default.
func Whole(field, text string, otherwise, least, most int) (int, error) {
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, graph.Invalid(field, "is %q; it must be %d to %d", text, least, most)
	}
	return n, nil
}

// Bounded returns an optional number, which must be 1 to most; nil: the default.
func Bounded(field string, given *int, otherwise, most int) (int, error) {
	if given == nil {
		return otherwise, nil
	}
	if *given < 1 || *given > most {
		return 0, graph.Invalid(field, "is %d; it must be 1 to %d", *given, most)
	}
	return *given, nil
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

// UUIDs parses at most most ids.
func UUIDs(field string, texts []string, most int) ([]uuid.UUID, error) {
	if len(texts) > most {
		return nil, graph.Invalid(field, "are %d; the limit is %d", len(texts), most)
	}
	var out []uuid.UUID
	for _, text := range texts {
		id, err := uuid.Parse(text)
		if err != nil {
			return nil, graph.Invalid(field, "%q is no UUID", text)
		}
		out = append(out, id)
	}
	return out, nil
}

// Span parses the start and the end of a period.
func Span(from, until string) (start, end time.Time, err error) {
	if start, err = graph.ParseTime("valid_at", from); err == nil {
		end, err = graph.ParseTime("invalid_at", until)
	}
	return start, end, err
}
