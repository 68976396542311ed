package project

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/service"
)

// DefaultPage is the default number of rows of a page.
const DefaultPage = 100

// Listing is a request for a page of a list.
type Listing struct {
	Cursor     string       `json:"cursor"`
	UUIDCursor string       `json:"uuid_cursor"`
	Direction  string       `json:"direction"`
	Limit      *int         `json:"limit"`
	OrderBy    string       `json:"order_by"`
	Filters    service.List `json:"-"`
}

// List converts a listing to one of the library. orders are the allowed values of order_by.
func (in Listing) List(group string, orders ...string) (service.List, error) {
	l := in.Filters
	l.GroupID, l.OrderBy, l.Ascending, l.Limit = group, in.OrderBy, in.Direction == "asc", DefaultPage
	if in.Direction != "" && in.Direction != "asc" && in.Direction != "desc" {
		return l, graph.Invalid("direction", "%q is not one of asc, desc", in.Direction)
	}
	if in.OrderBy != "" && in.OrderBy != "uuid" && !slices.Contains(orders, in.OrderBy) {
		return l, graph.Invalid("order_by", "%q is not one that this list can be ordered by", in.OrderBy)
	}
	if limit := OrZero(in.Limit); limit < 0 {
		return l, graph.Invalid("limit", "is %d; it must be positive", limit)
	} else if limit > 0 {
		l.Limit = min(limit, 1000)
	}
	return l, in.begin(&l)
}

// begin sets where a page begins. A cursor holds the last row of the page before, and the number of
// rows before it. Older clients send only the row.
func (in Listing) begin(l *service.List) error {
	if in.Cursor == "" {
		var r Reader
		l.After = r.UUID("uuid_cursor", in.UUIDCursor)
		return r.Err
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

// next sets the cursor of the next page, if there may be one.
func next[Row any](m Memory, l service.List, listed []Row, id func(Row) uuid.UUID) {
	if len(listed) == 0 || len(listed) != l.Limit {
		return
	}
	last := id(listed[len(listed)-1])
	m.Call.Cursor = base64.RawURLEncoding.EncodeToString([]byte(strconv.Itoa(l.Skip+len(listed)) + " " + last.String()))
}

// cut returns a page of rows that are all in memory and sorted.
func cut[Row any](m Memory, l service.List, rows []Row, id func(Row) uuid.UUID) []Row {
	begin := min(l.Skip, len(rows))
	if last := slices.IndexFunc(rows, func(r Row) bool { return id(r) == l.After }); last >= 0 {
		begin = last + 1
	}
	rows = rows[begin:min(begin+l.Limit, len(rows))]
	next(m, l, rows, id)
	return rows
}

func factID(f annals.Fact) uuid.UUID       { return f.ID }
func entityID(e annals.Entity) uuid.UUID   { return e.ID }
func episodeID(e annals.Episode) uuid.UUID { return e.ID }

// NodePage lists nodes.
func (m Memory) NodePage(in Listing) ([]Node, error) {
	l, err := in.List(m.ID, "created_at", "degree")
	if err := cmp.Or(err, noEdges(in.Filters)); err != nil {
		return nil, err
	}
	found, err := m.Service.ListEntities(m.Ctx(), l)
	if err != nil || len(found) == 0 {
		return []Node{}, err
	}
	entities := each.Of(found, func(d service.Degree) annals.Entity { return d.Entity })
	next(m, l, entities, entityID)
	nodes, err := m.Nodes(entities, nil)
	for i := range nodes {
		if in.OrderBy == "degree" {
			nodes[i].Degree = &found[i].Facts
		}
	}
	return nodes, err
}

// EdgePage lists edges.
func (m Memory) EdgePage(in Listing) ([]Edge, error) {
	l, err := in.List(m.ID, "created_at", "valid_at")
	if err != nil {
		return nil, err
	}
	facts, err := m.Service.ListFacts(m.Ctx(), l)
	next(m, l, facts, factID)
	return m.Edges(facts, err)
}

// EpisodePage lists episodes.
func (m Memory) EpisodePage(in Listing) ([]Episode, error) {
	l, err := in.List(m.ID, "created_at")
	if err != nil {
		return nil, err
	}
	if l.OrderBy == "created_at" { // clients see occurred_at under that name
		l.OrderBy = "occurred_at"
	}
	episodes, err := m.Service.ListEpisodes(m.Ctx(), l)
	next(m, l, episodes, episodeID)
	return m.Episodes(episodes, err)
}

// Neighbor is a node next to another, with the edges between them.
type Neighbor struct {
	Node  Node
	Edges []Edge
}

// NeighborPage lists the nodes that facts connect with an entity, in a direction.
func (m Memory) NeighborPage(e annals.Entity, direction string, in Listing) ([]Neighbor, error) {
	if err := checkDirection(direction); err != nil {
		return nil, err
	}
	facts, _, err := m.edgesAt([]uuid.UUID{e.ID}, direction, in.Filters)
	edges, err := m.Edges(facts, err)
	if err != nil {
		return nil, err
	}
	l, err := in.List(m.ID, "created_at")
	if err != nil {
		return nil, err
	}
	between := map[uuid.UUID][]Edge{}
	for i, f := range facts {
		other := otherEnd(f, e.ID)
		between[other] = append(between[other], edges[i])
	}
	found, err := m.Service.EntitiesByID(m.Ctx(), m.ID, slices.Collect(maps.Keys(between)))
	if err != nil {
		return nil, err
	}
	sortBy(found, l, entityID, map[string]func(annals.Entity) time.Time{"created_at": func(e annals.Entity) time.Time { return e.CreatedAt }})
	found = cut(m, l, found, entityID)
	nodes, err := m.Nodes(found, nil)
	out := make([]Neighbor, len(nodes))
	for i, n := range nodes {
		out[i] = Neighbor{n, between[found[i].ID]}
	}
	return out, err
}

// sortBy sorts rows as a list asks: by a time, of those that it may be ordered by, and by their ids.
func sortBy[Row any](rows []Row, l service.List, id func(Row) uuid.UUID, times map[string]func(Row) time.Time) {
	each.Sort(rows, func(a, b Row) int {
		first, second := id(a), id(b)
		order := bytes.Compare(first[:], second[:])
		if at := times[l.OrderBy]; at != nil {
			order = cmp.Or(at(a).Compare(at(b)), order)
		}
		if !l.Ascending {
			return -order
		}
		return order
	})
}

// RowFilters are the filters that are the same in all generations.
type RowFilters struct {
	NodeLabels         []string `json:"node_labels"`
	ExcludeNodeLabels  []string `json:"exclude_node_labels"`
	EdgeTypes          []string `json:"edge_types"`
	ExcludeEdgeTypes   []string `json:"exclude_edge_types"`
	EdgeUUIDs          []string `json:"edge_uuids"`
	EpisodeUUIDs       []string `json:"episode_uuids"`
	ConnectedNodeUUIDs []string `json:"connected_node_uuids"`
	SourceNodeUUIDs    []string `json:"source_node_uuids"`
	TargetNodeUUIDs    []string `json:"target_node_uuids"`
}

// Read converts the filters.
func (f RowFilters) Read(r *Reader) service.List {
	return service.List{
		Filter: annals.Filter{
			Labels: labelled(f.NodeLabels), ExcludedLabels: f.ExcludeNodeLabels, Predicates: f.EdgeTypes, ExcludedPredicates: f.ExcludeEdgeTypes,
		},
		IDs:        r.UUIDs("edge_uuids", f.EdgeUUIDs, MaxListed),
		EpisodeIDs: r.UUIDs("episode_uuids", f.EpisodeUUIDs, MaxListed),
		EntityIDs:  r.UUIDs("connected_node_uuids", f.ConnectedNodeUUIDs, MaxListed),
		SourceIDs:  r.UUIDs("source_node_uuids", f.SourceNodeUUIDs, MaxListed),
		TargetIDs:  r.UUIDs("target_node_uuids", f.TargetNodeUUIDs, MaxListed),
	}
}

// labelled returns the labels to look for; nil if all nodes have one of them.
func labelled(labels []string) []string {
	if slices.Contains(labels, EntityLabel) {
		return nil
	}
	return labels
}

// Operators maps a generation's names of comparisons.
type Operators map[string]annals.Op

// op returns the comparison with a name.
func (o Operators) op(r *Reader, field, name string) annals.Op {
	op, ok := o[name]
	if !ok {
		r.refuse(field, "%q is not one of %s", name, strings.Join(slices.Sorted(maps.Keys(o)), ", "))
	}
	return op
}

// Time reads a condition on a time.
func (o Operators) Time(r *Reader, field, name, date string) annals.TimeTest {
	test := annals.TimeTest{Op: o.op(r, field, name)}
	if r.Err == nil && test.Op != annals.OpNull && test.Op != annals.OpNotNull {
		if test.At = r.Time(field, date); test.At.IsZero() {
			r.refuse(field, "%s needs a date", name)
		}
	}
	return test
}

// Test is a condition on a property in the form of a generation.
type Test interface {
	Parts() (operator, name string, value any)
}

// property reads a condition on a property.
func (o Operators) property(r *Reader, field string, t Test) annals.Condition {
	operator, name, value := t.Parts()
	op, path := o.op(r, field, operator), []string{name}
	switch {
	case name == "":
		r.refuse(field, "lacks a property_name")
	case op == annals.OpNotNull:
		return annals.Condition{Path: path, Op: annals.OpExists}
	case op == annals.OpNull:
		return annals.Condition{Not: &annals.Condition{Path: path, Op: annals.OpExists}}
	case value == nil:
		r.refuse(field, "%s of %s needs a property_value", operator, name)
	}
	return annals.Condition{Path: path, Op: op, Value: value}
}

// AllOf reads a condition that holds if all tests hold; nil if there are none.
func AllOf[T Test](r *Reader, o Operators, field string, tests []T) *annals.Condition {
	if len(tests) == 0 {
		return nil
	}
	return &annals.Condition{And: each.Of(tests, func(t T) annals.Condition { return o.property(r, field, t) })}
}

// Group is a group of tests and other groups. Type says whether all ("and" or empty) or any ("or")
// must hold.
type Group[T Test] struct {
	Type    string     `json:"type"`
	Filters []T        `json:"filters"`
	Groups  []Group[T] `json:"groups"`
}

const maxNesting = 10

// Read converts the group to a condition of the library; nil if there is no group.
func (g *Group[T]) Read(r *Reader, o Operators, field string) *annals.Condition {
	if g == nil {
		return nil
	}
	condition := g.within(r, o, field, 0)
	return &condition
}

func (g *Group[T]) within(r *Reader, o Operators, field string, depth int) annals.Condition {
	if depth > maxNesting {
		r.refuse(field, "are nested deeper than %d", maxNesting)
		return annals.Condition{}
	}
	parts := slices.Concat(
		each.Of(g.Filters, func(t T) annals.Condition { return o.property(r, field, t) }),
		each.Of(g.Groups, func(sub Group[T]) annals.Condition { return sub.within(r, o, field, depth+1) }),
	)
	switch {
	case len(parts) == 0:
		r.refuse(field, "hold no filter")
	case g.Type == "or":
		return annals.Condition{Or: parts}
	case g.Type != "and" && g.Type != "":
		r.refuse(field, "%q is not one of and, or", g.Type)
	}
	return annals.Condition{And: parts}
}

// byIDs reports whether filters select rows by id.
func byIDs(f service.List) bool { return byEdges(f) || len(f.EpisodeIDs) > 0 }

// byEdges reports whether filters select edges by id or by their ends.
func byEdges(f service.List) bool {
	return len(f.IDs)+len(f.EntityIDs)+len(f.SourceIDs)+len(f.TargetIDs) > 0
}

// noEdges refuses filters by edges in lists without edges.
func noEdges(f service.List) error {
	if !byEdges(f) {
		return nil
	}
	return graph.Invalid("search_filters", "edge_uuids, connected_node_uuids, source_node_uuids and target_node_uuids are of edges, which are not asked for")
}

// passes reports whether a fact passes the filters by id.
func passes(by service.List, f annals.Fact) bool {
	among := func(list []uuid.UUID, ids ...uuid.UUID) bool {
		return len(list) == 0 || slices.ContainsFunc(ids, func(id uuid.UUID) bool { return slices.Contains(list, id) })
	}
	return among(by.IDs, f.ID) && among(by.EntityIDs, f.SourceID, f.TargetID) && among(by.SourceIDs, f.SourceID) &&
		among(by.TargetIDs, f.TargetID) && among(by.EpisodeIDs, f.Episodes...)
}
