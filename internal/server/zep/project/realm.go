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

// User is an existing user with their memory.
type User struct {
	Memory
	Who service.User
}

// User returns a user by their id.
func (c *Call) User(id string) (User, error) {
	m, err := c.called("user", id)
	if err != nil {
		return User{}, err
	}
	who, err := m.Service.User(c.Context(), m.ID)
	m.IsUser = true
	return User{m, who}, OrAbsent(err, "user", id)
}

// Graph is an existing graph with its memory.
type Graph struct {
	Memory
	Group annals.Group
}

// Graph returns a graph by its id.
func (c *Call) Graph(id string) (Graph, error) {
	m, err := c.called("graph", id)
	if err != nil {
		return Graph{}, err
	}
	g, err := m.Client.Group(c.Context(), m.ID)
	if err == nil && g.Kind != graph.GroupGraph {
		err = NotFound("graph not found: " + id)
	}
	return Graph{m, g}, OrAbsent(err, "graph", id)
}

// called opens the memory of a user or a graph by its id.
func (c *Call) called(what, id string) (Memory, error) {
	group, err := c.group(what+"_id", id)
	if err != nil {
		return Memory{}, err
	}
	if !server.CallerOf(c.Context()).Opens(group) {
		return Memory{}, NotFound(what + " not found: " + id)
	}
	return c.In(group)
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

// HasThread returns the memory that has a thread.
func (c *Call) HasThread(id string) (Memory, error) {
	group, err := c.All().GroupOfThread(c.Context(), c.Within, id)
	if err != nil {
		return Memory{}, err
	}
	if group == "" {
		return Memory{}, NotFound("thread not found: " + id)
	}
	return c.In(group)
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
