package model

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// shape is the form of an answer: the schema of a Go type.
type shape struct {
	schema  *jsonschema.Schema
	checker *jsonschema.Resolved
	wire    json.RawMessage // the schema as sent to providers
	strict  bool            // whether OpenAI can enforce wire
}

var shapes sync.Map // *shape by reflect.Type

// shapeOf returns the shape of a struct type.
func shapeOf(t reflect.Type) (*shape, error) {
	if known, ok := shapes.Load(t); ok {
		return known.(*shape), nil
	}
	s, err := newShape(t)
	if err != nil {
		return nil, fmt.Errorf("derive a JSON schema from %s: %w", t, err)
	}
	shapes.Store(t, s)
	return s, nil
}

func newShape(t reflect.Type) (*shape, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("an answer is a struct, not a %s", t.Kind())
	}
	schema, err := jsonschema.ForType(t, nil)
	if err != nil {
		return nil, err
	}
	notNull(schema)
	checker, err := schema.Resolve(nil)
	if err != nil {
		return nil, err
	}
	sent, err := jsonschema.ForType(t, nil)
	if err != nil {
		return nil, err
	}
	notNull(sent)
	enforceable := strictly(sent)
	wire, err := json.Marshal(sent)
	if err != nil {
		return nil, err
	}
	return &shape{schema: schema, checker: checker, wire: wire, strict: enforceable}, nil
}

// notNull removes null from the types of lists: an empty list says the same.
func notNull(s *jsonschema.Schema) {
	if slices.Equal(s.Types, []string{"null", "array"}) {
		s.Types, s.Type = nil, "array"
	}
	for _, part := range parts(s) {
		notNull(part)
	}
}

// strictly reduces a schema to the subset that OpenAI's structured outputs
// enforce: every property required, no additional ones, no bounds. It reports
// whether that was possible; it is not for a map or a value of any type.
func strictly(s *jsonschema.Schema) bool {
	s.Minimum, s.Maximum, s.MinItems, s.MaxItems, s.Format = nil, nil, nil, nil, ""
	ok := s.Type != "" || len(s.Types) > 0
	if s.Properties != nil {
		s.Required = slices.Clone(s.PropertyOrder)
	} else if s.AdditionalProperties != nil && s.Type == "object" {
		ok = false
	}
	for _, part := range parts(s) {
		ok = strictly(part) && ok
	}
	return ok
}

// parts returns the schemas of a value's parts.
func parts(s *jsonschema.Schema) []*jsonschema.Schema {
	var found []*jsonschema.Schema
	for _, name := range s.PropertyOrder {
		if p := s.Properties[name]; p != nil {
			found = append(found, p)
		}
	}
	if s.Items != nil {
		found = append(found, s.Items)
	}
	if s.Properties == nil && s.AdditionalProperties != nil {
		found = append(found, s.AdditionalProperties)
	}
	return found
}
