package zep

import (
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// rowFilters are the filters that both generations write alike.
type rowFilters struct {
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

// searchFilters narrow a search on the wire.
type searchFilters struct {
	rowFilters
	PropertyFilters []propertyFilter `json:"property_filters"`
	CreatedAt       [][]dateFilter   `json:"created_at"`
	ValidAt         [][]dateFilter   `json:"valid_at"`
	InvalidAt       [][]dateFilter   `json:"invalid_at"`
	ExpiredAt       [][]dateFilter   `json:"expired_at"`
	EpisodeMetadata *metadataGroup   `json:"episode_metadata_filters"`
}

type dateFilter struct {
	Operator string `json:"comparison_operator"`
	Date     string `json:"date"`
}

type propertyFilter struct {
	Operator string `json:"comparison_operator"`
	Name     string `json:"property_name"`
	Value    any    `json:"property_value"`
}

type metadataGroup struct {
	Type    string           `json:"type"`
	Filters []propertyFilter `json:"filters"`
	Groups  []metadataGroup  `json:"groups"`
}

const (
	isNull    = "IS NULL"
	isNotNull = "IS NOT NULL"
)

// operators maps signs to comparisons.
var operators = map[string]annals.Op{
	"=": annals.OpEqual, "<>": annals.OpNotEqual, ">": annals.OpGreater, ">=": annals.OpGreaterEqual,
	"<": annals.OpLess, "<=": annals.OpLessEqual, "CONTAINS": annals.OpContains, "IN": annals.OpIn,
	isNull: annals.OpNull, "is_null": annals.OpNull, isNotNull: annals.OpNotNull,
}

func operator(field, sign string) (annals.Op, error) {
	op, ok := operators[sign]
	if !ok {
		return "", graph.Invalid(field, "%q is not one of =, <>, >, <, >=, <=, CONTAINS, IS NULL, IS NOT NULL", sign)
	}
	return op, nil
}

// filter turns the filters into one of the library.
func (f searchFilters) filter() (annals.Filter, error) {
	out := annals.Filter{
		ExcludedLabels: f.ExcludeNodeLabels, Predicates: f.EdgeTypes, ExcludedPredicates: f.ExcludeEdgeTypes,
	}
	if !slices.Contains(f.NodeLabels, entityLabel) { // all have that
		out.Labels = f.NodeLabels
	}
	for _, t := range []struct {
		field string
		from  [][]dateFilter
		to    *annals.TimeCondition
	}{
		{"created_at", f.CreatedAt, &out.Created},
		{"valid_at", f.ValidAt, &out.Valid},
		{"invalid_at", f.InvalidAt, &out.Invalid},
		{"expired_at", f.ExpiredAt, &out.Expired},
	} {
		var err error
		if *t.to, err = dates(t.field, t.from); err != nil {
			return out, err
		}
	}
	var err error
	if out.Attributes, err = allOf("property_filters", f.PropertyFilters); err != nil {
		return out, err
	}
	if f.EpisodeMetadata != nil {
		condition, err := f.EpisodeMetadata.condition(0)
		if err != nil {
			return out, err
		}
		out.Metadata = &condition
	}
	return out, nil
}

func dates(field string, alternatives [][]dateFilter) (annals.TimeCondition, error) {
	var out annals.TimeCondition
	for _, tests := range alternatives {
		if len(tests) == 0 {
			return nil, graph.Invalid(field, "has an empty list of conditions; leave it out")
		}
		var all []annals.TimeTest
		for _, t := range tests {
			op, err := operator(field, t.Operator)
			if err != nil {
				return nil, err
			}
			test := annals.TimeTest{Op: op}
			if op != annals.OpNull && op != annals.OpNotNull {
				if test.At, err = graph.ParseTime(field, t.Date); err != nil {
					return nil, err
				}
				if test.At.IsZero() {
					return nil, graph.Invalid(field, "%s needs a date", t.Operator)
				}
			}
			all = append(all, test)
		}
		out = append(out, all)
	}
	return out, nil
}

// allOf returns a condition that holds where all do; nil where there are none.
func allOf(field string, filters []propertyFilter) (*annals.Condition, error) {
	var all []annals.Condition
	for _, f := range filters {
		c, err := f.condition(field)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		return nil, nil
	}
	return &annals.Condition{And: all}, nil
}

func (f propertyFilter) condition(field string) (annals.Condition, error) {
	op, err := operator(field, f.Operator)
	if err != nil {
		return annals.Condition{}, err
	}
	if f.Name == "" {
		return annals.Condition{}, graph.Invalid(field, "lacks a property_name")
	}
	path := []string{f.Name}
	switch op {
	case annals.OpNotNull:
		return annals.Condition{Path: path, Op: annals.OpExists}, nil
	case annals.OpNull:
		return annals.Condition{Not: &annals.Condition{Path: path, Op: annals.OpExists}}, nil
	}
	if f.Value == nil {
		return annals.Condition{}, graph.Invalid(field, "%s of %s needs a property_value", f.Operator, f.Name)
	}
	return annals.Condition{Path: path, Op: op, Value: f.Value}, nil
}

const maxNesting = 10

func (g metadataGroup) condition(depth int) (annals.Condition, error) {
	const field = "episode_metadata_filters"
	if depth > maxNesting {
		return annals.Condition{}, graph.Invalid(field, "are nested deeper than %d", maxNesting)
	}
	var parts []annals.Condition
	for _, f := range g.Filters {
		c, err := f.condition(field)
		if err != nil {
			return c, err
		}
		parts = append(parts, c)
	}
	for _, sub := range g.Groups {
		c, err := sub.condition(depth + 1)
		if err != nil {
			return c, err
		}
		parts = append(parts, c)
	}
	switch {
	case len(parts) == 0:
		return annals.Condition{}, graph.Invalid(field, "hold no filter")
	case g.Type == "and":
		return annals.Condition{And: parts}, nil
	case g.Type == "or":
		return annals.Condition{Or: parts}, nil
	}
	return annals.Condition{}, graph.Invalid(field, "%q is not one of and, or", g.Type)
}

// rows are the filters by ids, applied to what a search found.
type rows struct {
	edges, episodes, connected, sources, targets []uuid.UUID
}

const maxListed = 256

func (f searchFilters) rows() (rows, error) {
	var r rows
	for _, list := range []struct {
		field string
		from  []string
		to    *[]uuid.UUID
	}{
		{"edge_uuids", f.EdgeUUIDs, &r.edges},
		{"episode_uuids", f.EpisodeUUIDs, &r.episodes},
		{"connected_node_uuids", f.ConnectedNodeUUIDs, &r.connected},
		{"source_node_uuids", f.SourceNodeUUIDs, &r.sources},
		{"target_node_uuids", f.TargetNodeUUIDs, &r.targets},
	} {
		var err error
		if *list.to, err = uuids(list.field, list.from, maxListed); err != nil {
			return r, err
		}
	}
	return r, nil
}

func uuids(field string, texts []string, most int) ([]uuid.UUID, error) {
	if len(texts) > most {
		return nil, graph.Invalid(field, "are %d; the limit is %d", len(texts), most)
	}
	var out []uuid.UUID
	for _, text := range texts {
		id, err := uuid.Parse(text)
		if err != nil {
			return nil, graph.Invalid(field, "%s", fmt.Sprintf("%q is no UUID", text))
		}
		out = append(out, id)
	}
	return out, nil
}

func (r rows) any() bool {
	return len(r.edges)+len(r.episodes)+len(r.connected)+len(r.sources)+len(r.targets) > 0
}

// ofEdges reports whether any of them is about edges alone.
func (r rows) ofEdges() bool { return len(r.edges)+len(r.connected)+len(r.sources)+len(r.targets) > 0 }

// narrow adds the filters by ids to a list.
func (r rows) narrow(l *service.List) {
	l.IDs, l.EntityIDs, l.SourceIDs, l.TargetIDs, l.EpisodeIDs = r.edges, r.connected, r.sources, r.targets, r.episodes
}

// noEdges refuses filters by edges for lists without edges.
func (r rows) noEdges() error {
	if !r.ofEdges() {
		return nil
	}
	return graph.Invalid("search_filters", "edge_uuids, connected_node_uuids, source_node_uuids and target_node_uuids are of edges, which are not asked for")
}

// byEpisodes sorts facts by how many of the given episodes state them. Equal
// ones keep their order.
func (r rows) byEpisodes(facts []annals.FactHit) {
	slices.SortStableFunc(facts, func(a, b annals.FactHit) int { return r.mentions(b.Fact) - r.mentions(a.Fact) })
}

func (r rows) mentions(f annals.Fact) int {
	n := 0
	for _, id := range f.Episodes {
		if slices.Contains(r.episodes, id) {
			n++
		}
	}
	return n
}

// passes reports whether a fact passes.
func (r rows) passes(f annals.Fact) bool {
	among := func(list []uuid.UUID, ids ...uuid.UUID) bool {
		return len(list) == 0 || slices.ContainsFunc(ids, func(id uuid.UUID) bool { return slices.Contains(list, id) })
	}
	return among(r.edges, f.ID) && among(r.connected, f.SourceID, f.TargetID) && among(r.sources, f.SourceID) &&
		among(r.targets, f.TargetID) && among(r.episodes, f.Episodes...)
}
