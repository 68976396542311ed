package mcp

import (
	"encoding/json"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/annalsdb/annals/graph"
)

// The bounds on how many rows a tool returns: what a model is given has to fit
// its context.
const (
	defaultRows = 10
	maxRows     = 200
)

// usualTokens is how long a context may be where the call does not say: an
// agent that asks for all that bears on a question should keep room to work.
const usualTokens = 4000

// limits bounds arguments by their names: a name means the same in each tool.
var limits = map[string]func(*jsonschema.Schema){
	"query":        text(1, maxQuery),
	"question":     text(1, maxQuery),
	"episode_body": text(1, graph.MaxContent),
	"name":         text(0, graph.MaxName),
	"fact":         text(0, graph.MaxName),

	"group_id":  text(0, graph.MaxGroupID),
	"group_ids": items(maxGroups),
	"uuid":      text(0, maxID),

	"max_nodes":    rows(defaultRows),
	"max_facts":    rows(defaultRows),
	"max_episodes": rows(defaultRows),
	"max_changes":  rows(50),
	"max_hits":     number(0, 1e6, 0),
	"max_tokens":   number(0, 1e6, usualTokens),

	"entity_types":  items(100),
	"edge_types":    items(100),
	"episode_uuids": items(20),

	"previous_episode_uuids": items(1000),
}

const (
	maxQuery = 8192
	maxID    = 64
)

// unlisted are arguments that are read and that no host is told of: they do
// nothing that a model should ask for.
var unlisted = map[string]bool{"previous_episode_uuids": true}

func text(least, most int) func(*jsonschema.Schema) {
	return func(s *jsonschema.Schema) {
		s.MaxLength = &most
		if least > 0 {
			s.MinLength = &least
		}
	}
}

func rows(usual int) func(*jsonschema.Schema) { return number(1, maxRows, usual) }

func number(least, most float64, usual int) func(*jsonschema.Schema) {
	return func(s *jsonschema.Schema) {
		s.Minimum, s.Maximum = &least, &most
		if usual > 0 {
			s.Default, _ = json.Marshal(usual) // a number
		}
	}
}

func items(most int) func(*jsonschema.Schema) {
	return func(s *jsonschema.Schema) {
		s.MaxItems = &most
		text(0, graph.MaxName)(s.Items)
	}
}

// schemaFor is the schema of a type.
func schemaFor[T any]() *jsonschema.Schema {
	schema, err := jsonschema.For[T](nil)
	if err != nil { // it is made of types of this package, and does not depend on input
		panic("mcp: " + err.Error())
	}
	return schema
}

// inputSchema is what the arguments of a tool are read by. Texts without a limit
// of their own are short.
func inputSchema[In any]() *jsonschema.Schema {
	schema := schemaFor[In]()
	for name, property := range schema.Properties {
		if slices.Contains(property.Types, "null") { // as Go has nil; what is left out is left out
			property.Types = slices.DeleteFunc(property.Types, func(t string) bool { return t == "null" })
			property.Type, property.Types = property.Types[0], nil
		}
		if limit := limits[name]; limit != nil {
			limit(property)
		} else if property.Type == "string" {
			text(0, graph.MaxName)(property)
		}
	}
	return schema
}

// shown is what a host is told of the arguments, which a model reads with every
// request: no more than it needs to make a call. The limits are told to those
// who pass them, and what is not listed here is named as ignored.
func shown(schema *jsonschema.Schema) *jsonschema.Schema {
	short := &jsonschema.Schema{Type: "object", Required: schema.Required, PropertyOrder: schema.PropertyOrder, Properties: map[string]*jsonschema.Schema{}}
	for name, property := range schema.Properties {
		if unlisted[name] {
			continue
		}
		of := &jsonschema.Schema{Type: property.Type, Description: property.Description, Default: property.Default}
		if property.Items != nil {
			of.Items = &jsonschema.Schema{Type: property.Items.Type}
		}
		short.Properties[name] = of
	}
	short.PropertyOrder = slices.DeleteFunc(slices.Clone(short.PropertyOrder), func(name string) bool { return unlisted[name] })
	return short
}

// outputSchema is that of an answer, with the arguments that were ignored.
func outputSchema[Out any]() *jsonschema.Schema {
	schema := schemaFor[Out]()
	schema.Properties["ignored"] = &jsonschema.Schema{
		Type: "array", Items: &jsonschema.Schema{Type: "string"}, Description: "arguments that have no effect here",
	}
	return schema
}
