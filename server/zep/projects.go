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

// getProject describes the project of the key. A namespace without stored
// settings is a project too.
func (c *call) getProject() (any, error) {
	view := projectView{UUID: c.realm.projectUUID(), Name: c.realm.Namespace}
	if c.realm.Namespace == "" {
		view.Name = "annals"
		return map[string]any{"project": view}, nil
	}
	client, project, err := c.project()
	if err != nil {
		return nil, err
	}
	g, err := client.Group(c.ctx(), project)
	if err == nil {
		view.Description, view.TimeZone, view.CreatedAt = g.Description, g.TimeZone, stamp(g.CreatedAt)
	} else if annals.CodeOf(err) != annals.CodeNotFound {
		return nil, err
	}
	return map[string]any{"project": view}, nil
}

func (c *call) updateProject(in struct {
	TimeZone nullable[string] `json:"default_time_zone"`
},
) (any, error) {
	client, project, err := c.project()
	if err != nil {
		return nil, err
	}
	if err := graph.ValidateTimeZone(in.TimeZone.value); err != nil {
		return nil, err
	}
	_, err = client.CreateGroup(c.ctx(), annals.Group{ID: project, Force: true})
	if err != nil && annals.CodeOf(err) != annals.CodeConflict {
		return nil, err
	}
	if _, err := client.UpdateGroup(c.ctx(), project, annals.GroupChange{TimeZone: in.TimeZone.pointer()}); err != nil {
		return nil, err
	}
	return c.getProject()
}

// unsupportedRoutes are the routes that Annals has no counterpart for.
var unsupportedRoutes = notThere(
	"GET /user-groups", "POST /user-groups", "GET /user-groups/users/{user}", "GET /user-groups/{group}", "PATCH /user-groups/{group}",
	"DELETE /user-groups/{group}", "GET /user-groups/{group}/members", "POST /user-groups/{group}/members",
	"POST /user-groups/{group}/members/bulk-remove", "GET /user-groups/{group}/members/candidates",
	"DELETE /user-groups/{group}/members/{user}", "GET /abac/user-groups/{group}/policy-sets", "POST /abac/user-groups/{group}/policy-sets",
	"DELETE /abac/user-groups/{group}/policy-sets/{set}", "POST /graph/patterns", "POST /graph/document-summary/graph/{graph}",
	"POST /graph/observation/graph/{graph}", "POST /graph/observation/user/{user}", "GET /graph/observation/{observation}",
	"GET /projects/observation-steering", "PUT /projects/observation-steering",
)

func unsupported(what string) error {
	return &refusal{http.StatusNotImplemented, what + " is not there in Annals; docs/zep.md says what is, and what to use in its place"}
}

func notThere(names ...string) []route {
	var routes []route
	for _, name := range names {
		method, path, _ := strings.Cut(name, " ")
		routes = append(routes, route{method, path, func(*call) (any, error) { return nil, unsupported(method + " " + root + path) }})
	}
	return routes
}
