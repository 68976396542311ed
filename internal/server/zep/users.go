package zep

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

var userRoutes = []route{
	{"POST", "/users", with((*call).addUser)},
	{"GET", "/users-ordered", (*call).listUsers},
	{"GET", "/users/{user}", on((*call).namedUser, (*call).getUser)},
	{"PATCH", "/users/{user}", with((*call).updateUser)},
	{"DELETE", "/users/{user}", on((*call).namedUser, (*call).deleteUser)},
	{"GET", "/users/{user}/node", on((*call).namedUser, (*call).userNode)},
	{"GET", "/users/{user}/threads", on((*call).namedUser, (*call).userThreads)},
	{"GET", "/users/{user}/warm", on((*call).namedUser, (*call).warmUser)},
}

// userLabel is the type of the node that stands for a user.
const userLabel = "User"

// userView is a user on the wire.
type userView struct {
	UUID        string          `json:"uuid"`
	UserID      string          `json:"user_id"`
	Email       string          `json:"email,omitempty"`
	FirstName   string          `json:"first_name,omitempty"`
	LastName    string          `json:"last_name,omitempty"`
	TimeZone    string          `json:"time_zone,omitempty"`
	Metadata    json.RawMessage `json:"metadata,omitempty"`
	Plain       bool            `json:"disable_default_ontology"`
	GraphUUID   string          `json:"graph_uuid"`
	ProjectUUID string          `json:"project_uuid"`
	CreatedAt   string          `json:"created_at"`
	UpdatedAt   string          `json:"updated_at"`
}

func (c *call) userView(u service.User) userView {
	return userView{
		UUID: groupUUID(u.GroupID), UserID: c.realm.local(u.GroupID), Email: u.Email, FirstName: u.FirstName, LastName: u.LastName,
		TimeZone: u.TimeZone, Metadata: u.Metadata, Plain: u.Plain, GraphUUID: groupUUID(u.GroupID),
		ProjectUUID: c.realm.projectUUID(), CreatedAt: stamp(u.CreatedAt), UpdatedAt: stamp(u.UpdatedAt),
	}
}

// stamp is a time on the wire.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// stampOr is a time on the wire; nil: there is none.
func stampOr(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := stamp(t)
	return &s
}

// userFields are the fields of a user to create or change. Null empties a
// field; a field that is left out stays.
type userFields struct {
	UserID    string           `json:"user_id"`
	Email     *string          `json:"email"`
	FirstName *string          `json:"first_name"`
	LastName  *string          `json:"last_name"`
	Metadata  json.RawMessage  `json:"metadata"`
	TimeZone  nullable[string] `json:"time_zone"`
	Plain     *bool            `json:"disable_default_ontology"`
}

// nullable tells null from what is left out.
type nullable[T any] struct {
	given bool
	value T
}

// UnmarshalJSON reads null as the zero value.
func (n *nullable[T]) UnmarshalJSON(text []byte) error {
	n.given = true
	if string(text) == "null" {
		return nil
	}
	return json.Unmarshal(text, &n.value)
}

func (n nullable[T]) pointer() *T {
	if !n.given {
		return nil
	}
	return &n.value
}

func orZero[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// object is a JSON object, or nothing where it is null.
func object(text json.RawMessage) json.RawMessage {
	if string(text) == "null" {
		return nil
	}
	return text
}

func (c *call) addUser(in userFields) (any, error) {
	u, err := c.makeUser(in)
	return c.userView(u), err
}

func (c *call) makeUser(in userFields) (service.User, error) {
	p, err := c.free("user_id", in.UserID)
	if err != nil {
		return service.User{}, err
	}
	u, err := p.CreateUser(c.ctx(), service.User{
		GroupID: p.group, Email: orZero(in.Email), FirstName: orZero(in.FirstName), LastName: orZero(in.LastName),
		TimeZone: in.TimeZone.value, Metadata: object(in.Metadata), Plain: orZero(in.Plain), Force: true,
	})
	if err != nil {
		return u, taken(err, in.UserID)
	}
	if err := c.adopt(p); err != nil {
		return u, err
	}
	return u, c.noteUser(p, u)
}

// taken turns a conflict into an error that names the id. Users and graphs
// share ids.
func taken(err error, id string) error {
	if err != nil && annals.CodeOf(err) == annals.CodeConflict {
		return refusal(http.StatusBadRequest, "there is a user or a graph "+id+" already")
	}
	return err
}

// noteUser adds the user to their own graph.
func (c *call) noteUser(p place, u service.User) error {
	attributes, err := json.Marshal(map[string]string{
		"user_id": c.realm.local(u.GroupID), "email": u.Email, "first_name": u.FirstName, "last_name": u.LastName,
	})
	if err != nil {
		return err
	}
	_, err = p.AddEntities(c.ctx(), p.group, []annals.Entity{{
		Name: c.nameOf(u), Labels: []string{userLabel}, Attributes: attributes,
	}})
	return err
}

// nameOf returns the name of a user in the graph.
func (c *call) nameOf(u service.User) string {
	return cmp.Or(u.Name(), c.realm.ownGroup(u.GroupID), "user")
}

// free returns the memory of a group to create.
func (c *call) free(field, id string) (place, error) {
	group, err := c.realm.group(field, id)
	if err != nil {
		return place{}, err
	}
	if c.realm.Among != nil && !slices.Contains(c.realm.Among, group) {
		what := id + " is none of them"
		if service.IsNameless(id) { // nobody asked for that name
			what = "what is made without a name would be none of them; a key of a namespace (acme:*) makes it"
		}
		return place{}, forbidden("this key opens some groups only, and " + what)
	}
	return c.in(group)
}

// namedUser returns the user that the path names.
func (c *call) namedUser() (place, service.User, error) { return c.user(c.PathValue("user")) }

func (c *call) getUser(_ place, u service.User) (any, error) {
	return c.userView(u), nil
}

func (c *call) updateUser(in userFields) (any, error) {
	p, before, err := c.user(c.PathValue("user"))
	if err != nil {
		return nil, err
	}
	u, err := c.changeUser(p, before, in)
	return c.userView(u), err
}

func (c *call) changeUser(p place, before service.User, in userFields) (u service.User, err error) {
	change := service.UserChange{
		Email: in.Email, FirstName: in.FirstName, LastName: in.LastName, TimeZone: in.TimeZone.pointer(), Plain: in.Plain,
	}
	if len(object(in.Metadata)) > 0 {
		if change.Metadata, err = graph.PatchObject(before.Metadata, in.Metadata); err != nil {
			return u, graph.Invalid("metadata", "is no object")
		}
	}
	if u, err = p.UpdateUser(c.ctx(), p.group, change); err != nil {
		return u, err
	}
	if old, now := c.nameOf(before), c.nameOf(u); old != now {
		if node, err := p.Entity(c.ctx(), p.group, old); err == nil {
			if _, err := p.EditEntity(c.ctx(), p.group, node.ID, annals.EntityEdit{Name: &now}); err != nil {
				return u, err
			}
		}
	}
	return u, nil
}

// deleteUser erases a user with everything known about them.
func (c *call) deleteUser(p place, _ service.User) (any, error) {
	_, err := p.Erase(c.ctx(), annals.Erasure{GroupID: p.group, Later: true})
	return done, err
}

func (c *call) userNode(p place, u service.User) (any, error) {
	node, err := c.nodeOf(p, u)
	if err != nil || node == nil {
		return map[string]any{}, err
	}
	return map[string]any{"node": node}, nil
}

// nodeOf returns the node of a user; nil where there is none.
func (c *call) nodeOf(p place, u service.User) (any, error) {
	entity, err := p.Entity(c.ctx(), p.group, c.nameOf(u))
	switch annals.CodeOf(err) {
	case annals.CodeNotFound, annals.CodeConflict:
		if err != nil {
			return nil, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return c.oneNode(p, entity)
}

// warmUser runs a search, so that the database has the user's rows in memory.
func (c *call) warmUser(p place, u service.User) (any, error) {
	_, err := p.Search(c.ctx(), annals.Query{GroupID: p.group, Text: c.nameOf(u)})
	return done, err
}

func (c *call) listUsers() (any, error) {
	page, _, err := c.page(50, "created_at", "user_id", "email")
	if err != nil {
		return nil, err
	}
	users, total, err := c.all().Users(c.ctx(), page)
	if err != nil {
		return nil, err
	}
	return map[string]any{"users": views(users, c.userView), "total_count": total, "row_count": len(users)}, nil
}

// page reads the page parameters of a list.
func (c *call) page(size int, orders ...string) (service.Page, int, error) {
	q := c.URL.Query()
	number, err := whole("page_number", cmp.Or(q.Get("pageNumber"), q.Get("page_number")), 1, 1, 1<<20)
	if err != nil {
		return service.Page{}, 0, err
	}
	if size, err = whole("page_size", cmp.Or(q.Get("pageSize"), q.Get("page_size")), size, 1, 1000); err != nil {
		return service.Page{}, 0, err
	}
	p := service.Page{
		Within: c.realm.Within, Search: strings.TrimSpace(q.Get("search")), OrderBy: q.Get("order_by"), Ascending: q.Get("asc") == "true",
		Skip: (number - 1) * size, Limit: size,
	}
	if p.OrderBy != "" && !slices.Contains(orders, p.OrderBy) {
		return p, 0, graph.Invalid("order_by", "%q is not one of %s", p.OrderBy, strings.Join(orders, ", "))
	}
	return p, number, nil
}

func views[Row, View any](rows []Row, view func(Row) View) []View {
	out := make([]View, len(rows))
	for i, row := range rows {
		out[i] = view(row)
	}
	return out
}
