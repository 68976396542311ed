package model

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// shape is what an answer must look like: the schema of a Go type.
type shape struct {
	schema  *jsonschema.Schema
	checker *jsonschema.Resolved
	wire    json.RawMessage // as it is sent to providers
	strict  bool            // whether wire is within what OpenAI enforces
}

var shapes sync.Map // *shape by reflect.Type

// shapeOf returns the shape of a type, which must be a struct.
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

// notNull takes null out of the types of lists: a model that has nothing to
// list is to say so with an empty one.
func notNull(s *jsonschema.Schema) {
	if slices.Equal(s.Types, []string{"null", "array"}) {
		s.Types, s.Type = nil, "array"
	}
	for _, part := range parts(s) {
		notNull(part)
	}
}

// strictly brings a schema into the subset that OpenAI's structured outputs
// enforce: every property required, no others, no bounds. It reports whether
// that was possible; a map or a value of any type has no place there.
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

// parts are the schemas of what a value is made of.
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
