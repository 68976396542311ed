package zep

import (
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/service"
)

// realm is the groups of a key and their names: what Zep calls a project. With
// a key of a namespace, user alice is the group acme:alice; with any other, the
// group alice.
type realm struct {
	service.Within
	prefix string
}

func realmOf(caller server.Caller) realm {
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
		return realm{}
	case len(namespaces) == 1:
		return realm{Within: service.Within{Namespace: namespaces[0]}, prefix: namespaces[0] + ":"}
	}
	return realm{Within: service.Within{Among: append([]string{}, groups...)}}
}

// group returns the group of a user or a graph.
func (r realm) group(field, id string) (string, error) {
	if id == "" {
		return "", graph.Invalid(field, "is empty")
	}
	group := r.prefix + graph.EscapeGroupID(id)
	if err := graph.ValidateGroupID(group); err != nil {
		return "", graph.Invalid(field, "%q cannot be used: it is too long or not text", id)
	}
	return group, nil
}

// local returns the name of a group within the realm.
func (r realm) local(group string) string {
	return graph.UnescapeGroupID(strings.TrimPrefix(group, r.prefix))
}

// project returns the group that holds the settings of the whole project. Only
// a key of one namespace has one.
func (c *call) project() (place, string, error) {
	if c.realm.Namespace == "" {
		return place{}, "", forbidden("this is about a project as a whole, and takes the key of one namespace; 'annals keys create --groups acme:*' makes one")
	}
	p, err := c.in(c.realm.Namespace)
	return p, c.realm.Namespace, err
}

// place is a group with a client that is bound to it.
type place struct {
	*annals.Client
	*service.Service
	group string
	user  bool
}

// in returns the memory of a group that the key opens.
func (c *call) in(group string) (place, error) {
	client, err := c.api.server.ClientIn(c.ctx(), group)
	if err != nil {
		return place{}, err
	}
	return place{Client: client, Service: service.New(client), group: group}, nil
}

// all returns the service of all groups. Its callers must check which groups
// the key opens.
func (c *call) all() *service.Service { return service.New(c.api.server.All()) }

// user returns an existing user and their memory.
func (c *call) user(id string) (place, service.User, error) {
	return c.userOf("user_id", id)
}

func (c *call) userOf(field, id string) (place, service.User, error) {
	absent := notFound("user not found: " + id)
	group, err := c.realm.group(field, id)
	if err != nil {
		return place{}, service.User{}, err
	}
	if !server.CallerOf(c.ctx()).Opens(group) {
		return place{}, service.User{}, absent
	}
	p, err := c.in(group)
	if err != nil {
		return place{}, service.User{}, err
	}
	user, err := p.User(c.ctx(), group)
	if annals.CodeOf(err) == annals.CodeNotFound {
		return place{}, service.User{}, absent
	}
	p.user = true
	return p, user, err
}

// graph returns an existing graph and its memory.
func (c *call) graph(id string) (place, annals.Group, error) {
	absent := notFound("graph not found: " + id)
	group, err := c.realm.group("graph_id", id)
	if err != nil {
		return place{}, annals.Group{}, err
	}
	if !server.CallerOf(c.ctx()).Opens(group) {
		return place{}, annals.Group{}, absent
	}
	p, err := c.in(group)
	if err != nil {
		return place{}, annals.Group{}, err
	}
	g, err := p.Group(c.ctx(), group)
	if annals.CodeOf(err) == annals.CodeNotFound || err == nil && g.Kind != graph.GroupGraph {
		return place{}, annals.Group{}, absent
	}
	return p, g, err
}

// either returns the memory of a user or of a graph, whichever is named.
func (c *call) either(userID, graphID string) (place, error) {
	switch {
	case userID != "" && graphID != "":
		return place{}, graph.Invalid("graph_id", "cannot be named beside user_id; name one of them")
	case userID != "":
		p, _, err := c.user(userID)
		return p, err
	case graphID != "":
		p, _, err := c.graph(graphID)
		return p, err
	}
	return place{}, graph.Invalid("user_id", "is missing; name a user_id or a graph_id")
}

// holding finds the memory that has a row with an id.
func (c *call) holding(kind graph.Kind, text string) (place, uuid.UUID, error) {
	names := map[graph.Kind]string{graph.KindEntity: "node", graph.KindFact: "edge", graph.KindEpisode: "episode"}
	id, err := uuid.Parse(text)
	if err != nil {
		return place{}, uuid.Nil, graph.Invalid("uuid", "%q is no UUID", text)
	}
	group, err := c.all().GroupOf(c.ctx(), c.realm.Within, kind, id)
	if err != nil {
		return place{}, id, err
	}
	if group == "" {
		return place{}, id, notFound(names[kind] + " not found: " + text)
	}
	p, err := c.in(group)
	return p, id, err
}

// thread finds the memory that has a conversation.
func (c *call) thread(id string) (place, error) {
	group, err := c.all().GroupOfThread(c.ctx(), c.realm.Within, id)
	if err != nil {
		return place{}, err
	}
	if group == "" {
		return place{}, notFound("thread not found: " + id)
	}
	return c.in(group)
}

// madeOf is the space of the ids that Annals does not keep, but makes of names.
var madeOf = uuid.NewSHA1(uuid.NameSpaceOID, []byte("annals:other"))

func named(parts ...string) string {
	return uuid.NewSHA1(madeOf, []byte(strings.Join(parts, "\x00"))).String()
}

// groupUUID is the UUID of a user and of their graph, or of a graph with a name.
func groupUUID(group string) string { return service.GroupUUID(group).String() }

func threadUUID(group, id string) string { return service.ThreadUUID(group, id).String() }

func (r realm) projectUUID() string { return named("project", r.Namespace) }
