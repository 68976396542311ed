package zep

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

var nodeRoutes = []route{
	{"POST", "/graph/node/graph/{graph}", with((*call).listNodes)},
	{"POST", "/graph/node/user/{user}", with((*call).listNodes)},
	{"GET", "/graph/node/{node}", on((*call).node, (*call).getNode)},
	{"PATCH", "/graph/node/{node}", with((*call).updateNode)},
	{"DELETE", "/graph/node/{node}", on((*call).node, (*call).deleteNode)},
	{"GET", "/graph/node/{node}/entity-edges", on((*call).node, (*call).nodeEdges)},
	{"GET", "/graph/node/{node}/episodes", on((*call).node, (*call).nodeEpisodes)},
	{"POST", "/graph/node/{node}/neighbors", with((*call).nodeNeighbors)},
}

// listing is a request for a page of a list, on the wire.
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

// list turns a listing into one of the library.
func (in listing) list(group string, orders ...string) (service.List, error) {
	l := service.List{GroupID: group, OrderBy: in.OrderBy, Ascending: in.Direction == "asc", Limit: defaultPage}
	if in.Direction != "" && in.Direction != "asc" && in.Direction != "desc" {
		return l, graph.Invalid("direction", "%q is not one of asc, desc", in.Direction)
	}
	if in.OrderBy != "" && in.OrderBy != "uuid" && !slices.Contains(orders, in.OrderBy) {
		return l, graph.Invalid("order_by", "%q is not one that this list can be ordered by", in.OrderBy)
	}
	if in.Limit != nil && *in.Limit != 0 {
		if *in.Limit < 0 {
			return l, graph.Invalid("limit", "is %d; it must be positive", *in.Limit)
		}
		l.Limit = min(*in.Limit, 1000)
	}
	if err := in.begin(&l); err != nil {
		return l, err
	}
	var err error
	l.Filter, err = in.Filters.filter()
	return l, err
}

// begin sets where a page begins. A cursor holds the row that was listed last
// and how many came before; older clients send only the row.
func (in listing) begin(l *service.List) error {
	if in.Cursor == "" {
		last, err := uuids("uuid_cursor", some(in.UUIDCursor), 1)
		if len(last) > 0 {
			l.After = last[0]
		}
		return err
	}
	text, err := base64.RawURLEncoding.DecodeString(in.Cursor)
	before, last, ok := strings.Cut(string(text), " ")
	n, err1 := strconv.Atoi(before)
	id, err2 := uuid.Parse(last)
	if err != nil || !ok || err1 != nil || err2 != nil || n < 0 || n > math.MaxInt32 {
		return graph.Invalid("cursor", "is not one that a list returned")
	}
	l.Skip, l.After = n, id
	return nil
}

// next notes the cursor of the next page, if there may be one. Version 3 has it in
// a header.
func (c *call) next(l service.List, listed int, last uuid.UUID) {
	if listed != l.Limit {
		return
	}
	c.cursor = base64.RawURLEncoding.EncodeToString([]byte(strconv.Itoa(l.Skip+listed) + " " + last.String()))
	if !c.v4() {
		c.header.Set(nextCursor, c.cursor)
	}
}

func (c *call) listNodes(in listing) (any, error) {
	p, err := c.either(c.PathValue("user"), c.PathValue("graph"))
	if err != nil {
		return nil, err
	}
	return c.nodePage(p, in)
}

func (c *call) nodePage(p place, in listing) ([]nodeView, error) {
	l, err := in.list(p.group, "created_at", "degree")
	if err != nil {
		return nil, err
	}
	kept, err := in.Filters.rows()
	if err == nil {
		err = kept.noEdges()
	}
	if err != nil {
		return nil, err
	}
	kept.narrow(&l)
	found, err := p.ListEntities(c.ctx(), l)
	if err != nil || len(found) == 0 {
		return []nodeView{}, err
	}
	c.next(l, len(found), found[len(found)-1].ID)
	nodes, err := c.nodesOf(p, views(found, func(d service.Degree) annals.Entity { return d.Entity }))
	for i := range nodes {
		if in.OrderBy == "degree" {
			nodes[i].Degree = &found[i].Facts
		}
	}
	return nodes, err
}

// node returns the entity that the path names, and its memory.
func (c *call) node() (place, annals.Entity, error) {
	p, id, err := c.holding(graph.KindEntity, c.PathValue("node"))
	if err != nil {
		return p, annals.Entity{}, err
	}
	e, err := p.Entity(c.ctx(), p.group, id.String())
	return p, e, err
}

func (c *call) getNode(p place, e annals.Entity) (any, error) {
	return c.oneNode(p, e)
}

func (c *call) updateNode(in struct {
	Name       *string         `json:"name"`
	Summary    *string         `json:"summary"`
	Labels     []string        `json:"labels"`
	Attributes json.RawMessage `json:"attributes"`
},
) (any, error) {
	p, e, err := c.node()
	if err != nil {
		return nil, err
	}
	change := annals.EntityEdit{Name: in.Name, Summary: in.Summary, Attributes: object(in.Attributes)}
	if in.Labels != nil {
		change.Labels = append([]string{}, plainLabels(in.Labels)...)
	}
	if e, err = p.EditEntity(c.ctx(), p.group, e.ID, change); err != nil {
		return nil, err
	}
	return c.oneNode(p, e)
}

func (c *call) deleteNode(p place, e annals.Entity) (any, error) {
	return done, p.DeleteEntity(c.ctx(), p.group, e.ID)
}

func (c *call) nodeEdges(p place, e annals.Entity) (any, error) {
	facts, err := p.ListFacts(c.ctx(), service.List{GroupID: p.group, EntityIDs: []uuid.UUID{e.ID}, Limit: annals.MaxRows})
	if err != nil {
		return nil, err
	}
	return c.edgesOf(p, facts)
}

func (c *call) nodeEpisodes(p place, e annals.Entity) (any, error) {
	episodes, err := p.ListEpisodes(c.ctx(), service.List{GroupID: p.group, Mentions: []uuid.UUID{e.ID}, Limit: annals.MaxRows})
	if err != nil {
		return nil, err
	}
	episodes, err = c.noted(p, episodes)
	return map[string]any{"episodes": views(episodes, c.episodeView)}, err
}

// neighbor is a node beside another, with the edges between the two.
type neighbor struct {
	Node  nodeView   `json:"node"`
	Edges []edgeView `json:"edges"`
}

func (c *call) nodeNeighbors(in struct {
	listing
	Sort string `json:"direction_sort"`
},
) (any, error) {
	p, e, err := c.node()
	if err != nil {
		return nil, err
	}
	direction := in.Direction
	in.listing.Direction = in.Sort
	return c.neighborPage(p, e, direction, in.listing)
}

func (c *call) neighborPage(p place, e annals.Entity, direction string, in listing) ([]neighbor, error) {
	if err := checkDirection(direction); err != nil {
		return nil, err
	}
	facts, _, err := c.edgesAt(p, []uuid.UUID{e.ID}, direction, in.Filters)
	if err != nil {
		return nil, err
	}
	edges, err := c.edgesOf(p, facts)
	if err != nil {
		return nil, err
	}
	l, err := in.list(p.group, "created_at")
	if err != nil {
		return nil, err
	}
	between := map[uuid.UUID][]edgeView{}
	for i, f := range facts {
		other := otherEnd(f, e.ID)
		between[other] = append(between[other], edges[i])
	}
	found, err := p.EntitiesByID(c.ctx(), p.group, slices.Collect(maps.Keys(between)))
	if err != nil {
		return nil, err
	}
	found = pageOf(found, l)
	if len(found) > 0 {
		c.next(l, len(found), found[len(found)-1].ID)
	}
	nodes, err := c.nodesOf(p, found)
	out := make([]neighbor, len(nodes))
	for i, n := range nodes {
		out[i] = neighbor{n, between[found[i].ID]}
	}
	return out, err
}

// pageOf returns a page of neighbours.
func pageOf(nodes []annals.Entity, l service.List) []annals.Entity {
	sortNodes(nodes, l)
	begin := min(l.Skip, len(nodes))
	if last := slices.IndexFunc(nodes, func(n annals.Entity) bool { return n.ID == l.After }); last >= 0 {
		begin = last + 1
	}
	return nodes[begin:min(begin+l.Limit, len(nodes))]
}

func sortNodes(nodes []annals.Entity, l service.List) {
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
