// Package project answers what all generations of Zep's clients ask of a project: it
// finds its users, graphs and threads, adds to them, lists and searches them. A
// project is the namespace of an API key. The packages v3 and v4 beside it read the
// requests of one generation each, and write the answers.
package project

import (
	"context"
	"maps"
	"net/http"
	"slices"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/service"
)

// Routes maps routes to their answers, as in GET /users/{user}. The paths begin behind
// the root of their generation.
type Routes map[string]Answer

// Together are all routes of several lists.
func Together(lists ...Routes) Routes {
	all := Routes{}
	for _, list := range lists {
		maps.Copy(all, list)
	}
	return all
}

// Answer answers a request. The answer is written as JSON.
type Answer func(*Call) (any, error)

// Answered is an answer with a status other than 200.
type Answered struct {
	Status int
	Body   any
}

// Call is a request being answered.
type Call struct {
	*http.Request
	Realm

	// Ignored names what was asked for and is not heeded.
	Ignored []string

	// Without says in sentences which models did not answer a search; empty: none.
	Without string

	// Cursor is where the next page of a list begins; empty: there is none.
	Cursor string

	server *server.Server
	tokens int // that a context block may have
}

// NewCall makes a call of a request. A context block may have so many tokens.
func NewCall(s *server.Server, contextTokens int, req *http.Request) *Call {
	return &Call{Request: req, Realm: realmOf(server.CallerOf(req.Context())), server: s, tokens: contextTokens}
}

// Ignore notes that something was asked for which is not heeded.
func (c *Call) Ignore(fields ...string) {
	for _, f := range fields {
		if !slices.Contains(c.Ignored, f) {
			c.Ignored = append(c.Ignored, f)
		}
	}
}

// All is the service of all groups. Its callers must check which groups the key opens.
func (c *Call) All() *service.Service { return service.New(c.server.All()) }

// Memory is a group that a request is about, with a client that is bound to it.
type Memory struct {
	Client  *annals.Client
	Service *service.Service
	Call    *Call
	ID      string // of the group
	IsUser  bool   // it is known to be that of a user
}

// Ctx is the context of the request.
func (m Memory) Ctx() context.Context { return m.Call.Context() }

// In opens the memory of a group that the key opens.
func (c *Call) In(group string) (Memory, error) {
	client, err := c.server.ClientIn(c.Context(), group)
	if err != nil {
		return Memory{}, err
	}
	return Memory{Client: client, Service: service.New(client), Call: c, ID: group}, nil
}

// search searches the memory, and notes which models did not answer.
func (m Memory) search(q annals.Query) (annals.Result, error) {
	found, err := m.Client.Search(m.Ctx(), q)
	if without := found.SearchedWithout(); without != "" {
		m.Call.Without = without
	}
	return found, err
}

// With makes an answer that takes a body, which is read by the first function.
func With[In any](read func(*http.Request) (In, error), answer func(*Call, In) (any, error)) Answer {
	return func(c *Call) (any, error) {
		in, err := read(c.Request)
		if err != nil {
			return nil, err
		}
		return answer(c, in)
	}
}

// On makes an answer about what the path names.
func On[What any](find func(*Call) (What, error), answer func(What) (any, error)) Answer {
	return func(c *Call) (any, error) {
		what, err := find(c)
		if err != nil {
			return nil, err
		}
		return answer(what)
	}
}

// OnWith makes an answer about what the path names that takes a body. The body is
// read first.
func OnWith[In, What any](read func(*http.Request) (In, error), find func(*Call) (What, error), answer func(What, In) (any, error)) Answer {
	return With(read, func(c *Call, in In) (any, error) {
		what, err := find(c)
		if err != nil {
			return nil, err
		}
		return answer(what, in)
	})
}

// NotFound says that something is not there.
func NotFound(what string) error { return server.NewProblem(http.StatusNotFound, what) }

// forbidden says why something is not allowed.
func forbidden(why string) error { return server.NewProblem(http.StatusForbidden, why) }

// Unsupported says that Annals has no counterpart for something.
func Unsupported(what string) error {
	return server.NewProblem(http.StatusNotImplemented, what+" is not there in Annals; docs/zep.md says what is, and what to use in its place")
}

// ProblemOf returns what to tell the caller of an error. Like Zep it answers 400 to
// conflicts, as where a user exists already.
func ProblemOf(err error) *server.Problem {
	p := server.ProblemOf(err)
	switch annals.CodeOf(err) {
	case annals.CodeInvalid, annals.CodeConflict:
		p.Status = http.StatusBadRequest
	}
	return p
}

// missing reports whether an error says that something is not there.
func missing(err error) bool { return annals.CodeOf(err) == annals.CodeNotFound }

// OrAbsent says what is not there where an error says that it is not.
func OrAbsent(err error, what, id string) error {
	if missing(err) {
		return NotFound(what + " not found: " + id)
	}
	return err
}
