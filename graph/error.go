package graph

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Code is the kind of an error. Each door (command line, HTTP, tools) translates it into
// its own form.
type Code string

// The codes. An error without a code counts as CodeInternal.
const (
	CodeInvalid     Code = "invalid"     // the input breaks a rule; Field says which input
	CodeNotFound    Code = "not_found"   // no such row in this group
	CodeConflict    Code = "conflict"    // the stored state forbids it
	CodeForbidden   Code = "forbidden"   // it belongs to another tenant
	CodeUnavailable Code = "unavailable" // the database or a model cannot be reached
	CodeInternal    Code = "internal"    // a defect or an unexpected failure
)

// Error is an error that a user can act on. Message says in plain words what happened
// and what to do.
type Error struct {
	Code    Code
	Field   string // the input at fault, as the user spells it; may be empty
	Message string
	Err     error // the cause, for operators; may be nil
}

// Error returns the field, the message and the cause; a missing field or cause is left
// out.
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

// CodeOf returns the code of the first [Error] in err's chain, else CodeInternal. It
// returns the empty code for nil.
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

// ErasedField is the field of an error that refuses erased content.
const ErasedField = "force"

// IsErased reports whether an error refuses erased content.
func IsErased(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == CodeConflict && e.Field == ErasedField
}

// Invalid returns a CodeInvalid error about an input. Since %q may quote arbitrary
// input, it repeats only the first 100 characters; the text of an error argument is cut
// at 400, the field at 100.
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

// Brief returns the first characters of a text, followed by … if the text is longer.
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
