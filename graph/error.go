package graph

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Code says what kind of thing went wrong, so that each door (command line,
// HTTP, tools) can answer in its own way.
type Code string

// The codes. An error without one is CodeInternal.
const (
	CodeInvalid     Code = "invalid"     // the input breaks a rule; Field says which input
	CodeNotFound    Code = "not_found"   // no such row in this group
	CodeConflict    Code = "conflict"    // the stored state forbids it
	CodeForbidden   Code = "forbidden"   // it belongs to another tenant
	CodeUnavailable Code = "unavailable" // the database or a model cannot be reached
	CodeInternal    Code = "internal"    // a defect or an unexpected failure
)

// Error is an error a user can act on: Message says what happened and what to
// do, in plain words.
type Error struct {
	Code    Code
	Field   string // the input that is at fault, as the user spells it; may be empty
	Message string
	Err     error // the cause, for operators; may be nil
}

// Error returns the field, the message and, where there is one, the cause.
func (e *Error) Error() string {
	s := e.Message
	if e.Field != "" {
		s = e.Field + ": " + s
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// CodeOf returns the code of the first [Error] in err's chain, else CodeInternal; of nil
// it is empty.
func CodeOf(err error) Code {
	var e *Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Code
	}
	return CodeInternal
}

// ErasedField is the field of the errors that refuse what was erased.
const ErasedField = "force"

// IsErased reports whether an error refuses what was erased.
func IsErased(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == CodeConflict && e.Field == ErasedField
}

// Invalid is the error for an input that breaks a rule. What format quotes (%q)
// may be whatever was sent, so that only its first hundred characters are
// repeated; so is the text of an error, at more length.
func Invalid(field, format string, args ...any) *Error {
	said := fmt.Sprintf(strings.ReplaceAll(format, "%q", "%.100q"), brieflyErrors(args)...)
	return &Error{Code: CodeInvalid, Field: Brief(field, 100), Message: said}
}

func brieflyErrors(args []any) []any {
	out := slices.Clone(args)
	for i, arg := range out {
		if err, ok := arg.(error); ok {
			out[i] = Brief(err.Error(), 400)
		}
	}
	return out
}

// Brief returns the first characters of a text, and … where there are more.
func Brief(s string, characters int) string {
	if len(s) <= characters {
		return s
	}
	count := 0
	for i := range s {
		if count == characters {
			return s[:i] + "…"
		}
		count++
	}
	return s
}
