package project

import (
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/service"
)

// Realm is the set of groups that an API key opens, with the prefix of their names. Zep calls it a
// project. With the key of a namespace, user alice is the group acme:alice; with any other key, the
// group alice.
type Realm struct {
	service.Within
	prefix string
}

func realmOf(caller server.Caller) Realm {
	var groups, namespaces []string
	for _, opened := range caller.Groups() {
		if namespace, ok := graph.NamespaceOf(opened); ok {
			namespaces = append(namespaces, namespace)
		} else {
			groups = append(groups, opened)
		}
	}
	switch {
	case caller.Admin():
		return Realm{}
	case len(namespaces) == 1:
		return Realm{Within: service.Within{Namespace: namespaces[0]}, prefix: namespaces[0] + ":"}
	}
	return Realm{Within: service.Within{Among: append([]string{}, groups...)}}
}

// group returns the group of a user or a graph by its id.
func (r Realm) group(field, id string) (string, error) {
	if id == "" {
		return "", graph.Invalid(field, "is empty")
	}
	group := r.prefix + graph.EscapeGroupID(id)
	if err := graph.ValidateGroupID(group); err != nil {
		return "", graph.Invalid(field, "%q cannot be used: it is too long or not text", id)
	}
	return group, nil
}

// Local returns the name of a group without the prefix of the realm.
func (r Realm) Local(group string) string {
	return graph.UnescapeGroupID(strings.TrimPrefix(group, r.prefix))
}

// ownGroup returns the id that the application gave to a user or a graph; empty: it gave none.
func (r Realm) ownGroup(group string) string {
	if service.IsNamelessGroup(group) {
		return ""
	}
	return r.Local(group)
}

// OwnName returns the id that the application gave to a thread or a template; empty: it gave none.
func OwnName(name string) string {
	if service.IsNameless(name) {
		return ""
	}
	return name
}

// madeOf is the UUID namespace of ids that are derived from names and not stored.
var madeOf = uuid.NewSHA1(uuid.NameSpaceOID, []byte("annals:other"))

func named(parts ...string) string {
	return uuid.NewSHA1(madeOf, []byte(strings.Join(parts, "\x00"))).String()
}

// GroupUUID returns the UUID of a user and of their graph, or of a named graph.
func GroupUUID(group string) string { return service.GroupUUID(group).String() }

// ThreadUUID returns the UUID of a thread and of its summary.
func ThreadUUID(group, id string) string { return service.ThreadUUID(group, id).String() }

// ProjectUUID returns the UUID of the project.
func (r Realm) ProjectUUID() string { return named("project", r.Namespace) }

// Project opens the group that holds the settings of the whole project. It fails unless the API key
// is of one namespace.
func (c *Call) Project() (Memory, error) {
	if c.Namespace == "" {
		return Memory{}, forbidden("this is about a project as a whole, and takes the key of one namespace; 'annals keys create --groups acme:*' makes one")
	}
	return c.In(c.Namespace)
}

// Graph is an existing user or graph with their memory.
type Graph struct {
	Memory
	Group annals.Group
}

// Open opens the group of a user or a graph. what and text name it in errors. It is missing as well where
// the API key does not open it.
func (c *Call) Open(what, text, group string) (g Graph, err error) {
	if g.Memory, err = c.opened(what, text, group); err != nil {
		return g, err
	}
	g.Group, err = g.Client.Group(c.Context(), group)
	g.IsUser = g.Group.Kind == graph.GroupUser
	return g, OrAbsent(err, what, text)
}

func (c *Call) opened(what, text, group string) (Memory, error) {
	if group == "" || !server.CallerOf(c.Context()).Opens(group) || group == c.Namespace {
		return Memory{}, NotFound(what + " not found: " + text)
	}
	return c.In(group)
}

// Graph returns a graph by its id.
func (c *Call) Graph(id string) (Graph, error) {
	group, err := c.group("graph_id", id)
	if err != nil {
		return Graph{}, err
	}
	g, err := c.Open("graph", id, group)
	if err == nil && g.IsUser {
		err = NotFound("graph not found: " + id)
	}
	return g, err
}

// User is an existing user with their memory.
type User struct {
	Memory
	Who service.User
}

// User returns a user by their id.
func (c *Call) User(id string) (User, error) {
	group, err := c.group("user_id", id)
	if err != nil {
		return User{}, err
	}
	return c.UserIn(id, group)
}

// UserIn returns the user of a group, whom text names in errors.
func (c *Call) UserIn(text, group string) (u User, err error) {
	if u.Memory, err = c.opened("user", text, group); err != nil {
		return u, err
	}
	u.IsUser = true
	u.Who, err = u.Service.User(c.Context(), u.ID)
	return u, OrAbsent(err, "user", text)
}

// Either opens the memory of a user or of a graph; exactly one id must be given.
func (c *Call) Either(userID, graphID string) (Memory, error) {
	switch {
	case userID != "" && graphID != "":
		return Memory{}, graph.Invalid("graph_id", "cannot be named beside user_id; name one of them")
	case userID != "":
		u, err := c.User(userID)
		return u.Memory, err
	case graphID != "":
		g, err := c.Graph(graphID)
		return g.Memory, err
	}
	return Memory{}, graph.Invalid("user_id", "is missing; name a user_id or a graph_id")
}

// Holding returns the memory that has a row with an id.
func (c *Call) Holding(kind graph.Kind, text string) (Memory, uuid.UUID, error) {
	names := map[graph.Kind]string{graph.KindEntity: "node", graph.KindFact: "edge", graph.KindEpisode: "episode"}
	id, err := uuid.Parse(text)
	if err != nil {
		return Memory{}, uuid.Nil, graph.Invalid("uuid", "%q is no UUID", text)
	}
	group, err := c.All().GroupOf(c.Context(), c.Within, kind, id)
	if err != nil {
		return Memory{}, id, err
	}
	if group == "" {
		return Memory{}, id, NotFound(names[kind] + " not found: " + text)
	}
	m, err := c.In(group)
	return m, id, err
}

// HasThread returns the thread with an id of the application's, of which only place and id are known.
func (c *Call) HasThread(id string) (t Thread, err error) {
	group, err := c.All().GroupOfThread(c.Context(), c.Within, id)
	if err == nil && group == "" {
		err = NotFound("thread not found: " + id)
	}
	if err != nil {
		return t, err
	}
	t.Place = service.ThreadPlace{GroupID: group, ID: id}
	t.Memory, err = c.In(group)
	return t, err
}

// At is a row with its memory.
type At[Row any] struct {
	Memory
	Row Row
}

// Holder makes a function that finds a row by the UUID in a part of the path, in any memory.
func Holder[Row any](kind graph.Kind, part string, find func(Memory, uuid.UUID) (Row, error)) func(*Call) (At[Row], error) {
	return func(c *Call) (at At[Row], err error) {
		var id uuid.UUID
		if at.Memory, id, err = c.Holding(kind, c.PathValue(part)); err == nil {
			at.Row, err = find(at.Memory, id)
		}
		return at, err
	}
}

// Shown makes a handler that shows the row that the path names. one converts the row, and view gives
// it the form of a generation.
func Shown[Row, One, View any](find func(*Call) (At[Row], error), one func(Memory, Row, error) (One, error), view func(One) View) Answer {
	return On(find, func(at At[Row]) (View, error) {
		shown, err := one(at.Memory, at.Row, nil)
		return view(shown), err
	})
}

// ShownWith is [Shown] with a body, which says how to change the row first.
func ShownWith[In, Row, One, View any](find func(*Call) (At[Row], error), one func(Memory, Row, error) (One, error), view func(One) View, change func(At[Row], In) (Row, error)) Answer {
	return OnWith(find, func(at At[Row], in In) (View, error) {
		after, err := change(at, in)
		shown, err := one(at.Memory, after, err)
		return view(shown), err
	})
}

// Node reads an entity of the memory.
func (m Memory) Node(id uuid.UUID) (annals.Entity, error) {
	e, err := m.Client.Entity(m.Ctx(), m.ID, id.String())
	return e, OrAbsent(err, "node", id.String())
}

// Edge reads a fact of the memory.
func (m Memory) Edge(id uuid.UUID) (annals.Fact, error) {
	f, err := m.Client.Fact(m.Ctx(), m.ID, id)
	return f, OrAbsent(err, "edge", id.String())
}

// Episode reads an episode of the memory.
func (m Memory) Episode(id uuid.UUID) (annals.Episode, error) {
	e, err := m.Client.Episode(m.Ctx(), m.ID, id)
	return e, OrAbsent(err, "episode", id.String())
}

// DeleteNode deletes the entity.
func DeleteNode(n At[annals.Entity]) error { return n.Client.DeleteEntity(n.Ctx(), n.ID, n.Row.ID) }

// DeleteEdge withdraws the fact.
func DeleteEdge(e At[annals.Fact]) error { return e.Client.WithdrawFact(e.Ctx(), e.ID, e.Row.ID) }

// UndoEpisode undoes the episode.
func UndoEpisode(e At[annals.Episode]) error { return e.Undo(e.Row.ID) }
