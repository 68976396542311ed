package mcp

import (
	"cmp"
	"encoding/json"
	"reflect"
	"strconv"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
)

// maxRows is how many rows a tool returns at most: they have to fit the context of a model. The
// tags of arguments give the defaults.
const maxRows = 200

// schemaFor returns the schema of a type.
func schemaFor[T any]() *jsonschema.Schema {
	schema, err := jsonschema.For[T](nil)
	if err != nil { // it depends on types of this package, not on input
		panic("mcp: " + err.Error())
	}
	return schema
}

// kinds maps kinds of Go types to types in JSON Schema.
var kinds = map[reflect.Kind]string{
	reflect.String: "string", reflect.Int: "integer", reflect.Bool: "boolean", reflect.Slice: "array", reflect.Struct: "object", reflect.Map: "object",
}

// inputSchema returns the schema by which arguments are decoded. The fields of the type are
// declared like those of package input. Texts without a limit of their own get a low one.
func inputSchema(of reflect.Type) *jsonschema.Schema {
	schema := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	for _, f := range input.Fields(of) {
		name := f.Argument()
		if name == "" {
			continue
		}
		property := &jsonschema.Schema{Type: kinds[f.Type.Kind()], Description: f.Doc()}
		limit(property, f)
		schema.Properties[name] = property
		schema.PropertyOrder = append(schema.PropertyOrder, name)
		if f.Required() {
			schema.Required = append(schema.Required, name)
		}
	}
	return schema
}

// limit sets the limits of a property from the tags of its field.
func limit(property *jsonschema.Schema, f input.Field) {
	number := func(tag string) *int {
		n, err := strconv.Atoi(f.Tag.Get(tag))
		if err != nil {
			return nil
		}
		return &n
	}
	of := property
	switch property.Type {
	case "array":
		of = &jsonschema.Schema{Type: "string"}
		property.Items, property.MaxItems = of, number("maxItems")
	case "integer":
		if least, most := number("minimum"), number("maximum"); least != nil && most != nil {
			property.Minimum, property.Maximum = new(float64(*least)), new(float64(*most))
		}
		if usual := number("default"); usual != nil {
			property.Default = json.RawMessage(strconv.Itoa(*usual))
		}
	}
	if of.Type == "string" {
		of.MinLength, of.MaxLength = number("minLength"), cmp.Or(number("maxLength"), new(graph.MaxName))
		for _, value := range f.Enum() {
			of.Enum = append(of.Enum, value)
		}
	}
}

// shown returns the schema that a host sees. A model reads it with every request, so it holds only
// what a call needs. Limits are named in the error if an argument exceeds one. Arguments that are
// not listed here are returned as ignored.
func shown(of reflect.Type, schema *jsonschema.Schema) *jsonschema.Schema {
	short := &jsonschema.Schema{Type: "object", Required: schema.Required, Properties: map[string]*jsonschema.Schema{}}
	for _, f := range input.Fields(of) {
		property := schema.Properties[f.Argument()]
		if property == nil || f.Tag.Get("unlisted") == "true" {
			continue
		}
		brief := &jsonschema.Schema{Type: property.Type, Description: property.Description, Default: property.Default, Enum: property.Enum}
		if property.Items != nil {
			brief.Items = &jsonschema.Schema{Type: property.Items.Type, Enum: property.Items.Enum}
		}
		short.Properties[f.Argument()] = brief
		short.PropertyOrder = append(short.PropertyOrder, f.Argument())
	}
	return short
}

// outputSchema returns the schema of an answer, with the ignored arguments.
func outputSchema[Out any]() *jsonschema.Schema {
	schema := schemaFor[Out]()
	schema.Properties["ignored"] = &jsonschema.Schema{
		Type: "array", Items: &jsonschema.Schema{Type: "string"}, Description: "arguments that have no effect here",
	}
	return schema
}
