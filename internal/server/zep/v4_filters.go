package zep

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/annalsdb/annals/graph"
)

// v4Filters narrow a search or a list of version 4.
type v4Filters struct {
	rowFilters
	MentionedNodeUUIDs []string        `json:"mentioned_node_uuids"`
	NodeUUIDs          []string        `json:"node_uuids"`
	PropertyFilters    []v4Condition   `json:"property_filters"`
	DateFilters        *v4DateFilters  `json:"date_filters"`
	MetadataFilters    *v4Conditions   `json:"metadata_filters"`
	PolicyViolated     json.RawMessage `json:"content_policy_violated"`
}

type v4DateFilters struct {
	AnyOf []struct {
		AllOf []v4DateFilter `json:"all_of"`
	} `json:"any_of"`
}

type v4DateFilter struct {
	Field    string `json:"field"`
	Operator string `json:"operator"`
	Value    string `json:"value"`
}

type v4Condition struct {
	Name     string `json:"property_name"`
	Operator string `json:"operator"`
	Value    any    `json:"value"`
}

type v4Conditions struct {
	Type    string         `json:"type"`
	Filters []v4Condition  `json:"filters"`
	Groups  []v4Conditions `json:"groups"`
}

// v4Operators maps the names of comparisons to the signs of version 3.
var v4Operators = map[string]string{
	"eq": "=", "ne": "<>", "gt": ">", "gte": ">=", "lt": "<", "lte": "<=", "in": "IN", "contains": "CONTAINS",
	"is_null": isNull, "is_not_null": isNotNull,
}

func v4Sign(field, operator string) (string, error) {
	sign, ok := v4Operators[operator]
	if !ok {
		return "", graph.Invalid(field, "%q is not one of eq, ne, gt, gte, lt, lte, in, contains, is_null, is_not_null", operator)
	}
	return sign, nil
}

func (f v4Condition) filter(field string) (propertyFilter, error) {
	sign, err := v4Sign(field, f.Operator)
	return propertyFilter{Operator: sign, Name: f.Name, Value: f.Value}, err
}

func (g v4Conditions) group(depth int) (metadataGroup, error) {
	out := metadataGroup{Type: g.Type}
	if out.Type == "" {
		out.Type = "and"
	}
	if depth > maxNesting {
		return out, graph.Invalid("metadata_filters", "are nested deeper than %d", maxNesting)
	}
	for _, f := range g.Filters {
		filter, err := f.filter("metadata_filters")
		if err != nil {
			return out, err
		}
		out.Filters = append(out.Filters, filter)
	}
	for _, sub := range g.Groups {
		group, err := sub.group(depth + 1)
		if err != nil {
			return out, err
		}
		out.Groups = append(out.Groups, group)
	}
	return out, nil
}

// search turns the filters into those of version 3. Those that are not among the
// known ones are refused.
func (f v4Filters) search(known ...string) (searchFilters, error) {
	out := searchFilters{rowFilters: f.rowFilters}
	if err := f.only(known...); err != nil {
		return out, err
	}
	for _, p := range f.PropertyFilters {
		filter, err := p.filter("property_filters")
		if err != nil {
			return out, err
		}
		out.PropertyFilters = append(out.PropertyFilters, filter)
	}
	if f.MetadataFilters != nil {
		group, err := f.MetadataFilters.group(0)
		if err != nil {
			return out, err
		}
		out.EpisodeMetadata = &group
	}
	return out, f.DateFilters.into(&out)
}

// only refuses filters that are given and not among the known ones.
func (f v4Filters) only(known ...string) error {
	for field, given := range map[string]bool{
		"node_labels": f.NodeLabels != nil, "exclude_node_labels": f.ExcludeNodeLabels != nil, "edge_types": f.EdgeTypes != nil,
		"exclude_edge_types": f.ExcludeEdgeTypes != nil, "edge_uuids": f.EdgeUUIDs != nil, "episode_uuids": f.EpisodeUUIDs != nil,
		"connected_node_uuids": f.ConnectedNodeUUIDs != nil, "source_node_uuids": f.SourceNodeUUIDs != nil,
		"target_node_uuids": f.TargetNodeUUIDs != nil, "mentioned_node_uuids": f.MentionedNodeUUIDs != nil, "node_uuids": f.NodeUUIDs != nil,
		"property_filters": f.PropertyFilters != nil, "date_filters": f.DateFilters != nil, "metadata_filters": f.MetadataFilters != nil,
		"content_policy_violated": f.PolicyViolated != nil,
	} {
		if given && !slices.Contains(known, field) {
			return graph.Invalid("filters."+field, "is not a filter of this operation; those are: %s", strings.Join(known, ", "))
		}
	}
	return nil
}

// The filters of what is searched or listed.
var (
	v4AnyFilters = []string{
		"node_labels", "exclude_node_labels", "edge_types", "exclude_edge_types", "edge_uuids", "episode_uuids", "connected_node_uuids",
		"source_node_uuids", "target_node_uuids", "property_filters", "date_filters", "metadata_filters",
	}
	v4EdgeFilters = []string{
		"edge_types", "exclude_edge_types", "edge_uuids", "episode_uuids", "connected_node_uuids", "source_node_uuids", "target_node_uuids",
		"property_filters", "date_filters", "metadata_filters",
	}
	v4NodeFilters  = []string{"node_labels", "exclude_node_labels", "episode_uuids", "property_filters", "metadata_filters"}
	v4NodesListed  = append([]string{"date_filters"}, v4NodeFilters...)
	v4ByMetadata   = []string{"metadata_filters"}
	v4WalkFilters  = slices.DeleteFunc(slices.Clone(v4AnyFilters), func(f string) bool { return f == "metadata_filters" })
	v4OfHyperedges = []string{"node_uuids", "edge_uuids", "episode_uuids"}
)

// into adds the conditions on times. Groups of which any must hold can be heeded
// where they are all about one field.
func (d *v4DateFilters) into(out *searchFilters) error {
	if d == nil {
		return nil
	}
	fields := map[string]*[][]dateFilter{
		"created_at": &out.CreatedAt, "valid_at": &out.ValidAt, "invalid_at": &out.InvalidAt, "expired_at": &out.ExpiredAt,
	}
	about := map[string]bool{}
	for _, group := range d.AnyOf {
		tests := map[string][]dateFilter{}
		for _, f := range group.AllOf {
			if fields[f.Field] == nil {
				return graph.Invalid("filters.date_filters", "%q is not one of created_at, valid_at, invalid_at, expired_at", f.Field)
			}
			sign, err := v4Sign("filters.date_filters", f.Operator)
			if err != nil {
				return err
			}
			about[f.Field] = true
			tests[f.Field] = append(tests[f.Field], dateFilter{Operator: sign, Date: f.Value})
		}
		if len(tests) == 0 {
			return graph.Invalid("filters.date_filters", "have a group without a condition; leave it out")
		}
		for field, all := range tests {
			*fields[field] = append(*fields[field], all)
		}
	}
	if len(d.AnyOf) > 1 && len(about) > 1 {
		return graph.Invalid("filters.date_filters", "with several groups in any_of must all be about one field; ask once for each group")
	}
	return nil
}
