package project

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/service"
)

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
