package server

import (
	"net/http"

	"github.com/annalsdb/annals"
)

// Kind is a kind of problem: what it means, and what to do about it. docs/errors.md is generated
// from these.
type Kind struct {
	Status    int
	Code      string
	Means, Do string
}

// The codes of problems that only servers return.
const (
	codeUnauthorized = "unauthorized"
	codeRateLimited  = "rate_limited"
)

// kinds are all kinds of problems, by status.
var kinds = []Kind{
	{http.StatusBadRequest, string(annals.CodeInvalid), "The request cannot be read.", "Correct what the text names: JSON, a parameter or a header."},
	{http.StatusUnauthorized, codeUnauthorized, "The key is missing, wrong, expired or revoked.", "Send `Authorization: Bearer KEY`; `annals keys create` makes a key."},
	{http.StatusForbidden, string(annals.CodeForbidden), "The key, or the tenant, may not do this, or a higher authority set what it would change.", "Use a key with the right, the group or the authority that the text names."},
	{http.StatusNotFound, string(annals.CodeNotFound), "It is not there, or the key does not open it.", "Look at the id and the group; lists show what there is."},
	{http.StatusMethodNotAllowed, "method_not_allowed", "The path has no such method.", "Use one of those in the header `Allow`, or in `/openapi.json`."},
	{http.StatusNotAcceptable, "not_acceptable", "The answer has no form that the header `Accept` takes.", "Accept `application/json`."},
	{http.StatusRequestTimeout, "timeout", "The body did not come within a minute, or stalled.", "Send it again, in parts where the line is slow."},
	{http.StatusConflict, string(annals.CodeConflict), "What is stored forbids it: it was erased or withdrawn, is there already or in work.", "Do what the text says. With `Retry-After`: send it again after so many seconds."},
	{http.StatusPreconditionFailed, "precondition_failed", "It was changed since the ETag in `If-Match`, or the version given.", "Read it again, and decide anew."},
	{http.StatusRequestEntityTooLarge, "too_large", "The body, unpacked, is over the limit: 4 MiB, of a search or context 256 KiB.", "Send it in parts."},
	{http.StatusUnsupportedMediaType, "unsupported_media_type", "The body has a type or an encoding that the route does not take.", "Send `application/json`, plain or packed by gzip."},
	{http.StatusUnprocessableEntity, string(annals.CodeInvalid), "An input breaks a rule.", "Correct each of `errors`: it names the input and its limit."},
	{http.StatusTooManyRequests, codeRateLimited, "The key makes more requests than it may.", "Wait as `Retry-After` says; `ANNALS_RATE_LIMIT` sets the limit."},
	{http.StatusInternalServerError, string(annals.CodeInternal), "A defect, or a failure that nobody expected.", "Look for the request's id (`X-Request-Id`) in the log, and report it."},
	{http.StatusNotImplemented, "not_implemented", "Another memory's client asks for what there is not here.", "See [zep.md](zep.md) and [graphiti.md](graphiti.md) for what takes its place."},
	{http.StatusServiceUnavailable, string(annals.CodeUnavailable), "The database or a model cannot be reached, or there is too much in work.", "Send it again, after `Retry-After` where that is given; `annals doctor` says what does not answer."},
}

// Kinds returns all kinds of problems, by status.
func Kinds() []Kind { return kinds }

// codes maps statuses to the codes of problems.
var codes = func() map[int]string {
	all := map[int]string{}
	for _, k := range kinds {
		all[k.Status] = k.Code
	}
	return all
}()
