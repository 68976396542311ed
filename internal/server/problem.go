package server

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals"
)

// Problem is the body of an error response (RFC 9457). Code is stable and meant for programs.
type Problem struct {
	Type   string          `json:"type,omitempty" doc:"A URI for this kind of problem; left out: about:blank, the status says it all"`
	Title  string          `json:"title" doc:"The status in words"`
	Status int             `json:"status" doc:"The HTTP status"`
	Code   string          `json:"code" doc:"What kind of problem it is, for programs: invalid, not_found, conflict, unavailable, internal, unauthorized, forbidden, rate_limited, too_large, precondition_failed, …"`
	Detail string          `json:"detail,omitempty" doc:"What happened and what to do"`
	Errors []ProblemDetail `json:"errors,omitempty" doc:"What is wrong with which input"`

	Added    *int `json:"added,omitempty" doc:"Of a bulk request: how many episodes before the bad line were stored and stay"`
	Existing *int `json:"existing,omitempty" doc:"Of a bulk request: how many episodes before the bad line were there already"`
}

// ProblemDetail describes the fault in one input.
type ProblemDetail struct {
	Message  string `json:"message" doc:"What is wrong with it"`
	Location string `json:"location,omitempty" doc:"Where it is, as in body.limit, query.as_of or path.group"`
	Value    any    `json:"value,omitempty" doc:"What was given, where it is short"`
}

// Error returns the detail.
func (p *Problem) Error() string { return p.Detail }

// GetStatus returns the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType returns the media type of a problem document.
func (p *Problem) ContentType(string) string { return problemType }

const problemType = "application/problem+json"

// NewProblem creates a problem from a status and a detail.
func NewProblem(status int, detail string) *Problem {
	code, ok := codes[status]
	if !ok {
		code = string(annals.CodeInternal)
	}
	return &Problem{Title: http.StatusText(status), Status: status, Code: code, Detail: detail}
}

// statuses maps the codes of the library's errors to HTTP statuses.
var statuses = map[annals.Code]int{
	annals.CodeInvalid:     http.StatusUnprocessableEntity,
	annals.CodeNotFound:    http.StatusNotFound,
	annals.CodeConflict:    http.StatusConflict,
	annals.CodeForbidden:   http.StatusForbidden,
	annals.CodeUnavailable: http.StatusServiceUnavailable,
	annals.CodeInternal:    http.StatusInternalServerError,
}

// ProblemOf converts an error of the library to a problem, and returns a problem unchanged. It
// hides the text of internal errors, which users cannot act on.
func ProblemOf(err error) *Problem {
	if problem, ok := errors.AsType[*Problem](err); ok {
		return problem
	}
	known, ok := errors.AsType[*annals.Error](err)
	if annals.CodeOf(err) == annals.CodeUnavailable && (!ok || known.Code != annals.CodeUnavailable) {
		if strings.Contains(err.Error(), "remote node") { // from a Citus cluster whose coordinator answered
			return NewProblem(http.StatusServiceUnavailable, "the server of the cluster that has this group does not answer; groups on others can be asked, and this one again in a while")
		}
		return NewProblem(http.StatusServiceUnavailable, "the database cannot be reached at the moment, or is full; ask again in a while")
	}
	if (!ok || known.Code == annals.CodeInternal) && unstorable(err) {
		return NewProblem(http.StatusUnprocessableEntity, "a text or number in it cannot be stored: a NUL, half of a character, or a number with too many digits; remove it")
	}
	if !ok || known.Code == annals.CodeInternal {
		return NewProblem(http.StatusInternalServerError, "something went wrong here; the log has the request's id and what")
	}
	p := NewProblem(statuses[known.Code], known.Message)
	if known.Field == "version" {
		p = NewProblem(http.StatusPreconditionFailed, known.Message)
	}
	if known.Field != "" {
		p.Detail = known.Field + ": " + known.Message
		p.Errors = []ProblemDetail{{Message: known.Message, Location: known.Field}}
	}
	return p
}

// unstorable reports whether the database refused a value that it cannot hold and that no earlier
// check refused.
func unstorable(err error) bool {
	refused, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		return false
	}
	switch refused.Code {
	case "22021", "22P05", "22003": // invalid byte sequence, untranslatable character, number out of range
		return true
	case "22P02": // an unpaired surrogate in JSON
		return strings.Contains(refused.Message, "type json") && strings.Contains(refused.Detail, "Unicode")
	}
	return false
}

// WriteJSON writes a body as JSON. If that fails, it writes instead with the status of an internal
// error.
func WriteJSON(w http.ResponseWriter, status int, body any, instead string) {
	text, err := json.Marshal(body)
	if err != nil {
		status, text = http.StatusInternalServerError, []byte(instead)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text) // the caller may have disconnected
}

// Write writes the problem as the response.
func (p *Problem) Write(w http.ResponseWriter) {
	body, err := json.Marshal(p)
	if err != nil { // it holds only texts and numbers
		panic("server: " + err.Error())
	}
	w.Header().Set("Content-Type", problemType)
	w.WriteHeader(p.Status)
	_, _ = w.Write(body) // the caller may have disconnected
}

// WriteProblem writes a new problem as the response.
func WriteProblem(w http.ResponseWriter, status int, detail string) {
	NewProblem(status, detail).Write(w)
}
