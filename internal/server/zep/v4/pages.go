package v4

import (
	"context"
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server/zep/project"
	"github.com/annalsdb/annals/internal/service"
)

// page is the JSON form of a page of a list.
type page struct {
	Items      any    `json:"items"`
	NextCursor string `json:"next_cursor,omitempty"`
	TotalSize  *int   `json:"total_size,omitempty"`
}

// stretch is a range of a list: how many rows to skip, and how many to return.
type stretch struct{ skip, size int }

// The size of pages.
const (
	maxPage  = 1000
	ownPage  = 50                  // for users, graphs, threads, templates and batches
	rowsPage = project.DefaultPage // for rows of a graph
)

// stretchOf parses the range of a list.
func stretchOf(c *project.Call, usual, most int) (stretch, error) {
	q := c.URL.Query()
	var r project.Reader
	size := r.Whole("page_size", q.Get("page_size"), usual, 1, most)
	if r.Err != nil || q.Get("cursor") == "" {
		return stretch{0, size}, r.Err
	}
	text, err := base64.RawURLEncoding.DecodeString(q.Get("cursor"))
	skip, err1 := strconv.Atoi(string(text))
	if err != nil || err1 != nil || skip < 0 || skip > 1<<30 {
		return stretch{}, graph.Invalid("cursor", "is not one that this list returned")
	}
	return stretch{skip, size}, nil
}

// cursorAt returns the cursor of a page, for [stretchOf].
func cursorAt(skip int) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.Itoa(skip)))
}

// pageOf makes a page of rows. If there is one row more than the page holds, another page follows.
func pageOf[Row, View any](s stretch, rows []Row, view func(Row) View) page {
	p := page{}
	if len(rows) > s.size {
		rows = rows[:s.size]
		p.NextCursor = cursorAt(s.skip + s.size)
	}
	p.Items = each.Of(rows, view)
	return p
}

// same returns a view unchanged.
func same[View any](v View) View { return v }

// among makes a page of rows that are all in memory.
func among[Row, View any](c *project.Call, usual int, rows []Row, view func(Row) View) (page, error) {
	s, err := stretchOf(c, usual, maxPage)
	if err != nil {
		return page{}, err
	}
	return cut(s, rows, view), nil
}

func cut[Row, View any](s stretch, rows []Row, view func(Row) View) page {
	return pageOf(s, rows[min(s.skip, len(rows)):], view)
}

// ranged makes a page of rows that list reads by their range. It reads one row more than the page holds.
func ranged[Row, View any](c *project.Call, usual int, list func(skip, limit int) ([]Row, error), view func(Row) View) (page, error) {
	s, err := stretchOf(c, usual, maxPage-1)
	if err != nil {
		return page{}, err
	}
	rows, err := list(s.skip, s.size+1)
	return pageOf(s, rows, view), err
}

// counted is [ranged] with the total number of rows.
func counted[Row, View any](c *project.Call, usual int, list func(skip, limit int) ([]Row, int, error), view func(Row) View) (page, error) {
	var total int
	p, err := ranged(c, usual, func(skip, limit int) (rows []Row, err error) {
		rows, total, err = list(skip, limit)
		return rows, err
	}, view)
	p.TotalSize = &total
	return p, err
}

// over makes a page of a list over the groups of p. orders maps the values of order_by to those of
// the service.
func over[Row, View any](c *project.Call, p service.Page, orders map[string]string, list func(context.Context, service.Page) ([]Row, int, error), view func(Row) View) (page, error) {
	q := c.URL.Query()
	ascending, err := isAscending(q.Get("order"), false)
	if err != nil {
		return page{}, err
	}
	known, ok := orders[q.Get("order_by")]
	if !ok && q.Get("order_by") != "" {
		return page{}, graph.Invalid("order_by", "%q is not one that this list can be ordered by", q.Get("order_by"))
	}
	p.Search, p.Ascending, p.OrderBy = strings.TrimSpace(p.Search), ascending, known
	return counted(c, ownPage, func(skip, limit int) ([]Row, int, error) {
		p.Skip, p.Limit = skip, limit
		return list(c.Context(), p)
	}, view)
}

// isAscending parses the direction of a list; empty: the usual one.
func isAscending(order string, usual bool) (bool, error) {
	if order != "" && order != "asc" && order != "desc" {
		return false, graph.Invalid("order", "%q is not one of asc, desc", order)
	}
	return order == "asc" || order == "" && usual, nil
}

// filtered is a request for a filtered list.
type filtered struct {
	Filters filters `json:"filters"`
}

// listing parses the listing of the query, with filters among the known ones.
func (in filtered) listing(c *project.Call, known ...string) (l project.Listing, err error) {
	if l.Filters, err = in.Filters.read(known...); err != nil {
		return l, err
	}
	q := c.URL.Query()
	var r project.Reader
	size := r.Whole("page_size", q.Get("page_size"), rowsPage, 1, maxPage)
	l.Cursor, l.Direction, l.Limit, l.OrderBy = q.Get("cursor"), q.Get("order"), &size, q.Get("order_by")
	return l, r.Err
}

// listOf makes a handler that lists rows of a graph.
func listOf[Row, View any](list func(project.Memory, project.Listing) ([]Row, error), view func(Row) View, known ...string) project.Answer {
	return project.OnWith(graphIn, func(g project.Graph, in filtered) (any, error) {
		l, err := in.listing(g.Call, known...)
		if err != nil {
			return nil, err
		}
		rows, err := list(g.Memory, l)
		return listed(g.Call, rows, view), err
	})
}

// listed makes a page whose cursor is that of the call.
func listed[Row, View any](c *project.Call, rows []Row, view func(Row) View) page {
	return page{Items: each.Of(rows, view), NextCursor: c.Cursor}
}
