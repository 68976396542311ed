package rest

import (
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

const schemaPrefix = "#/components/schemas/"

// schemaName returns the name of a type in the OpenAPI document, and so in generated clients: Fact
// for the Go type FactJSON.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	switch name {
	case "FactChangeJSON", "EntityChangeJSON": // the input of a change has the plain name
		return strings.Replace(name, "ChangeJSON", "Difference", 1)
	case "Found":
		return "SearchResult"
	}
	return strings.TrimSuffix(name, "JSON")
}

// describeAnswers declares that lists in responses are never null, only empty. Lists in requests
// may be null, which counts as missing.
func describeAnswers(document *huma.OpenAPI) {
	asked := references{document.Components.Schemas, map[*huma.Schema]bool{}}
	for _, item := range document.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op != nil && op.RequestBody != nil {
				for _, content := range op.RequestBody.Content {
					asked.add(content.Schema)
				}
			}
		}
	}
	for _, schema := range document.Components.Schemas.Map() {
		for _, property := range schema.Properties {
			if property.Type == huma.TypeArray && !asked.found[schema] {
				property.Nullable = false
			}
		}
	}
}

// references collects schemas and all schemas that they refer to.
type references struct {
	registry huma.Registry
	found    map[*huma.Schema]bool
}

func (r references) add(s *huma.Schema) {
	if s != nil && s.Ref != "" {
		s = r.registry.SchemaFromRef(s.Ref)
	}
	if s == nil || r.found[s] {
		return
	}
	r.found[s] = true
	for _, property := range s.Properties {
		r.add(property)
	}
	for _, one := range append(append(append([]*huma.Schema{s.Items, s.Not}, s.OneOf...), s.AnyOf...), s.AllOf...) {
		r.add(one)
	}
	if values, ok := s.AdditionalProperties.(*huma.Schema); ok {
		r.add(values)
	}
}
