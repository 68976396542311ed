package zep

import (
	"net/http"
	"strings"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

var projectRoutes = []route{
	{"GET", "/projects/info", (*call).getProject},
	{"PATCH", "/projects/info", with((*call).updateProject)},
}

// projectView is a project on the wire.
type projectView struct {
	UUID        string `json:"uuid"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	TimeZone    string `json:"default_time_zone,omitempty"`
	CreatedAt   string `json:"created_at,omitempty"`
}

func (c *call) getProject() (any, error) {
	view, err := c.describeProject()
	return map[string]any{"project": view}, err
}

// describeProject describes the project of the key. A namespace without stored
// settings is a project too.
func (c *call) describeProject() (projectView, error) {
	view := projectView{UUID: c.realm.projectUUID(), Name: c.realm.Namespace}
	if c.realm.Namespace == "" {
		view.Name = "annals"
		return view, nil
	}
	client, project, err := c.project()
	if err != nil {
		return view, err
	}
	g, err := client.Group(c.ctx(), project)
	if err == nil {
		view.Description, view.TimeZone, view.CreatedAt = g.Description, g.TimeZone, stamp(g.CreatedAt)
	} else if annals.CodeOf(err) != annals.CodeNotFound {
		return view, err
	}
	return view, nil
}

func (c *call) updateProject(in struct {
	TimeZone nullable[string] `json:"default_time_zone"`
},
) (any, error) {
	if err := c.setTimeZone(in.TimeZone); err != nil {
		return nil, err
	}
	return c.getProject()
}

// setTimeZone sets the time zone of the project.
func (c *call) setTimeZone(zone nullable[string]) error {
	client, project, err := c.project()
	if err != nil {
		return err
	}
	if err := graph.ValidateTimeZone(zone.value); err != nil {
		return err
	}
	_, err = client.CreateGroup(c.ctx(), annals.Group{ID: project, Force: true})
	if err != nil && annals.CodeOf(err) != annals.CodeConflict {
		return err
	}
	_, err = client.UpdateGroup(c.ctx(), project, annals.GroupChange{TimeZone: zone.pointer()})
	return err
}

// unsupported2 are the routes of version 3 that Annals has no counterpart for.
var unsupported2 = notThere("/api/v2",
	"GET /user-groups", "POST /user-groups", "GET /user-groups/users/{user}", "GET /user-groups/{group}", "PATCH /user-groups/{group}",
	"DELETE /user-groups/{group}", "GET /user-groups/{group}/members", "POST /user-groups/{group}/members",
	"POST /user-groups/{group}/members/bulk-remove", "GET /user-groups/{group}/members/candidates",
	"DELETE /user-groups/{group}/members/{user}", "GET /abac/user-groups/{group}/policy-sets", "POST /abac/user-groups/{group}/policy-sets",
	"DELETE /abac/user-groups/{group}/policy-sets/{set}", "POST /graph/patterns", "POST /graph/document-summary/graph/{graph}",
	"POST /graph/observation/graph/{graph}", "POST /graph/observation/user/{user}", "GET /graph/observation/{observation}",
	"GET /projects/observation-steering", "PUT /projects/observation-steering",
)

func unsupported(what string) error {
	return refusal(http.StatusNotImplemented, what+" is not there in Annals; docs/zep.md says what is, and what to use in its place")
}

func notThere(root string, names ...string) []route {
	var routes []route
	for _, name := range names {
		method, path, _ := strings.Cut(name, " ")
		routes = append(routes, route{method, path, func(*call) (any, error) { return nil, unsupported(method + " " + root + path) }})
	}
	return routes
}
