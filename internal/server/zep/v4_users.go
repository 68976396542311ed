package zep

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

var v4UserRoutes = []route{
	{"POST", "/users", v4With((*call).v4AddUser)},
	{"POST", "/users/list", v4With((*call).v4ListUsers)},
	{"POST", "/users/lookup", v4With((*call).v4LookUpUser)},
	{"GET", "/users/{user}", on((*call).userIn, (*call).v4GetUser)},
	{"PATCH", "/users/{user}", v4With((*call).v4UpdateUser)},
	{"DELETE", "/users/{user}", on((*call).userIn, (*call).v4DeleteUser)},
	{"GET", "/users/{user}/node", on((*call).userIn, (*call).v4UserNode)},
	{"POST", "/lookup", v4With((*call).v4LookUpAll)},
}

// v4User is a user as version 4 has them.
type v4User struct {
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

func (c *call) v4User(u service.User) v4User {
	return v4User{
		UUID: groupUUID(u.GroupID), UserID: c.realm.ownGroup(u.GroupID), Email: u.Email, FirstName: u.FirstName, LastName: u.LastName,
		TimeZone: u.TimeZone, Metadata: u.Metadata, Plain: u.Plain, GraphUUID: groupUUID(u.GroupID), CreatedAt: stamp(u.CreatedAt),
	}
}

// v4Policy refuses a content policy, which Annals has none of.
type v4Policy struct {
	Policy json.RawMessage `json:"content_policy"`
}

func (p v4Policy) refused() error {
	if len(object(p.Policy)) > 0 {
		return graph.Invalid("content_policy", "is not there in Annals; leave it out")
	}
	return nil
}

const v4MaxUserID = 500 // characters, as in Zep

func (c *call) v4AddUser(in struct {
	userFields
	v4Policy
},
) (any, error) {
	if err := in.v4Policy.refused(); err != nil {
		return nil, err
	}
	if len([]rune(in.UserID)) > v4MaxUserID {
		return nil, graph.Invalid("user_id", "has %d characters; the limit is %d", len([]rune(in.UserID)), v4MaxUserID)
	}
	if in.UserID == "" {
		in.UserID = service.NewNameless()
	}
	u, err := c.makeUser(in.userFields)
	if err != nil {
		return nil, err
	}
	return created(c.v4User(u))
}

func (c *call) v4ListUsers(in struct {
	Search string `json:"search"`
},
) (any, error) {
	p, s, err := c.page4Of(in.Search, map[string]string{"created_at": "", "user_id": "user_id", "email": "email"})
	if err != nil {
		return nil, err
	}
	users, total, err := c.all().Users(c.ctx(), p)
	if err != nil {
		return nil, err
	}
	page := page4(s, users, c.v4User)
	page.TotalSize = &total
	return page, nil
}

func (c *call) v4GetUser(_ place, u service.User) (any, error) { return c.v4User(u), nil }

func (c *call) v4UpdateUser(in userFields) (any, error) {
	if in.UserID != "" {
		return nil, graph.Invalid("user_id", "cannot be changed")
	}
	p, u, err := c.userIn()
	if err != nil {
		return nil, err
	}
	if u, err = c.changeUser(p, u, in); err != nil {
		return nil, err
	}
	return c.v4User(u), nil
}

func (c *call) v4DeleteUser(p place, _ service.User) (any, error) {
	if _, err := p.Erase(c.ctx(), annals.Erasure{GroupID: p.group, Later: true}); err != nil {
		return nil, err
	}
	return acceptedTask("user.delete")
}

func (c *call) v4UserNode(p place, u service.User) (any, error) {
	p.user = true
	entity, err := p.Entity(c.ctx(), p.group, c.nameOf(u))
	switch {
	case err != nil && (annals.CodeOf(err) == annals.CodeNotFound || annals.CodeOf(err) == annals.CodeConflict):
		return nil, notFound("the node of user " + c.PathValue("user") + " not found")
	case err != nil:
		return nil, err
	}
	return c.v4OneNode(p, entity)
}

// v4Lookup names what is looked up, by an id of the application's own.
type v4Lookup struct {
	GraphID  string `json:"graph_id"`
	ThreadID string `json:"thread_id"`
	UserID   string `json:"user_id"`
}

// place finds the memory of what is looked up.
func (in v4Lookup) place(c *call) (place, error) {
	given := 0
	for _, id := range []string{in.GraphID, in.ThreadID, in.UserID} {
		if id != "" {
			given++
		}
	}
	if given != 1 {
		return place{}, graph.Invalid("user_id", "graph_id, thread_id and user_id are %d; name one of them", given)
	}
	if in.ThreadID == "" {
		return c.either(in.UserID, in.GraphID)
	}
	p, err := c.thread(in.ThreadID)
	p.user = true
	return p, err
}

func (c *call) v4LookUpUser(in v4Lookup) (any, error) {
	p, err := in.place(c)
	if err != nil {
		return nil, err
	}
	u, err := p.User(c.ctx(), p.group)
	if annals.CodeOf(err) == annals.CodeNotFound {
		return nil, notFound("user not found: it is a graph of no user")
	}
	if err != nil {
		return nil, err
	}
	return c.v4User(u), nil
}

func (c *call) v4LookUpThread(in v4Lookup) (any, error) {
	if in.ThreadID == "" {
		return nil, graph.Invalid("thread_id", "is missing; a user and a graph may have many threads: thread.list lists them")
	}
	p, err := in.place(c)
	if err != nil {
		return nil, err
	}
	_, t, err := c.threadBy(threadUUID(p.group, in.ThreadID))
	return v4ThreadOf(t), err
}

func (c *call) v4LookUpGraph(in v4Lookup) (any, error) {
	p, err := in.place(c)
	if err != nil {
		return nil, err
	}
	g, err := p.Group(c.ctx(), p.group)
	return c.v4Graph(g), err
}

const v4MaxLookups = 1000

// v4Found is what became of one id that was looked up.
type v4Found struct {
	Kind  string `json:"resource_type"`
	ID    string `json:"legacy_id"`
	Found bool   `json:"found"`
	UUID  string `json:"uuid,omitempty"`
}

func (c *call) v4LookUpAll(in struct {
	Graphs  []string `json:"graphs"`
	Threads []string `json:"threads"`
	Users   []string `json:"users"`
},
) (any, error) {
	if n := len(in.Graphs) + len(in.Threads) + len(in.Users); n > v4MaxLookups {
		return nil, graph.Invalid("graphs", "threads and users are %d together; the limit is %d", n, v4MaxLookups)
	}
	items := []v4Found{}
	for _, list := range []struct {
		kind string
		ids  []string
		find func(id string) (string, error)
	}{
		{"user", in.Users, func(id string) (string, error) { p, _, err := c.user(id); return groupUUID(p.group), err }},
		{"thread", in.Threads, func(id string) (string, error) { p, err := c.thread(id); return threadUUID(p.group, id), err }},
		{"graph", in.Graphs, func(id string) (string, error) { p, _, err := c.graph(id); return groupUUID(p.group), err }},
	} {
		for _, id := range list.ids {
			found := v4Found{Kind: list.kind, ID: id}
			at, err := list.find(id)
			if err != nil && !slices.Contains([]int{http.StatusNotFound, http.StatusBadRequest}, problemOf(err).Status) {
				return nil, err
			}
			if found.Found = err == nil; found.Found {
				found.UUID = at
			}
			items = append(items, found)
		}
	}
	return map[string]any{"items": items}, nil
}
