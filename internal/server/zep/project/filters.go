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
func (f RowFilters) Read() (out service.List, err error) {
	out.Filter = annals.Filter{
		Labels: labelled(f.NodeLabels), ExcludedLabels: f.ExcludeNodeLabels, Predicates: f.EdgeTypes, ExcludedPredicates: f.ExcludeEdgeTypes,
	}
	for _, list := range []struct {
		field string
		from  []string
		to    *[]uuid.UUID
	}{
		{"edge_uuids", f.EdgeUUIDs, &out.IDs},
		{"episode_uuids", f.EpisodeUUIDs, &out.EpisodeIDs},
		{"connected_node_uuids", f.ConnectedNodeUUIDs, &out.EntityIDs},
		{"source_node_uuids", f.SourceNodeUUIDs, &out.SourceIDs},
		{"target_node_uuids", f.TargetNodeUUIDs, &out.TargetIDs},
	} {
		if *list.to, err = UUIDs(list.field, list.from, MaxListed); err != nil {
			return out, err
		}
	}
	return out, nil
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

// Op returns the comparison with a name.
func (o Operators) Op(field, name string) (annals.Op, error) {
	op, ok := o[name]
	if !ok {
		return "", graph.Invalid(field, "%q is not one of %s", name, strings.Join(slices.Sorted(maps.Keys(o)), ", "))
	}
	return op, nil
}

// Time converts a condition on a time.
func (o Operators) Time(field, name, date string) (annals.TimeTest, error) {
	op, err := o.Op(field, name)
	test := annals.TimeTest{Op: op}
	if err != nil || op == annals.OpNull || op == annals.OpNotNull {
		return test, err
	}
	if test.At, err = graph.ParseTime(field, date); err == nil && test.At.IsZero() {
		err = graph.Invalid(field, "%s needs a date", name)
	}
	return test, err
}

// property converts a condition on a property.
func (o Operators) property(field, operator, name string, value any) (annals.Condition, error) {
	op, err := o.Op(field, operator)
	if err != nil {
		return annals.Condition{}, err
	}
	if name == "" {
		return annals.Condition{}, graph.Invalid(field, "lacks a property_name")
	}
	path := []string{name}
	switch op {
	case annals.OpNotNull:
		return annals.Condition{Path: path, Op: annals.OpExists}, nil
	case annals.OpNull:
		return annals.Condition{Not: &annals.Condition{Path: path, Op: annals.OpExists}}, nil
	}
	if value == nil {
		return annals.Condition{}, graph.Invalid(field, "%s of %s needs a property_value", operator, name)
	}
	return annals.Condition{Path: path, Op: op, Value: value}, nil
}

// Test is a condition on a property in the form of a generation.
type Test interface {
	Parts() (operator, name string, value any)
}

func conditions[T Test](o Operators, field string, tests []T) ([]annals.Condition, error) {
	return each.Try(tests, func(t T) (annals.Condition, error) {
		operator, name, value := t.Parts()
		return o.property(field, operator, name, value)
	})
}

// AllOf returns a condition that holds if all tests hold; nil if there are none.
func AllOf[T Test](o Operators, field string, tests []T) (*annals.Condition, error) {
	all, err := conditions(o, field, tests)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return &annals.Condition{And: all}, nil
}

// Group is a group of tests and other groups. Type says whether all ("and" or empty) or any ("or")
// must hold.
type Group[T Test] struct {
	Type    string     `json:"type"`
	Filters []T        `json:"filters"`
	Groups  []Group[T] `json:"groups"`
}

const maxNesting = 10

// Condition converts the group to a condition of the library.
func (g Group[T]) Condition(o Operators, field string) (annals.Condition, error) {
	return g.within(o, field, 0)
}

func (g Group[T]) within(o Operators, field string, depth int) (annals.Condition, error) {
	if depth > maxNesting {
		return annals.Condition{}, graph.Invalid(field, "are nested deeper than %d", maxNesting)
	}
	parts, err := conditions(o, field, g.Filters)
	if err != nil {
		return annals.Condition{}, err
	}
	groups, err := each.Try(g.Groups, func(sub Group[T]) (annals.Condition, error) { return sub.within(o, field, depth+1) })
	if err != nil {
		return annals.Condition{}, err
	}
	parts = append(parts, groups...)
	switch {
	case len(parts) == 0:
		return annals.Condition{}, graph.Invalid(field, "hold no filter")
	case g.Type == "and", g.Type == "":
		return annals.Condition{And: parts}, nil
	case g.Type == "or":
		return annals.Condition{Or: parts}, nil
	}
	return annals.Condition{}, graph.Invalid(field, "%q is not one of and, or", g.Type)
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
