// Package project implements what all generations of Zep's clients do with a project: finding its
// users, graphs and threads, adding to them, listing and searching. A project is the namespace of
// an API key. The packages v3 and v4 decode the requests of one generation each, and encode the
// responses.
package project

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/service"
)

// Routes maps routes, such as GET /users/{user}, to their handlers. The paths are relative to the
// root of the generation.
type Routes map[string]Answer

// Together returns the union of several Routes.
func Together(lists ...Routes) Routes {
	all := Routes{}
	for _, list := range lists {
		maps.Copy(all, list)
	}
	return all
}

// Answer handles a request. Its result is encoded as JSON.
type Answer func(*Call) (any, error)

// Answered is a result with a status other than 200.
type Answered struct {
	Status int
	Body   any
}

// Call is a request that is being handled.
type Call struct {
	*http.Request
	Realm

	// Ignored lists parts of the request that have no effect.
	Ignored []string

	// Without names, in sentences, the models that did not answer a search; empty: none.
	Without string

	// Cursor is the cursor of the next page of a list; empty: there is none.
	Cursor string

	server *server.Server
	decode func(req *http.Request, into any) error
}

// NewCall creates a Call for a request, whose body decode decodes.
func NewCall(s *server.Server, req *http.Request, decode func(*http.Request, any) error) *Call {
	return &Call{Request: req, Realm: realmOf(server.CallerOf(req.Context())), server: s, decode: decode}
}

// Ignore records that parts of the request have no effect.
func (c *Call) Ignore(fields ...string) {
	for _, f := range fields {
		if !slices.Contains(c.Ignored, f) {
			c.Ignored = append(c.Ignored, f)
		}
	}
}

// All returns the service of all groups. Its user must check which groups the API key opens.
func (c *Call) All() *service.Service { return service.New(c.server.All()) }

// Memory is a group that a request is about, with a client that is bound to it.
type Memory struct {
	Client  *annals.Client
	Service *service.Service
	Call    *Call
	ID      string // of the group
	IsUser  bool   // whether the group is known to be a user's
}

// Ctx returns the context of the request.
func (m Memory) Ctx() context.Context { return m.Call.Context() }

// In opens the memory of a group. It fails if the API key does not open the group.
func (c *Call) In(group string) (Memory, error) {
	client, err := c.server.ClientIn(c.Context(), group)
	if err != nil {
		return Memory{}, err
	}
	return Memory{Client: client, Service: service.New(client), Call: c, ID: group}, nil
}

// search searches the memory and records which models did not answer.
func (m Memory) search(q annals.Query) (annals.Result, error) {
	found, err := m.Client.Search(m.Ctx(), q)
	if without := found.SearchedWithout(); without != "" {
		m.Call.Without = without
	}
	return found, err
}

// With makes a handler that decodes a body.
func With[In, Out any](answer func(*Call, In) (Out, error)) Answer {
	return func(c *Call) (any, error) {
		var in In
		if err := c.decode(c.Request, &in); err != nil {
			return nil, err
		}
		return answer(c, in)
	}
}

// On makes a handler for the row that the path names, which find looks up.
func On[What, Out any](find func(*Call) (What, error), answer func(What) (Out, error)) Answer {
	return func(c *Call) (any, error) {
		what, err := find(c)
		if err != nil {
			return nil, err
		}
		return answer(what)
	}
}

// OnWith makes a handler with a body for the row that the path names. It decodes the body first.
func OnWith[In, What, Out any](find func(*Call) (What, error), answer func(What, In) (Out, error)) Answer {
	return With(func(c *Call, in In) (any, error) {
		return On(find, func(what What) (Out, error) { return answer(what, in) })(c)
	})
}

// NotFound returns a problem with status 404.
func NotFound(what string) error { return server.NewProblem(http.StatusNotFound, what) }

// forbidden returns a problem with status 403.
func forbidden(why string) error { return server.NewProblem(http.StatusForbidden, why) }

// Unsupported returns a problem with status 501: Annals has no counterpart.
func Unsupported(what string) error {
	return server.NewProblem(http.StatusNotImplemented, what+" is not there in Annals; docs/zep.md says what is, and what to use in its place")
}

// ProblemOf converts an error to a problem. Like Zep, it uses status 400 for conflicts, such as a
// user that exists already.
func ProblemOf(err error) *server.Problem {
	p := server.ProblemOf(err)
	switch annals.CodeOf(err) {
	case annals.CodeInvalid, annals.CodeConflict:
		p.Status = http.StatusBadRequest
	}
	return p
}

// missing reports whether an error has [annals.CodeNotFound].
func missing(err error) bool { return annals.CodeOf(err) == annals.CodeNotFound }

// OrAbsent replaces an error with [annals.CodeNotFound] by one that names what is missing.
func OrAbsent(err error, what, id string) error {
	if missing(err) {
		return NotFound(what + " not found: " + id)
	}
	return err
}

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
