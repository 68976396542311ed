// Package v3 decodes the requests of clients of versions 2 and 3 of Zep, under /api/v2, and encodes
// the responses. Package project executes them.
package v3

import (
	"cmp"
	"slices"
	"strings"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server/zep/project"
	"github.com/annalsdb/annals/internal/service"
)

// Root is the root of the routes.
const Root = "/api/v2"

// Message is the body of errors, and of responses without other content.
type Message struct {
	Message string `json:"message"`
}

var done = Message{"OK"}

// Routes returns all supported routes of clients of versions 2 and 3.
func Routes() project.Routes {
	return project.Together(userRoutes, threadRoutes, graphRoutes, rowRoutes, settingRoutes, batchRoutes)
}

// ended makes a handler whose response says only that it is done.
func ended[What any](find func(*project.Call) (What, error), do func(What) error) project.Answer {
	return project.On(find, func(what What) (Message, error) { return Message{"OK"}, do(what) })
}

// target is the user or the graph of a request.
type target struct {
	UserID  string `json:"user_id"`
	GraphID string `json:"graph_id"`
}

// owner opens the memory of the user or the graph of the path.
func owner(c *project.Call) (project.Memory, error) {
	return c.Either(c.PathValue("user"), c.PathValue("graph"))
}

// page parses the page parameters of a list over many groups.
func page(c *project.Call, orders ...string) (service.Page, int, error) {
	var r project.Reader
	q := c.URL.Query()
	number := r.Whole("page_number", cmp.Or(q.Get("pageNumber"), q.Get("page_number")), 1, 1, 1<<20)
	size := r.Whole("page_size", cmp.Or(q.Get("pageSize"), q.Get("page_size")), 50, 1, 1000)
	p := service.Page{
		Within: c.Within, Search: strings.TrimSpace(q.Get("search")), OrderBy: q.Get("order_by"), Ascending: q.Get("asc") == "true",
		Skip: (number - 1) * size, Limit: size,
	}
	if p.OrderBy != "" && !slices.Contains(orders, p.OrderBy) {
		r.Note(graph.Invalid("order_by", "%q is not one of %s", p.OrderBy, strings.Join(orders, ", ")))
	}
	return p, number, r.Err
}

// stretch parses how many rows of a list to skip and how many to return.
func stretch(c *project.Call, usual, most int) (skip, limit int, err error) {
	var r project.Reader
	q := c.URL.Query()
	limit, skip = r.Whole("limit", q.Get("limit"), usual, 1, most), r.Whole("cursor", q.Get("cursor"), 0, 0, 1<<30)
	return skip, limit, r.Err
}
