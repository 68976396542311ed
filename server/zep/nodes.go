package zep

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

var nodeRoutes = []route{
	{"POST", "/graph/node/graph/{graph}", func(c *call) (any, error) { return c.listNodes("", c.PathValue("graph")) }},
	{"POST", "/graph/node/user/{user}", func(c *call) (any, error) { return c.listNodes(c.PathValue("user"), "") }},
	{"GET", "/graph/node/{node}", (*call).getNode},
	{"PATCH", "/graph/node/{node}", (*call).updateNode},
	{"DELETE", "/graph/node/{node}", (*call).deleteNode},
	{"GET", "/graph/node/{node}/entity-edges", (*call).nodeEdges},
	{"GET", "/graph/node/{node}/episodes", (*call).nodeEpisodes},
	{"POST", "/graph/node/{node}/neighbors", (*call).nodeNeighbors},
}

// listing is which page of a list is asked for on the wire.
type listing struct {
	Cursor     string        `json:"cursor"`
	UUIDCursor string        `json:"uuid_cursor"`
	Direction  string        `json:"direction"`
	Limit      *int          `json:"limit"`
	OrderBy    string        `json:"order_by"`
	Filters    searchFilters `json:"filters"`
}

const (
	defaultPage = 100
	nextCursor  = "Zep-Next-Cursor"
)

// list is the library's of a listing.
func (in listing) list(group string, orders ...string) (annals.List, error) {
	l := annals.List{GroupID: group, OrderBy: in.OrderBy, Ascending: in.Direction == "asc", Limit: defaultPage}
	if in.Direction != "" && in.Direction != "asc" && in.Direction != "desc" {
		return l, graph.Invalid("direction", "%q is not one of asc, desc", in.Direction)
	}
	if in.OrderBy != "" && in.OrderBy != "uuid" && !contains(orders, in.OrderBy) {
		return l, graph.Invalid("order_by", "%q is not one that this list can be ordered by", in.OrderBy)
	}
	if in.Limit != nil && *in.Limit != 0 {
		if *in.Limit < 0 {
			return l, graph.Invalid("limit", "is %d; it must be positive", *in.Limit)
		}
		l.Limit = min(*in.Limit, 1000)
	}
	var err error
	if l.Skip, err = skipped(in.Cursor); err != nil {
		return l, err
	}
	l.Filter, err = in.Filters.filter()
	return l, err
}

// A cursor says how many rows were listed before.
func skipped(cursor string) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return 0, graph.Invalid("cursor", "is none that a list gave")
	}
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 0 || n > 1<<30 {
		return 0, graph.Invalid("cursor", "is none that a list gave")
	}
	return n, nil
}

// next tells in a header where the next page begins, if there may be one.
func (c *call) next(l annals.List, listed int) {
	if listed == l.Limit {
		c.header.Set(nextCursor, base64.RawURLEncoding.EncodeToString([]byte(strconv.Itoa(l.Skip+listed))))
	}
}

// after leaves the rows that come behind one, which is how lists were paged
// before there were cursors.
func after[Row any](rows []Row, last string, id func(Row) uuid.UUID) []Row {
	i := slices.IndexFunc(rows, func(r Row) bool { return id(r).String() == last })
	return rows[i+1:]
}

func (c *call) listNodes(userID, graphID string) (any, error) {
	in, err := read[listing](c)
	if err != nil {
		return nil, err
	}
	p, err := c.either(userID, graphID)
	if err != nil {
		return nil, err
	}
	l, err := in.list(p.group, "created_at", "degree")
	if err != nil {
		return nil, err
	}
	limit := l.Limit
	if in.UUIDCursor != "" {
		l.Limit = annals.MaxRows
	}
	nodes, err := p.ListEntities(c.ctx(), l)
	if err != nil {
		return nil, err
	}
	if in.UUIDCursor != "" {
		nodes = after(nodes, in.UUIDCursor, func(d annals.Degree) uuid.UUID { return d.ID })
		nodes, l.Limit = nodes[:min(limit, len(nodes))], 0
	}
	c.next(l, len(nodes))
	return views(nodes, func(d annals.Degree) nodeView {
		view := nodeViewOf(d.Entity)
		if in.OrderBy == "degree" {
			view.Degree = &d.Facts
		}
		return view
	}), nil
}

// node is an entity and the memory it is in.
func (c *call) node() (place, annals.Entity, error) {
	p, id, err := c.holding(graph.KindEntity, c.PathValue("node"))
	if err != nil {
		return p, annals.Entity{}, err
	}
	e, err := p.Entity(c.ctx(), p.group, id.String())
	return p, e, err
}

func (c *call) getNode() (any, error) {
	_, e, err := c.node()
	return nodeViewOf(e), err
}

func (c *call) updateNode() (any, error) {
	in, err := read[struct {
		Name       *string         `json:"name"`
		Summary    *string         `json:"summary"`
		Labels     []string        `json:"labels"`
		Attributes json.RawMessage `json:"attributes"`
	}](c)
	if err != nil {
		return nil, err
	}
	p, e, err := c.node()
	if err != nil {
		return nil, err
	}
	change := annals.EntityEdit{Name: in.Name, Summary: in.Summary, Attributes: object(in.Attributes)}
	if in.Labels != nil {
		change.Labels = append([]string{}, plainLabels(in.Labels)...)
	}
	e, err = p.EditEntity(c.ctx(), p.group, e.ID, change)
	return nodeViewOf(e), err
}

func (c *call) deleteNode() (any, error) {
	p, e, err := c.node()
	if err != nil {
		return nil, err
	}
	return done, p.DeleteEntity(c.ctx(), p.group, e.ID)
}

func (c *call) nodeEdges() (any, error) {
	p, e, err := c.node()
	if err != nil {
		return nil, err
	}
	facts, err := p.ListFacts(c.ctx(), annals.List{GroupID: p.group, EntityID: e.ID, Limit: annals.MaxRows})
	return views(facts, edgeViewOf), err
}

func (c *call) nodeEpisodes() (any, error) {
	p, e, err := c.node()
	if err != nil {
		return nil, err
	}
	episodes, err := p.ListEpisodes(c.ctx(), annals.List{GroupID: p.group, Mentions: []uuid.UUID{e.ID}, Limit: annals.MaxRows})
	return map[string]any{"episodes": views(episodes, c.episodeView)}, err
}

// neighbor is a node beside another, with the edges between the two.
type neighbor struct {
	Node  nodeView   `json:"node"`
	Edges []edgeView `json:"edges"`
}

func (c *call) nodeNeighbors() (any, error) {
	in, err := read[struct {
		listing
		Sort string `json:"direction_sort"`
	}](c)
	if err != nil {
		return nil, err
	}
	p, e, err := c.node()
	if err != nil {
		return nil, err
	}
	if err := checkDirection(in.Direction); err != nil {
		return nil, err
	}
	facts, err := c.edgesAt(p, e.ID, in.Direction, in.Filters)
	if err != nil {
		return nil, err
	}
	in.listing.Direction = in.Sort
	l, err := in.list(p.group, "created_at")
	if err != nil {
		return nil, err
	}
	between := map[uuid.UUID][]edgeView{}
	var ids []uuid.UUID
	for _, f := range facts {
		other := otherEnd(f, e.ID)
		if between[other] == nil {
			ids = append(ids, other)
		}
		between[other] = append(between[other], edgeViewOf(f))
	}
	nodes, err := p.EntitiesByID(c.ctx(), p.group, ids)
	if err != nil {
		return nil, err
	}
	sortNodes(nodes, l)
	nodes = nodes[min(l.Skip, len(nodes)):]
	nodes = nodes[:min(l.Limit, len(nodes))]
	c.next(l, len(nodes))
	return views(nodes, func(n annals.Entity) neighbor { return neighbor{nodeViewOf(n), between[n.ID]} }), nil
}

func sortNodes(nodes []annals.Entity, l annals.List) {
	slices.SortFunc(nodes, func(a, b annals.Entity) int {
		order := slices.Compare(a.ID[:], b.ID[:])
		if l.OrderBy == "created_at" && !a.CreatedAt.Equal(b.CreatedAt) {
			order = a.CreatedAt.Compare(b.CreatedAt)
		}
		if !l.Ascending {
			return -order
		}
		return order
	})
}
