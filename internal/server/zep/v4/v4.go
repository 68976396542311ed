// Package v4 decodes the requests of clients of version 4 of Zep, under /api/v4, and encodes the
// responses. Package project executes them. The clients identify users, graphs and threads by
// UUIDs, which are derived from their names.
package v4

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/zep/project"
	"github.com/annalsdb/annals/internal/service"
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

// parsed parses a UUID of what it names.
func parsed(what, text string) (uuid.UUID, error) {
	id, err := uuid.Parse(text)
	if err != nil {
		return id, graph.Invalid(what+"_uuid", "%q is no UUID; look it up by the id of your own with lookup", text)
	}
	return id, nil
}

// uuidIn parses a UUID of the path.
func uuidIn(c *project.Call, name string) (uuid.UUID, error) { return parsed(name, c.PathValue(name)) }

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
	id, err := parsed(what, text)
	if err != nil {
		return "", err
	}
	return c.All().GroupOfUUID(c.Context(), c.Within, id)
}

// thread is a thread with its memory.
type thread struct{ project.Thread }

// threadIn returns the thread of the path.
func threadIn(c *project.Call) (thread, error) { return threadBy(c, c.PathValue("thread")) }

func threadBy(c *project.Call, text string) (t thread, err error) {
	id, err := parsed("thread", text)
	if err != nil {
		return t, err
	}
	if t.Place, err = c.All().ThreadOfUUID(c.Context(), c.Within, id); err != nil {
		return t, err
	}
	g, err := c.Open("thread", text, t.Place.GroupID)
	t.Memory = g.Memory
	return t, err
}

// page is the JSON form of a page of a list.
type page struct {
	Items      any    `json:"items"`
	NextCursor string `json:"next_cursor,omitempty"`
	TotalSize  *int   `json:"total_size,omitempty"`
}

// stretch is a range of a list: how many rows to skip, and how many to return.
type stretch struct{ skip, size int }

// The size of pages.
const (
	maxPage  = 1000
	ownPage  = 50                  // for users, graphs, threads, templates and batches
	rowsPage = project.DefaultPage // for rows of a graph
)

// stretchOf parses the range of a list.
func stretchOf(c *project.Call, usual, most int) (stretch, error) {
	q := c.URL.Query()
	var r project.Reader
	size := r.Whole("page_size", q.Get("page_size"), usual, 1, most)
	if r.Err != nil || q.Get("cursor") == "" {
		return stretch{0, size}, r.Err
	}
	text, err := base64.RawURLEncoding.DecodeString(q.Get("cursor"))
	skip, err1 := strconv.Atoi(string(text))
	if err != nil || err1 != nil || skip < 0 || skip > 1<<30 {
		return stretch{}, graph.Invalid("cursor", "is not one that this list returned")
	}
	return stretch{skip, size}, nil
}

// cursorAt returns the cursor of a page, for [stretchOf].
func cursorAt(skip int) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.Itoa(skip)))
}

// pageOf makes a page of rows. If there is one row more than the page holds, another page follows.
func pageOf[Row, View any](s stretch, rows []Row, view func(Row) View) page {
	p := page{}
	if len(rows) > s.size {
		rows = rows[:s.size]
		p.NextCursor = cursorAt(s.skip + s.size)
	}
	p.Items = each.Of(rows, view)
	return p
}

// same returns a view unchanged.
func same[View any](v View) View { return v }

// among makes a page of rows that are all in memory.
func among[Row, View any](c *project.Call, usual int, rows []Row, view func(Row) View) (page, error) {
	s, err := stretchOf(c, usual, maxPage)
	if err != nil {
		return page{}, err
	}
	return cut(s, rows, view), nil
}

func cut[Row, View any](s stretch, rows []Row, view func(Row) View) page {
	return pageOf(s, rows[min(s.skip, len(rows)):], view)
}

// ranged makes a page of rows that list reads by their range. It reads one row more than the page holds.
func ranged[Row, View any](c *project.Call, usual int, list func(skip, limit int) ([]Row, error), view func(Row) View) (page, error) {
	s, err := stretchOf(c, usual, maxPage-1)
	if err != nil {
		return page{}, err
	}
	rows, err := list(s.skip, s.size+1)
	return pageOf(s, rows, view), err
}

// counted is [ranged] with the total number of rows.
func counted[Row, View any](c *project.Call, usual int, list func(skip, limit int) ([]Row, int, error), view func(Row) View) (page, error) {
	var total int
	p, err := ranged(c, usual, func(skip, limit int) (rows []Row, err error) {
		rows, total, err = list(skip, limit)
		return rows, err
	}, view)
	p.TotalSize = &total
	return p, err
}

// over makes a page of a list over the groups of p. orders maps the values of order_by to those of
// the service.
func over[Row, View any](c *project.Call, p service.Page, orders map[string]string, list func(context.Context, service.Page) ([]Row, int, error), view func(Row) View) (page, error) {
	q := c.URL.Query()
	ascending, err := isAscending(q.Get("order"), false)
	if err != nil {
		return page{}, err
	}
	known, ok := orders[q.Get("order_by")]
	if !ok && q.Get("order_by") != "" {
		return page{}, graph.Invalid("order_by", "%q is not one that this list can be ordered by", q.Get("order_by"))
	}
	p.Search, p.Ascending, p.OrderBy = strings.TrimSpace(p.Search), ascending, known
	return counted(c, ownPage, func(skip, limit int) ([]Row, int, error) {
		p.Skip, p.Limit = skip, limit
		return list(c.Context(), p)
	}, view)
}

// isAscending parses the direction of a list; empty: the usual one.
func isAscending(order string, usual bool) (bool, error) {
	if order != "" && order != "asc" && order != "desc" {
		return false, graph.Invalid("order", "%q is not one of asc, desc", order)
	}
	return order == "asc" || order == "" && usual, nil
}

// filtered is a request for a filtered list.
type filtered struct {
	Filters filters `json:"filters"`
}

// listing parses the listing of the query, with filters among the known ones.
func (in filtered) listing(c *project.Call, known ...string) (l project.Listing, err error) {
	if l.Filters, err = in.Filters.read(known...); err != nil {
		return l, err
	}
	q := c.URL.Query()
	var r project.Reader
	size := r.Whole("page_size", q.Get("page_size"), rowsPage, 1, maxPage)
	l.Cursor, l.Direction, l.Limit, l.OrderBy = q.Get("cursor"), q.Get("order"), &size, q.Get("order_by")
	return l, r.Err
}

// listOf makes a handler that lists rows of a graph.
func listOf[Row, View any](list func(project.Memory, project.Listing) ([]Row, error), view func(Row) View, known ...string) project.Answer {
	return project.OnWith(graphIn, func(g project.Graph, in filtered) (any, error) {
		l, err := in.listing(g.Call, known...)
		if err != nil {
			return nil, err
		}
		rows, err := list(g.Memory, l)
		return listed(g.Call, rows, view), err
	})
}

// listed makes a page whose cursor is that of the call.
func listed[Row, View any](c *project.Call, rows []Row, view func(Row) View) page {
	return page{Items: each.Of(rows, view), NextCursor: c.Cursor}
}
