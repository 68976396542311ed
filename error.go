package annals

import (
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// Error is an error that a user can act on: it says what happened and what to do.
type Error = graph.Error

// Code is the kind of an error. [CodeOf] returns that of any error.
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

// CodeOf returns the code of the first [Error] in err's chain. Without one it returns
// CodeUnavailable if the database cannot work at the moment, else CodeInternal. For nil it returns
// "".
func CodeOf(err error) Code {
	if code := graph.CodeOf(err); code != CodeInternal || !db.Unavailable(err) {
		return code
	}
	return CodeUnavailable
}
