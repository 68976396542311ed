package doors_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// shape describes a value in a request, from whichever description.
type shape struct {
	kind       string // object, array, string, integer, number, boolean, or any
	properties map[string]*shape
	required   []string
	items      *shape
	values     []any // allowed values, or examples
	format     string
	least      float64
}

// maxDepth limits samples of recursive shapes.
const maxDepth = 5

// shapeOf reads a JSON schema. References are resolved among schemas.
func shapeOf(schema any, schemas map[string]any, depth int) *shape {
	s, _ := schema.(map[string]any)
	if ref, ok := s["$ref"].(string); ok {
		return shapeOf(schemas[ref[strings.LastIndex(ref, "/")+1:]], schemas, depth)
	}
	for _, choice := range []string{"anyOf", "oneOf", "allOf"} {
		if choices, ok := s[choice].([]any); ok && len(choices) > 0 {
			return shapeOf(choices[0], schemas, depth)
		}
	}
	out := &shape{kind: "any"}
	switch kind := s["type"].(type) {
	case string:
		out.kind = kind
	case []any:
		out.kind, _ = kind[0].(string)
	}
	out.format, _ = s["format"].(string)
	out.least, _ = s["minimum"].(float64)
	for _, name := range []string{"enum", "examples"} {
		if values, ok := s[name].([]any); ok {
			out.values = append(out.values, values...)
		}
	}
	if required, ok := s["required"].([]any); ok {
		for _, name := range required {
			out.required = append(out.required, name.(string))
		}
	}
	if properties, ok := s["properties"].(map[string]any); ok && depth < maxDepth {
		out.properties = map[string]*shape{}
		for name, property := range properties {
			if at, _ := property.(map[string]any); at["readOnly"] != true {
				out.properties[name] = shapeOf(property, schemas, depth+1)
			}
		}
	}
	if items, ok := s["items"]; ok && depth < maxDepth {
		out.items = shapeOf(items, schemas, depth+1)
	}
	return out
}

// known holds values that exist in the service, by the name of the field.
type known map[string]any

// sample returns a value for a place, with the named optional fields of an object, or with all.
func (s *shape) sample(k known, name string, with func(string) bool) any {
	if value, ok := k[name]; ok && s.kind != "object" && s.kind != "array" {
		return value
	}
	if len(s.values) > 0 && s.values[0] != nil {
		return s.values[0]
	}
	switch s.kind {
	case "boolean":
		return true
	case "integer", "number":
		return max(s.least, 3)
	case "array":
		if s.items == nil {
			return []any{}
		}
		return []any{s.items.sample(k, strings.TrimSuffix(name, "s"), all)}
	case "object":
		object := map[string]any{}
		for field, property := range s.properties {
			if slices.Contains(s.required, field) || with(field) {
				object[field] = property.sample(k, field, all)
			}
		}
		if s.properties == nil {
			object["plan"] = "pro"
		}
		return object
	case "string":
		switch s.format {
		case "uuid":
			return k["uuid"]
		case "date-time":
			return "2024-03-15T09:30:00Z"
		}
		return "I live in Paris."
	}
	return map[string]any{"plan": "pro"}
}

func all(string) bool  { return true }
func none(string) bool { return false }

// bases returns the requests to spoil: one with the required fields, and one for each optional
// field. Each lists the places to spoil.
func (s *shape) bases(k known) []base {
	if s.kind != "object" {
		value := s.sample(k, "", all)
		return []base{{value, places(nil, value)}}
	}
	bare := s.sample(k, "", none)
	bases := []base{{bare, places(nil, bare)}}
	for _, field := range slices.Sorted(maps.Keys(s.properties)) {
		if slices.Contains(s.required, field) {
			continue
		}
		value := s.sample(k, "", func(name string) bool { return name == field }).(map[string]any)
		bases = append(bases, base{value, places([]any{field}, value[field])})
	}
	return bases
}

// base is a valid request, or nearly so.
type base struct {
	value  any
	places [][]any
}

// places returns the paths of all places in a value.
func places(path []any, value any) [][]any {
	found := [][]any{slices.Clone(path)}
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			found = append(found, places(append(slices.Clone(path), name), value[name])...)
		}
	case []any:
		for i := range value {
			found = append(found, places(append(slices.Clone(path), i), value[i])...)
		}
	}
	return found
}

// missing stands for an omitted field.
type missing struct{}

// changed returns a copy of a value with another value at a place.
func changed(value any, path []any, to any) any {
	if len(path) == 0 {
		return to
	}
	switch value := value.(type) {
	case map[string]any:
		object, name := maps.Clone(value), path[0].(string)
		object[name] = changed(value[name], path[1:], to)
		if object[name] == (missing{}) {
			delete(object, name)
		}
		return object
	case []any:
		list, i := slices.Clone(value), path[0].(int)
		list[i] = changed(value[i], path[1:], to)
		if list[i] == (missing{}) {
			return slices.Delete(list, i, i+1)
		}
		return list
	}
	return value
}

// written encodes a value as JSON. Its faults may be JSON that Go would not write.
func written(value any) (string, error) {
	if value == (missing{}) {
		return "", nil
	}
	text, err := json.Marshal(value)
	return string(text), err
}

// wrongs are put at every place. Raw ones are inserted as they are.
var wrongs = []any{
	nil,
	missing{},
	[]any{},
	map[string]any{},
	"", " ", true, 0, -1, raw("1e308"), raw("-9223372036854775809"), raw("123456789012345678901234567890"), 0.5, "7",
	strings.Repeat("x", 70_000), raw(`"\u0000"`), raw(`"\ud800"`), "\u202e💥\u200d\ufeff", "NaN", "0000-00-00", "9999-12-31T23:59:59.999999999Z", "-infinity",
	"'; DROP TABLE annals.facts; --", "%",
	[]any{nil},
	[]any{[]any{}},
	[]any{map[string]any{}},
	map[string]any{"": nil},
	map[string]any{"$ne": 1},
	many(),
}

func raw(text string) json.RawMessage { return json.RawMessage(text) }

func many() []any {
	list := make([]any, 3000)
	for i := range list {
		list[i] = i
	}
	return list
}

// odd texts are used in paths and queries.
var odd = []string{
	"", " ", "null", "-1", "0", "1e999", "99999999999999999999", "%", "\\", "é", "\u202e💥", "[]", "{}", "true", "2024-13-45", "0000-00-00", "*", "a:b", "'",
	strings.Repeat("y", 3000), "00000000-0000-0000-0000-000000000000", "\x00", "\xff",
}
