package graph

import (
	"reflect"
	"slices"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// EntityTypeOf returns an entity type whose attributes are the exported fields
// of the struct T. The json tag of a field gives the attribute's name, and its
// jsonschema tag describes the attribute. Fields may be strings, numbers,
// booleans, times and slices of strings or numbers, or pointers to those. The
// error names a field of another type.
func EntityTypeOf[T any](name, description string) (EntityType, error) {
	schema, err := schemaOf[T]()
	if err != nil {
		return EntityType{}, err
	}
	t := EntityType{Name: name, Description: description, Attributes: schema}
	return t, Ontology{EntityTypes: []EntityType{t}}.Validate()
}

// FactTypeOf returns a fact type whose attributes are the exported fields of
// the struct T, as [EntityTypeOf] does. Without pairs it may connect any two
// entities.
func FactTypeOf[T any](name, description string, pairs ...TypePair) (FactType, error) {
	schema, err := schemaOf[T]()
	if err != nil {
		return FactType{}, err
	}
	t := FactType{Name: name, Description: description, Pairs: pairs, Attributes: schema}
	return t, Ontology{FactTypes: []FactType{t}}.Validate()
}

func schemaOf[T any]() (*jsonschema.Schema, error) {
	schema, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[time.Time](): {Type: "string", Format: "date-time"},
	}})
	if err != nil {
		return nil, Invalid("attributes", "cannot be made of the Go type %s: %v", reflect.TypeFor[T](), err)
	}
	for name, property := range schema.Properties {
		schema.Properties[name] = withoutNull(property)
	}
	if len(schema.Properties) == 0 && schema.Type == "object" {
		return nil, nil // a struct without fields has no attributes
	}
	return schema, nil
}

// withoutNull returns a schema without the null type that pointers and slices
// add: unknown values are left out instead.
func withoutNull(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	some := s.CloneSchemas()
	types := slices.DeleteFunc(slices.Clone(s.Types), func(t string) bool { return t == "null" })
	if len(types) == 1 {
		some.Type, some.Types = types[0], nil
	}
	some.Items = withoutNull(some.Items)
	return some
}
