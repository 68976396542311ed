package retrieval

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/annalsdb/annals/graph"
)

// Filter narrows a search. It applies before Limit, so that Limit hits pass it. All conditions that
// are set must hold. A condition does not narrow a scope that it cannot apply to, such as
// communities. A condition on episodes applies to the facts that they state and to the entities
// that they mention.
type Filter struct {
	// Labels of entities; for facts, of both their entities. Any one of the listed labels matches.
	Labels         []string `json:"labels,omitempty"`
	ExcludedLabels []string `json:"excluded_labels,omitempty"`

	// Of facts.
	Predicates         []string `json:"predicates,omitempty"`
	ExcludedPredicates []string `json:"excluded_predicates,omitempty"`

	// ToldBy are speakers, by any of their names. It keeps the facts that a message of one of them
	// states, the episodes that they said, the entities that they mention, and the observations
	// that they alone show. Without Scopes only facts and episodes are searched, as summaries tell
	// what the group believes.
	ToldBy []string `json:"told_by,omitempty"`

	// Of facts and entities: a condition on their attributes.
	Attributes *Condition `json:"attributes,omitempty"`

	// Times of facts: when they began and ceased to hold, and when we learned of their end.
	// Created, also of entities: when we learned of them.
	Valid   TimeCondition `json:"valid,omitempty"`
	Invalid TimeCondition `json:"invalid,omitempty"`
	Created TimeCondition `json:"created,omitempty"`
	Expired TimeCondition `json:"expired,omitempty"`

	// Of episodes.
	Sources  []graph.Source `json:"sources,omitempty"`
	Threads  []string       `json:"threads,omitempty"`
	Actors   []string       `json:"actors,omitempty"`
	Roles    []string       `json:"roles,omitempty"`
	Occurred TimeCondition  `json:"occurred,omitempty"`
	Metadata *Condition     `json:"metadata,omitempty"`

	// Of episodes: sub-scopes of a group, which are the texts that their metadata
	// keeps under user_id, agent_id and run_id. They are found by index.
	Users  []string `json:"users,omitempty"`
	Agents []string `json:"agents,omitempty"`
	Runs   []string `json:"runs,omitempty"`
}

// Condition is a test of one value of a JSON document, or a combination of
// conditions. Exactly one of And, Or, Not and Path is set.
type Condition struct {
	And []Condition `json:"and,omitempty"`
	Or  []Condition `json:"or,omitempty"`
	Not *Condition  `json:"not,omitempty"`

	Path  []string `json:"path,omitempty"` // of keys, from the outermost
	Op    Op       `json:"op,omitempty"`
	Value any      `json:"value,omitempty"` // a text, number, boolean or, with OpIn, a list of them
}

// Op is how a value is compared. A value of another type, or none, passes no comparison but
// OpNotEqual. A list passes if one of its members does, and OpNotEqual if none of them is equal.
type Op string

// The comparisons.
const (
	OpEqual        Op = "eq"
	OpNotEqual     Op = "ne"
	OpGreater      Op = "gt"
	OpGreaterEqual Op = "gte"
	OpLess         Op = "lt"
	OpLessEqual    Op = "lte"
	OpIn           Op = "in"        // it is one of Value
	OpContains     Op = "contains"  // it is a list with Value in it, or a text that holds Value
	OpContainsFold Op = "icontains" // it is a text that holds the text Value, in capitals or not
	OpWildcard     Op = "wildcard"  // it is a text of the form Value: * stands for any characters, ? for one
	OpExists       Op = "exists"    // it is there; Value is not read
)

// TimeCondition tests a time: one of its lists must hold, and a list holds if all its tests do.
// Empty: any time passes, and so does none.
type TimeCondition [][]TimeTest

// TimeTest compares a time. Op is one of eq, ne, gt, gte, lt, lte, and null and
// not_null, which read no At.
type TimeTest struct {
	Op Op        `json:"op"`
	At time.Time `json:"at,omitzero"`
}

// The tests for whether there is a time at all.
const (
	OpNull    Op = "null"
	OpNotNull Op = "not_null"
)

const (
	maxListed     = 1000 // values of one list of a filter
	maxConditions = 100  // in all
)

// validate checks the filter. The error names the part of it and the limit.
func (f Filter) validate() error {
	for name, list := range f.lists() {
		if n := len(list); n > maxListed {
			return graph.Invalid("filter."+name, "lists %d values; the limit is %d", n, maxListed)
		}
		if err := validateTexts("filter."+name, list); err != nil {
			return err
		}
	}
	for name, list := range map[string][]string{"told_by": f.ToldBy, "users": f.Users, "agents": f.Agents, "runs": f.Runs} {
		if slices.Contains(list, "") {
			return graph.Invalid("filter."+name, "names an empty one; leave it out")
		}
	}
	for _, speaker := range f.ToldBy {
		if err := graph.ValidateText("filter.told_by", speaker, graph.MaxName); err != nil {
			return err
		}
	}
	for name, c := range map[string]*Condition{"attributes": f.Attributes, "metadata": f.Metadata} {
		if c == nil {
			continue
		}
		left := maxConditions
		if err := c.validate("filter."+name, &left); err != nil {
			return err
		}
	}
	for name, c := range f.times() {
		if err := c.validate("filter." + name); err != nil {
			return err
		}
	}
	return nil
}

// validateTexts refuses texts that PostgreSQL cannot store, as no value can equal them.
func validateTexts(field string, texts []string) error {
	for _, text := range texts {
		if err := graph.ValidateText(field, text, len(text)); err != nil {
			return err
		}
	}
	return nil
}

func (c Condition) validate(field string, left *int) error {
	if *left--; *left < 0 {
		return graph.Invalid(field, "has more than %d conditions", maxConditions)
	}
	parts := append(append([]Condition{}, c.And...), c.Or...)
	if c.Not != nil {
		parts = append(parts, *c.Not)
	}
	set := 0
	for _, is := range []bool{len(c.And) > 0, len(c.Or) > 0, c.Not != nil, len(c.Path) > 0} {
		if is {
			set++
		}
	}
	if set != 1 {
		return graph.Invalid(field, "a condition has exactly one of and, or, not and path")
	}
	for _, part := range parts {
		if err := part.validate(field, left); err != nil {
			return err
		}
	}
	if len(c.Path) > 0 {
		return c.validateTest(field, left)
	}
	return nil
}

func (c Condition) validateTest(field string, left *int) error {
	texts := c.Path
	if text, ok := c.Value.(string); ok {
		texts = append(slices.Clone(texts), text)
	}
	if err := validateTexts(field, texts); err != nil {
		return err
	}
	switch c.Op {
	case OpExists:
		return nil
	case OpIn:
		values, ok := c.Value.([]any)
		if !ok || len(values) == 0 {
			return graph.Invalid(field, "in compares with a list of values")
		}
		for _, value := range values {
			if err := (Condition{Path: c.Path, Op: OpEqual, Value: value}).validate(field, left); err != nil {
				return err
			}
		}
		return nil
	case OpContainsFold, OpWildcard:
		if _, ok := c.Value.(string); !ok {
			return graph.Invalid(field, "%s compares with a text", c.Op)
		}
		return nil
	case OpEqual, OpNotEqual, OpGreater, OpGreaterEqual, OpLess, OpLessEqual, OpContains:
	default:
		return graph.Invalid(field, "%q is not one of eq, ne, gt, gte, lt, lte, in, contains, icontains, wildcard, exists", c.Op)
	}
	switch v := c.Value.(type) {
	case string, bool, int, int32, int64, float32, float64, json.Number:
		if _, err := json.Marshal(v); err != nil {
			return graph.Invalid(field, "%v is no number that can be compared with", v)
		}
		return nil
	}
	return graph.Invalid(field, "%v is neither a text, a number nor true or false", c.Value)
}

func (c TimeCondition) validate(field string) error {
	n := 0
	for _, all := range c {
		if len(all) == 0 {
			return graph.Invalid(field, "has a list without tests; leave it out")
		}
		for _, t := range all {
			switch n++; t.Op {
			case OpNull, OpNotNull, OpEqual, OpNotEqual, OpGreater, OpGreaterEqual, OpLess, OpLessEqual:
			default:
				return graph.Invalid(field, "%q is not one of eq, ne, gt, gte, lt, lte, null, not_null", t.Op)
			}
			if t.At.IsZero() && t.Op != OpNull && t.Op != OpNotNull {
				return graph.Invalid(field, "%s needs the time to compare with, at", t.Op)
			}
			if err := graph.ValidateTime(field, t.At); err != nil {
				return err
			}
		}
	}
	if n > maxConditions {
		return graph.Invalid(field, "has more than %d tests", maxConditions)
	}
	return nil
}
