package answer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/prompts"
)

// slots are the properties of a schema, in its order.
type slots struct {
	list     []slot
	required []string
}

type slot struct {
	name    string
	schema  *jsonschema.Schema
	checker *jsonschema.Resolved
}

// readSchema parses a caller's schema, which must describe an object. Its properties become slots.
func readSchema(schema json.RawMessage) (slots, error) {
	if len(bytes.TrimSpace(schema)) == 0 {
		return slots{}, nil
	}
	if len(schema) > MaxSchema {
		return slots{}, graph.Invalid("schema", "has %d bytes; the limit is %d", len(schema), MaxSchema)
	}
	var root jsonschema.Schema
	if json.Valid(schema) && bytes.TrimSpace(schema)[0] != '{' {
		return slots{}, graph.Invalid("schema", noObject)
	}
	if err := json.Unmarshal(schema, &root); err != nil {
		return slots{}, graph.Invalid("schema", "is no JSON Schema: %v", err)
	}
	if root.Type != "object" || len(root.Properties) == 0 {
		return slots{}, graph.Invalid("schema", noObject)
	}
	if len(root.Properties) > MaxSlots {
		return slots{}, graph.Invalid("schema", "has %d properties; the limit is %d", len(root.Properties), MaxSlots)
	}
	out := slots{required: root.Required}
	for _, name := range namesOf(root) {
		one := root.Properties[name]
		if one == nil || len(name) > graph.MaxName {
			return slots{}, graph.Invalid("schema", "has a property without a schema, or with a name of more than %d bytes: %.40q", graph.MaxName, name)
		}
		if one.Ref != "" || one.DynamicRef != "" {
			return slots{}, graph.Invalid("schema", "refers to another schema at %s; write it out", name)
		}
		if wrong := unknownType(one); wrong != "" {
			return slots{}, graph.Invalid("schema", "gives %s the type %.40q, which is none of %s", name, wrong, strings.Join(types, ", "))
		}
		checker, err := one.Resolve(nil)
		if err != nil {
			return slots{}, graph.Invalid("schema", "has a property %s that cannot be read: %v", name, err)
		}
		out.list = append(out.list, slot{name, one, checker})
	}
	return out, nil
}

const noObject = `is not that of an object with properties: give {"type": "object", "properties": {…}}`

// types lists the types of JSON Schema.
var types = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

// unknownType returns the first type in a schema, its items or its properties that JSON Schema does
// not have; empty: all are known.
func unknownType(s *jsonschema.Schema) string {
	for _, of := range append([]string{s.Type}, s.Types...) {
		if of != "" && !slices.Contains(types, of) {
			return of
		}
	}
	if s.Items != nil {
		if wrong := unknownType(s.Items); wrong != "" {
			return wrong
		}
	}
	for _, name := range namesOf(*s) {
		if one := s.Properties[name]; one != nil {
			if wrong := unknownType(one); wrong != "" {
				return wrong
			}
		}
	}
	return ""
}

// namesOf returns the names of the properties in the order of the schema's text.
func namesOf(root jsonschema.Schema) []string {
	names := slices.Clone(root.PropertyOrder)
	if len(names) != len(root.Properties) {
		return slices.Sorted(maps.Keys(root.Properties))
	}
	return names
}

// asked returns the slots in the form of the prompt.
func (s slots) asked() []prompts.Slot {
	var out []prompts.Slot
	for _, one := range s.list {
		values := each.Of(one.schema.Enum, func(v any) string { return fmt.Sprint(v) })
		out = append(out, prompts.Slot{
			Name: one.name, Description: strings.TrimSpace(one.schema.Title + " " + one.schema.Description), Type: typeOf(one.schema), Values: strings.Join(values, ", "),
		})
	}
	return out
}

func typeOf(s *jsonschema.Schema) string {
	switch {
	case s.Type == "array" && s.Items != nil:
		return "array of " + typeOf(s.Items)
	case s.Type == "" && len(s.Types) > 0:
		return strings.Join(s.Types, " or ")
	case s.Type == "":
		return "any"
	case s.Format != "":
		return s.Type + ", " + s.Format
	}
	return s.Type
}

// check keeps the values that have the right type and are supported by the cited passages.
func (s slots) check(said []prompts.AnsweredSlot, e evidence, told func(text string, wrong shortfall)) []Slot {
	var out []Slot
	for _, filled := range said {
		i := slices.IndexFunc(s.list, func(one slot) bool { return one.name == filled.Name })
		if i < 0 || slices.ContainsFunc(out, func(one Slot) bool { return one.Name == filled.Name }) {
			continue
		}
		by, wrong := s.list[i].supported(filled, e.cited(filled.Passages))
		if by == nil {
			told(filled.Name+": "+filled.Value+", because "+filled.Because, wrong)
			continue
		}
		out = append(out, Slot{Name: filled.Name, Value: compact(filled.Value), Because: filled.Because, Cites: by})
	}
	return out
}

// supported returns the passages that support a value: those that support the sentence which the
// model gives as the reason. The sentence must contain the value, unless the schema lists all
// values.
func (s slot) supported(filled prompts.AnsweredSlot, cited []passage) ([]Citation, shortfall) {
	var value any
	if err := json.Unmarshal([]byte(filled.Value), &value); err != nil || value == nil {
		return nil, shortfall{noSuchType, []string{"it is no JSON"}}
	}
	if err := s.checker.Validate(value); err != nil {
		return nil, shortfall{noSuchType, []string{err.Error()}}
	}
	by, wrong := (&spokenAnswer{}).supported(filled.Because, cited)
	if by == nil || len(s.schema.Enum) > 0 || s.schema.Const != nil {
		return by, wrong
	}
	said := claimOf(filled.Because)
	for _, leaf := range leavesOf(value) {
		for _, w := range claimOf(leaf).words {
			if !w.light && !said.hasStem(w) {
				return nil, shortfall{notSaid, []string{w.stem}}
			}
		}
	}
	return by, shortfall{}
}

// leavesOf returns the texts and numbers in a value, as they are written.
func leavesOf(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case float64:
		text, _ := json.Marshal(v)
		return []string{string(text)}
	case []any:
		var out []string
		for _, item := range v {
			out = append(out, leavesOf(item)...)
		}
		return out
	case map[string]any:
		var out []string
		for _, item := range v {
			out = append(out, leavesOf(item)...)
		}
		return out
	}
	return nil
}

func compact(value string) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, []byte(value)) != nil {
		return json.RawMessage(value)
	}
	return b.Bytes()
}

// into adds the filled values to an answer; without a schema it returns the answer unchanged.
func (s slots) into(a Answer, filled []Slot) Answer {
	if s.list == nil {
		return a
	}
	data := map[string]json.RawMessage{}
	for _, one := range filled {
		data[one.Name] = one.Value
	}
	a.Slots, a.Missing = filled, nil
	a.Data, _ = json.Marshal(data) // the values are valid JSON
	for _, name := range s.required {
		if _, ok := data[name]; !ok {
			a.Missing = append(a.Missing, name)
		}
	}
	return a
}
