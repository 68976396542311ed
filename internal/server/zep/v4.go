package zep

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/service"
)

// routes4 lists all routes that clients of version 4 call.
func routes4() []route {
	return slices.Concat(
		v4UserRoutes, v4ThreadRoutes, v4GraphRoutes, v4SettingRoutes, v4SearchRoutes, v4NodeRoutes, v4EdgeRoutes, v4HyperedgeRoutes,
		v4EpisodeRoutes, v4BatchRoutes, v4TemplateRoutes, v4TaskRoutes, unsupported4,
	)
}

// v4 reports whether the request is of version 4.
func (c *call) v4() bool { return strings.HasPrefix(c.URL.Path, fourthRoot) }

// v4Error is an error as version 4 has it.
type v4Error struct {
	Code      string         `json:"code"`
	Message   string         `json:"message"`
	Param     string         `json:"param,omitempty"`
	RequestID string         `json:"request_id,omitempty"`
	Details   map[string]any `json:"details,omitempty"`
}

// v4Codes maps statuses to codes.
var v4Codes = map[int]string{
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

func v4Problem(r *http.Request, p *server.Problem) any {
	e := v4Error{Code: v4Codes[p.Status], Message: p.Detail, RequestID: server.RequestID(r.Context())}
	if e.Code == "" {
		e.Code = "internal_error"
	}
	if len(p.Errors) > 0 {
		e.Param = p.Errors[0].Location
	}
	return map[string]any{"error": e}
}

// v4With makes a route that takes a body. A field that the route does not know is
// refused: to leave it out in silence would be to do something else.
func v4With[T any](answer func(*call, T) (any, error)) func(*call) (any, error) {
	return func(c *call) (any, error) {
		var in T
		text, err := io.ReadAll(c.Body)
		if err != nil {
			return nil, graph.Invalid("body", "cannot be read to its end")
		}
		if len(bytes.TrimSpace(text)) > 0 {
			if err := strictly(text, &in); err != nil {
				return nil, err
			}
		}
		return answer(c, in)
	}
}

func strictly(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			return graph.Invalid("body", "has something behind its JSON; send one object")
		}
		return nil
	}
	if field, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return graph.Invalid(strings.Trim(field, `"`), "is not a field of this route; docs/zep.md says what is different")
	}
	if known, ok := errors.AsType[*annals.Error](err); ok {
		return known
	}
	return graph.Invalid("body", "is not what this route takes: %v", err)
}

func created(body any) (any, error)  { return answered{http.StatusCreated, body}, nil }
func accepted(body any) (any, error) { return answered{http.StatusAccepted, body}, nil }
func noContent(err error) (any, error) {
	return answered{http.StatusNoContent, nil}, err
}

// v4Page is a page of a list.
type v4Page struct {
	Items      any    `json:"items"`
	NextCursor string `json:"next_cursor,omitempty"`
	TotalSize  *int   `json:"total_size,omitempty"`
}

// v4Stretch is the stretch of a list that a request asks for, by how many rows come
// before it.
type v4Stretch struct{ skip, size int }

const v4MaxPage = 1000

// stretch4 reads the stretch of a list.
func (c *call) stretch4(usual, most int) (v4Stretch, error) {
	q := c.URL.Query()
	size, err := whole("page_size", q.Get("page_size"), usual, 1, most)
	if err != nil || q.Get("cursor") == "" {
		return v4Stretch{0, size}, err
	}
	text, err := base64.RawURLEncoding.DecodeString(q.Get("cursor"))
	skip, err1 := strconv.Atoi(string(text))
	if err != nil || err1 != nil || skip < 0 || skip > 1<<30 {
		return v4Stretch{}, graph.Invalid("cursor", "is not one that this list returned")
	}
	return v4Stretch{skip, size}, nil
}

// cursor4 is where a page begins, for [call.stretch4].
func cursor4(skip int) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.Itoa(skip)))
}

// page4 makes a page of rows, of which more come where there is one more than asked
// for.
func page4[Row, View any](s v4Stretch, rows []Row, view func(Row) View) v4Page {
	p := v4Page{}
	if len(rows) > s.size {
		rows = rows[:s.size]
		p.NextCursor = cursor4(s.skip + s.size)
	}
	p.Items = views(rows, view)
	return p
}

// among makes a page of rows that are all at hand.
func among[Row, View any](s v4Stretch, rows []Row, view func(Row) View) v4Page {
	return page4(s, rows[min(s.skip, len(rows)):], view)
}

// listed4 is a page of a list that is followed by its last row; see [call.next].
func listed4[Row, View any](c *call, rows []Row, view func(Row) View) v4Page {
	return v4Page{Items: views(rows, view), NextCursor: c.cursor}
}

// v4Listing reads the listing that the query asks for, narrowed by filters that are
// among the known ones.
func (c *call) v4Listing(in v4Filters, known ...string) (listing, error) {
	filters, err := in.search(known...)
	if err != nil {
		return listing{}, err
	}
	q := c.URL.Query()
	size, err := whole("page_size", q.Get("page_size"), defaultPage, 1, v4MaxPage)
	if err != nil {
		return listing{}, err
	}
	return listing{Cursor: q.Get("cursor"), Direction: q.Get("order"), Limit: &size, OrderBy: q.Get("order_by"), Filters: filters}, nil
}

// page4Of reads which page of a list over many groups is asked for.
func (c *call) page4Of(search string, orders map[string]string) (service.Page, v4Stretch, error) {
	s, err := c.stretch4(50, v4MaxPage-1)
	if err != nil {
		return service.Page{}, s, err
	}
	q := c.URL.Query()
	p := service.Page{
		Within: c.realm.Within, Search: strings.TrimSpace(search), Ascending: q.Get("order") == "asc", Skip: s.skip, Limit: s.size + 1,
	}
	if order := q.Get("order"); order != "" && order != "asc" && order != "desc" {
		return p, s, graph.Invalid("order", "%q is not one of asc, desc", order)
	}
	if by := q.Get("order_by"); by != "" {
		known, ok := orders[by]
		if !ok {
			return p, s, graph.Invalid("order_by", "%q is not one that this list can be ordered by", by)
		}
		p.OrderBy = known
	}
	return p, s, nil
}

// uuidIn reads a UUID of a path.
func (c *call) uuidIn(name string) (uuid.UUID, error) {
	id, err := uuid.Parse(c.PathValue(name))
	if err != nil {
		return id, graph.Invalid(name+"_uuid", "%q is no UUID; look it up by the id of your own with lookup", c.PathValue(name))
	}
	return id, nil
}

// memory returns the memory of a UUID: that of a graph, or of a user and their
// graph.
func (c *call) memory(what, text string) (place, annals.Group, error) {
	absent := notFound(what + " not found: " + text)
	id, err := uuid.Parse(text)
	if err != nil {
		return place{}, annals.Group{}, graph.Invalid(what+"_uuid", "%q is no UUID; look it up by the id of your own with lookup", text)
	}
	group, err := c.all().GroupOfUUID(c.ctx(), c.realm.Within, id)
	if err != nil {
		return place{}, annals.Group{}, err
	}
	if group == "" || !server.CallerOf(c.ctx()).Opens(group) || group == c.realm.Namespace {
		return place{}, annals.Group{}, absent
	}
	p, err := c.in(group)
	if err != nil {
		return place{}, annals.Group{}, err
	}
	g, err := p.Group(c.ctx(), group)
	if annals.CodeOf(err) == annals.CodeNotFound && err != nil {
		return place{}, g, absent
	}
	p.user = g.Kind == graph.GroupUser
	if what == "user" && !p.user {
		return place{}, g, absent
	}
	return p, g, err
}

// graphIn returns the graph that the path names.
func (c *call) graphIn() (place, annals.Group, error) { return c.memory("graph", c.PathValue("graph")) }

// userIn returns the user that the path names.
func (c *call) userIn() (place, service.User, error) {
	p, g, err := c.memory("user", c.PathValue("user"))
	if err != nil {
		return p, service.User{}, err
	}
	u, err := p.User(c.ctx(), g.ID)
	return p, u, err
}

// threadIn returns the conversation that the path names, and its memory.
func (c *call) threadIn() (place, service.ThreadPlace, error) {
	return c.threadBy(c.PathValue("thread"))
}

func (c *call) threadBy(text string) (place, service.ThreadPlace, error) {
	id, err := uuid.Parse(text)
	if err != nil {
		return place{}, service.ThreadPlace{}, graph.Invalid("thread_uuid", "%q is no UUID; look it up by the id of your own with lookup", text)
	}
	t, err := c.all().ThreadOfUUID(c.ctx(), c.realm.Within, id)
	if err != nil {
		return place{}, t, err
	}
	if t.ID == "" || !server.CallerOf(c.ctx()).Opens(t.GroupID) {
		return place{}, t, notFound("thread not found: " + text)
	}
	p, err := c.in(t.GroupID)
	if err != nil {
		return p, t, err
	}
	g, err := p.Group(c.ctx(), t.GroupID)
	p.user = g.Kind == graph.GroupUser
	return p, t, err
}

// v4Owner says whose something is.
type v4Owner struct {
	GraphUUID string `json:"graph_uuid"`
	UserUUID  string `json:"user_uuid,omitempty"`
}

func (p place) owner() v4Owner {
	o := v4Owner{GraphUUID: groupUUID(p.group)}
	if p.user {
		o.UserUUID = o.GraphUUID
	}
	return o
}

// ownName is the name that the application gave to a conversation or a template; empty:
// it gave none.
func ownName(name string) string {
	if service.IsNameless(name) {
		return ""
	}
	return name
}

// ownGroup is the name that the application gave to a user or a graph; empty: it gave
// none.
func (r realm) ownGroup(group string) string {
	if service.IsNamelessGroup(group) {
		return ""
	}
	return r.local(group)
}

// repeatable is the group that a request adds to, where the same request may come
// again because its answer was lost: the clients of version 4 send each with a key of
// its own. Batches are the project's. Empty: it adds nothing to a group.
func (c *call) repeatable(r *route) (string, error) {
	if !c.v4() || r.method != http.MethodPost || r.needed() == service.RightsRead || c.Header.Get("Idempotency-Key") == "" {
		return "", nil
	}
	switch {
	case c.PathValue("graph") != "":
		p, _, err := c.graphIn()
		return p.group, err
	case c.PathValue("thread") != "":
		p, _, err := c.threadIn()
		return p.group, err
	case strings.HasPrefix(r.path, "/batches"):
		_, project, err := c.project()
		return project, err
	}
	return "", nil
}
