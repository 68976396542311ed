package annals

import (
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// Error is an error a user can act on: what happened and what to do.
type Error = graph.Error

// Code says what kind of thing went wrong; [CodeOf] reads it from any error.
type Code = graph.Code

// The codes of an [Error].
const (
	CodeInvalid     = graph.CodeInvalid
	CodeNotFound    = graph.CodeNotFound
	CodeConflict    = graph.CodeConflict
	CodeForbidden   = graph.CodeForbidden
	CodeUnavailable = graph.CodeUnavailable
	CodeInternal    = graph.CodeInternal
)

// CodeOf returns the code of the first [Error] in err's chain, or else
// CodeUnavailable where the database cannot work at the moment, or else
// CodeInternal. Of nil it is empty.
func CodeOf(err error) Code {
	if code := graph.CodeOf(err); code != CodeInternal || !db.Unavailable(err) {
		return code
	}
	return CodeUnavailable
}
