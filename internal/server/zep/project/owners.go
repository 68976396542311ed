package project

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/service"
)

// userLabel is the label of the node of a user.
const userLabel = "User"

// UserView is the JSON form of a user, as far as it is the same in all generations.
type UserView struct {
	UUID      string          `json:"uuid"`
	UserID    string          `json:"user_id,omitempty"`
	Email     string          `json:"email,omitempty"`
	FirstName string          `json:"first_name,omitempty"`
	LastName  string          `json:"last_name,omitempty"`
	TimeZone  string          `json:"time_zone,omitempty"`
	Metadata  json.RawMessage `json:"metadata,omitempty"`
	Plain     bool            `json:"disable_default_ontology"`
	GraphUUID string          `json:"graph_uuid"`
	CreatedAt string          `json:"created_at"`
}

// UserView returns the JSON form of a user.
func (c *Call) UserView(u service.User) UserView {
	id := GroupUUID(u.GroupID)
	return UserView{
		UUID: id, UserID: c.ownGroup(u.GroupID), Email: u.Email, FirstName: u.FirstName, LastName: u.LastName, TimeZone: u.TimeZone,
		Metadata: u.Metadata, Plain: u.Plain, GraphUUID: id, CreatedAt: Stamp(u.CreatedAt),
	}
}

// UserFields are the fields of a user to create or change. Null empties a field; a missing field
// stays unchanged.
type UserFields struct {
	UserID    string           `json:"user_id"`
	Email     *string          `json:"email"`
	FirstName *string          `json:"first_name"`
	LastName  *string          `json:"last_name"`
	Metadata  json.RawMessage  `json:"metadata"`
	TimeZone  Nullable[string] `json:"time_zone"`
	Plain     *bool            `json:"disable_default_ontology"`
}

// MakeUser creates a user, and adds a node for them to their own graph.
func (c *Call) MakeUser(in UserFields) (service.User, error) {
	m, err := c.Free("user_id", in.UserID)
	if err != nil {
		return service.User{}, err
	}
	u, err := m.Service.CreateUser(c.Context(), service.User{
		GroupID: m.ID, Email: OrZero(in.Email), FirstName: OrZero(in.FirstName), LastName: OrZero(in.LastName),
		TimeZone: in.TimeZone.Value, Metadata: Object(in.Metadata), Plain: OrZero(in.Plain), Force: true,
	})
	if err != nil {
		return u, Taken(err, in.UserID)
	}
	if err := m.adopt(); err != nil {
		return u, err
	}
	attributes, err := json.Marshal(map[string]string{
		"user_id": c.Local(u.GroupID), "email": u.Email, "first_name": u.FirstName, "last_name": u.LastName,
	})
	if err != nil {
		return u, err
	}
	_, err = m.Client.AddEntities(c.Context(), m.ID, []annals.Entity{{Name: c.nameOf(u), Labels: []string{userLabel}, Attributes: attributes}})
	return u, err
}

// nameOf returns the name of a user in the graph.
func (c *Call) nameOf(u service.User) string {
	return cmp.Or(u.Name(), c.ownGroup(u.GroupID), "user")
}

// adopt gives a new group the settings of its project.
func (m Memory) adopt() error {
	if m.Call.Namespace == "" {
		return nil
	}
	return m.Call.All().InheritSettings(m.Ctx(), m.Call.Namespace, m.ID)
}

// Taken converts a conflict to an error that names the id. Users and graphs share ids.
func Taken(err error, id string) error {
	if annals.CodeOf(err) == annals.CodeConflict {
		return server.NewProblem(http.StatusBadRequest, "there is a user or a graph "+id+" already")
	}
	return err
}

// Free returns the memory of a group that is about to be created.
func (c *Call) Free(field, id string) (Memory, error) {
	group, err := c.group(field, id)
	if err != nil {
		return Memory{}, err
	}
	if c.Among != nil && !slices.Contains(c.Among, group) {
		what := id + " is none of them"
		if service.IsNameless(id) { // the application did not choose that name
			what = "what is made without a name would be none of them; a key of a namespace (acme:*) makes it"
		}
		return Memory{}, forbidden("this key opens some groups only, and " + what)
	}
	return c.In(group)
}

// Change changes a user, and renames their node.
func (u User) Change(in UserFields) (after service.User, err error) {
	change := service.UserChange{
		Email: in.Email, FirstName: in.FirstName, LastName: in.LastName, TimeZone: in.TimeZone.pointer(), Plain: in.Plain,
	}
	if len(Object(in.Metadata)) > 0 {
		if change.Metadata, err = graph.PatchObject(u.Who.Metadata, in.Metadata); err != nil {
			return after, graph.Invalid("metadata", "is no object")
		}
	}
	if after, err = u.Service.UpdateUser(u.Ctx(), u.ID, change); err != nil {
		return after, err
	}
	old, now := u.Call.nameOf(u.Who), u.Call.nameOf(after)
	if old == now {
		return after, nil
	}
	if node, err := u.userNode(old); err == nil {
		if _, err := u.Client.EditEntity(u.Ctx(), u.ID, node.ID, annals.EntityEdit{Name: &now}); err != nil {
			return after, err
		}
	}
	return after, nil
}

// isUser reports whether an entity is the node that was made for the user of the memory.
func (m Memory) isUser(e annals.Entity) bool {
	var own struct {
		UserID string `json:"user_id"`
	}
	return slices.Contains(e.Labels, userLabel) && json.Unmarshal(e.Attributes, &own) == nil && own.UserID == m.Call.Local(m.ID)
}

// userNode returns the node of the user of the memory: the one with their id, else the one with their name.
func (m Memory) userNode(name string) (annals.Entity, error) {
	found, err := m.Service.ListEntities(m.Ctx(), service.List{
		GroupID: m.ID, OrderBy: "created_at", Ascending: true, Limit: 1,
		Filter: annals.Filter{Labels: []string{userLabel}, Attributes: &annals.Condition{Path: []string{"user_id"}, Op: annals.OpEqual, Value: m.Call.Local(m.ID)}},
	})
	if err != nil {
		return annals.Entity{}, err
	}
	if len(found) > 0 {
		return found[0].Entity, nil
	}
	return m.Client.Entity(m.Ctx(), m.ID, name)
}

// Own returns the node of the user, and reports whether there is one.
func (u User) Own() (node Node, found bool, err error) {
	entity, err := u.userNode(u.Call.nameOf(u.Who))
	if code := annals.CodeOf(err); code == annals.CodeNotFound || code == annals.CodeConflict {
		return node, false, nil
	}
	node, err = u.OneNode(entity, err)
	return node, true, err
}

// Warm runs a search for the user, so that the database has their rows in memory.
func (u User) Warm() error { return u.warm(u.Call.nameOf(u.Who)) }

// Warm runs a search for the graph's name.
func (g Graph) Warm() error { return g.warm(g.Group.Name) }

func (m Memory) warm(text string) error {
	_, err := m.Client.Search(m.Ctx(), annals.Query{GroupID: m.ID, Text: text})
	return err
}

// EraseAll erases the memory with everything in it.
func (m Memory) EraseAll() error {
	_, err := m.Client.Erase(m.Ctx(), annals.Erasure{GroupID: m.ID, Later: true})
	return err
}

// GraphView is the JSON form of a graph, as far as it is the same in all generations.
type GraphView struct {
	UUID        string `json:"uuid"`
	GraphID     string `json:"graph_id,omitempty"`
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
	TimeZone    string `json:"time_zone,omitempty"`
	CreatedAt   string `json:"created_at"`
	UpdatedAt   string `json:"updated_at"`
}

// GraphView returns the JSON form of a graph.
func (c *Call) GraphView(g annals.Group) GraphView {
	return GraphView{
		UUID: GroupUUID(g.ID), GraphID: c.ownGroup(g.ID), Name: g.Name, Description: g.Description, TimeZone: g.TimeZone,
		CreatedAt: Stamp(g.CreatedAt), UpdatedAt: Stamp(g.UpdatedAt),
	}
}

// GraphFields are the fields of a graph to create or change.
type GraphFields struct {
	Name        *string `json:"name"`
	Description *string `json:"description"`
	TimeZone    *string `json:"time_zone"`
}

// MakeGraph creates a graph.
func (c *Call) MakeGraph(id string, in GraphFields) (annals.Group, error) {
	m, err := c.Free("graph_id", id)
	if err != nil {
		return annals.Group{}, err
	}
	g, err := m.Client.CreateGroup(c.Context(), annals.Group{
		ID: m.ID, Kind: graph.GroupGraph, Name: OrZero(in.Name), Description: OrZero(in.Description), TimeZone: OrZero(in.TimeZone), Force: true,
	})
	if err != nil {
		return g, Taken(err, id)
	}
	return g, m.adopt()
}

// Change changes a graph.
func (g Graph) Change(in GraphFields) (annals.Group, error) {
	return g.Client.UpdateGroup(g.Ctx(), g.ID, annals.GroupChange(in))
}

// CopyTo copies the memory to another one, whose rows get new ids.
func (m Memory) CopyTo(other Memory) error {
	return m.Call.server.All().Clone(m.Ctx(), m.ID, other.ID)
}
