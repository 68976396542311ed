// Package v4 decodes the requests of clients of version 4 of Zep, under /api/v4, and encodes the
// responses. Package project executes them. The clients identify users, graphs and threads by
// UUIDs, which are derived from their names.
package v4

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/zep/project"
)

// Root is the root of the routes.
const Root = "/api/v4"

// Routes returns all supported routes of clients of version 4.
func Routes() project.Routes {
	return project.Together(ownerRoutes, threadRoutes, settingRoutes, searchRoutes, rowRoutes, hyperedgeRoutes, batchRoutes, agentRoutes, traceRoutes, skillRoutes)
}

// failure is the JSON form of an error.
type failure struct {
	Code      string `json:"code"`
	Message   string `json:"message"`
	Param     string `json:"param,omitempty"`
	RequestID string `json:"request_id,omitempty"`
}

// codes maps HTTP statuses to codes.
var codes = map[int]string{
	http.StatusBadRequest:            "invalid_request",
	http.StatusUnauthorized:          "unauthenticated",
	http.StatusForbidden:             "permission_denied",
	http.StatusNotFound:              "not_found",
	http.StatusMethodNotAllowed:      "method_not_allowed",
	http.StatusConflict:              "conflict",
	http.StatusRequestEntityTooLarge: "content_too_large",
	http.StatusTooManyRequests:       "too_many_requests",
	http.StatusNotImplemented:        "not_implemented",
	http.StatusServiceUnavailable:    "service_unavailable",
}

// Problem returns the body of an error response.
func Problem(r *http.Request, p *server.Problem) any {
	f := failure{Code: codes[p.Status], Message: p.Detail, RequestID: server.RequestID(r.Context())}
	switch {
	case f.Code != "":
	case p.Status < http.StatusInternalServerError:
		f.Code = "invalid_request"
	default:
		f.Code = "internal_error"
	}
	if len(p.Errors) > 0 {
		f.Param = p.Errors[0].Location
	}
	return map[string]any{"error": f}
}

// Repeatable returns the group to which a request adds, if the request may be repeated because its
// response was lost: the clients send each request with its own key. Batches belong to the group of
// the project. Empty: it adds nothing to a group.
func Repeatable(c *project.Call, path string) (string, error) {
	switch {
	case c.PathValue("graph") != "":
		g, err := graphIn(c)
		return g.ID, err
	case c.PathValue("agent") != "":
		a, err := agentIn(c)
		return a.ID, err
	case c.PathValue("thread") != "":
		t, err := threadIn(c)
		return t.ID, err
	case strings.HasPrefix(path, "/batches"):
		m, err := c.Project()
		return m.ID, err
	}
	return "", nil
}

// Decode decodes a body. It refuses unknown fields: ignoring one silently would do something else
// than the caller asked for.
func Decode(r *http.Request, into any) error {
	text, err := server.ReadBody(r)
	if err != nil || len(text) == 0 {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return unread(err)
	}
	if _, more := d.Token(); more != io.EOF {
		return graph.Invalid("body", "has something behind its JSON; send one object")
	}
	return server.FitText("body", text)
}

// unread returns the error for a body that cannot be decoded.
func unread(err error) error {
	if field, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return graph.Invalid(strings.Trim(field, `"`), "is not a field of this route; docs/zep.md says what is different")
	}
	if known, ok := errors.AsType[*annals.Error](err); ok {
		return known
	}
	return graph.Invalid("body", "is not what this route takes: %v", err)
}

func created(body any, err error) (any, error) {
	return project.Answered{Status: http.StatusCreated, Body: body}, err
}

func accepted(body any, err error) (any, error) {
	return project.Answered{Status: http.StatusAccepted, Body: body}, err
}

func noContent(err error) (any, error) {
	return project.Answered{Status: http.StatusNoContent}, err
}

// noUUID returns the error for a text that is not a UUID.
func noUUID(what, text string) error {
	return graph.Invalid(what+"_uuid", "%q is no UUID; look it up by the id of your own with lookup", text)
}

// uuidIn parses a UUID of the path.
func uuidIn(c *project.Call, name string) (uuid.UUID, error) {
	id, err := uuid.Parse(c.PathValue(name))
	if err != nil {
		return id, noUUID(name, c.PathValue(name))
	}
	return id, nil
}

// rowIn makes a function that finds the row of a part of the path, in the graph of the path.
func rowIn[Row any](part string, find func(project.Memory, uuid.UUID) (Row, error)) func(*project.Call) (project.At[Row], error) {
	return func(c *project.Call) (at project.At[Row], err error) {
		g, err := graphIn(c)
		if err != nil {
			return at, err
		}
		id, err := uuidIn(c, part)
		if err != nil {
			return at, err
		}
		at.Memory = g.Memory
		at.Row, err = find(g.Memory, id)
		return at, err
	}
}

// graphOf opens the graph with a UUID: a named one, or that of a user. what names it in errors.
func graphOf(c *project.Call, what, text string) (g project.Graph, err error) {
	group, err := groupOf(c, what, text)
	if err != nil {
		return g, err
	}
	return c.Open(what, text, group)
}

// userOf returns the user with a UUID.
func userOf(c *project.Call, text string) (u project.User, err error) {
	group, err := groupOf(c, "user", text)
	if err != nil {
		return u, err
	}
	return c.UserIn(text, group)
}

// groupOf returns the group with a UUID; empty: there is none.
func groupOf(c *project.Call, what, text string) (string, error) {
	id, err := uuid.Parse(text)
	if err != nil {
		return "", noUUID(what, text)
	}
	return c.All().GroupOfUUID(c.Context(), c.Within, id)
}

// thread is a thread with its memory.
type thread struct{ project.Thread }

// threadIn returns the thread of the path.
func threadIn(c *project.Call) (thread, error) { return threadBy(c, c.PathValue("thread")) }

func threadBy(c *project.Call, text string) (t thread, err error) {
	id, err := uuid.Parse(text)
	if err != nil {
		return t, noUUID("thread", text)
	}
	if t.Place, err = c.All().ThreadOfUUID(c.Context(), c.Within, id); err != nil {
		return t, err
	}
	g, err := c.Open("thread", text, t.Place.GroupID)
	t.Memory = g.Memory
	return t, err
}
