package graph

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/annalsdb/annals/internal/each"
	"github.com/google/jsonschema-go/jsonschema"
)

// The limits on the attributes of an entity or a fact. A value over a limit is
// left out, not cut: half a value is a different value.
const (
	MaxAttributeValue = 1000 // bytes of a value, and of each member of a list
	maxAttributeItems = 50   // members of a list

	maxProblems = 50 // problems that one call reports
	maxQuoted   = 80 // bytes of a value that a problem quotes
)

// NamedValue is an attribute as text. A list has one NamedValue for each member.
type NamedValue struct{ Name, Value string }

// ReadAttributes converts a model's attributes of an entity or a fact to a JSON
// object that obeys a schema. A value that does not fit is left out, and a problem
// gives the reason, such as
//
//	age: "old" is not a whole number
//
// Without any values the object is {}. Properties that the schema requires may be
// missing, since a text need not mention them.
//
// A name matches the property with the same letters and digits, ignoring case:
// "Home Town" is home_town. Of two different values for a property the first is
// kept. A blank value and the words null, n/a and unknown count as no value,
// unless the schema's enum allows them.
//
// Values are read leniently if they are unambiguous:
//
//   - Numbers may have commas, spaces or apostrophes between thousands, a currency
//     sign before them and one word after them: 1,200, $30, 30 years. Words that
//     change the number (2 million, 30 percent, 5 pm) make it unreadable, and so
//     do approximations and ranges. The decimal sign is the point.
//   - Whole numbers may have zeros after the point: 3.0.
//   - Booleans are true and false, yes and no.
//   - Dates are ISO 8601: 2024-05-31. As a time, a date is its first moment;
//     without a zone it is in UTC. As a date, a time loses its time of day.
//   - A value of an enum may differ in case, spaces and signs.
//   - A list may be one JSON array. A repeated member is recorded once.
func ReadAttributes(schema *jsonschema.Schema, values []NamedValue) (attributes json.RawMessage, problems []string) {
	if schema == nil {
		schema = &jsonschema.Schema{}
	}
	r := attributeReader{schema: schema, names: map[string]string{}, noted: map[string]any{}, resolved: map[*jsonschema.Schema]*jsonschema.Resolved{}}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		r.names[bareName(name)] = name
	}
	for _, v := range values {
		r.read(v)
	}
	return r.validated(), r.told()
}

// attributeReader collects the values of one call.
type attributeReader struct {
	schema   *jsonschema.Schema
	names    map[string]string // property names by their bare names
	noted    map[string]any
	resolved map[*jsonschema.Schema]*jsonschema.Resolved // those used so far
	problems []string
	untold   int // the number of problems beyond maxProblems
}

func (r *attributeReader) read(v NamedValue) {
	name, ok := r.names[bareName(v.Name)]
	property := r.schema.Properties[name]
	switch {
	case !ok:
		r.problem(quoted(v.Name), "is not an attribute of this type")
	case property == nil:
		r.problem(name, "has no schema")
	case len(v.Value) > MaxAttributeValue:
		r.problem(name, fmt.Sprintf("%s has %d bytes; the limit is %d", quoted(v.Value), len(v.Value), MaxAttributeValue))
	case !utf8.ValidString(v.Value):
		r.problem(name, quoted(v.Value)+" is not valid UTF-8")
	case property.Type == "array":
		r.readMembers(name, property, strings.TrimSpace(v.Value))
	default:
		r.readValue(name, property, strings.TrimSpace(v.Value))
	}
}

func (r *attributeReader) readValue(name string, property *jsonschema.Schema, text string) {
	value, ok := r.value(name, property, text)
	if !ok {
		return
	}
	if before, taken := r.noted[name]; !taken {
		r.noted[name] = value
	} else if before != value {
		r.problem(name, fmt.Sprintf("%s is left out, since %s was given first", quoted(text), quoted(fmt.Sprint(before))))
	}
}

func (r *attributeReader) readMembers(name string, property *jsonschema.Schema, text string) {
	if property.Items == nil {
		r.problem(name, "does not say what its members are")
		return
	}
	most := maxAttributeItems
	if property.MaxItems != nil {
		most = min(most, *property.MaxItems)
	}
	members, _ := r.noted[name].([]any)
	for _, text := range membersOf(text) {
		value, ok := r.value(name, property.Items, text)
		switch {
		case !ok, slices.Contains(members, value):
		case len(members) >= most:
			r.problem(name, fmt.Sprintf("%s is left out, since the list has its %s", quoted(text), each.Count(most, "member")))
		default:
			members = append(members, value)
		}
	}
	if len(members) > 0 {
		r.noted[name] = members
	}
}

// value reads and validates a value. ok is false if there is none.
func (r *attributeReader) value(name string, s *jsonschema.Schema, text string) (value any, ok bool) {
	value, why := readValue(s, text)
	if strings.ContainsRune(text, 0) {
		why = "holds a NUL, which cannot be stored"
	}
	switch {
	case why != "":
		r.problem(name, quoted(text)+" "+why)
		return nil, false
	case value == nil:
		return nil, false
	}
	if err := r.validate(s, value); err != nil {
		r.problem(name, fmt.Sprintf("%s does not fit %s", quoted(text), limitsOf(s)))
		return nil, false
	}
	return value, true
}

// validated returns the values as JSON, or {} if they do not fit the schema as a
// whole.
func (r *attributeReader) validated() json.RawMessage {
	if len(r.noted) == 0 {
		return json.RawMessage("{}")
	}
	schema := r.schema.CloneSchemas()
	schema.Required = nil
	if err := r.validate(schema, r.noted); err != nil {
		r.problem("all attributes are left out", err.Error())
		return json.RawMessage("{}")
	}
	return asJSON(r.noted)
}

// validate checks a value, which may contain json.Numbers, with the schema
// library.
func (r *attributeReader) validate(s *jsonschema.Schema, value any) error {
	if r.resolved[s] == nil {
		resolved, err := s.Resolve(nil)
		if err != nil {
			return fmt.Errorf("the schema cannot be used: %w", err)
		}
		r.resolved[s] = resolved
	}
	var plain any
	if err := json.Unmarshal(asJSON(value), &plain); err != nil {
		return fmt.Errorf("read the value back: %w", err)
	}
	return r.resolved[s].Validate(plain)
}

func (r *attributeReader) problem(what, why string) {
	if len(r.problems) == maxProblems {
		r.untold++
		return
	}
	if strings.HasPrefix(what, `"`) {
		r.problems = append(r.problems, what+" "+why)
	} else {
		r.problems = append(r.problems, what+": "+why)
	}
}

// told returns the problems. The last one gives the number of the omitted
// problems.
func (r *attributeReader) told() []string {
	if r.untold > 0 {
		return append(r.problems, fmt.Sprintf("left out as well: %s", each.Count(r.untold, "more value")))
	}
	return r.problems
}

// limitsOf returns a schema's limits on a value of its type, as JSON.
func limitsOf(s *jsonschema.Schema) string {
	limits, err := json.Marshal(jsonschema.Schema{
		Minimum: s.Minimum, Maximum: s.Maximum, MinLength: s.MinLength, MaxLength: s.MaxLength, Pattern: s.Pattern,
	})
	if err != nil {
		return "its schema, which cannot be written as JSON"
	}
	return string(limits)
}

// MergeAttributes returns the object old with the properties of new, which replace
// those of the same name. Null replaces nothing. Input that is not a JSON object
// counts as {}. Numbers keep their digits.
func MergeAttributes(old, new json.RawMessage) json.RawMessage {
	merged := propertiesOf(old)
	for name, value := range propertiesOf(new) {
		if !bytes.Equal(bytes.TrimSpace(value), []byte("null")) {
			merged[name] = value
		}
	}
	return asJSON(merged)
}

func propertiesOf(object json.RawMessage) map[string]json.RawMessage {
	var properties map[string]json.RawMessage
	if err := json.Unmarshal(object, &properties); err != nil || properties == nil {
		return map[string]json.RawMessage{}
	}
	return properties
}

// asJSON encodes values that came from JSON or suit it, which cannot fail. It
// escapes nothing for HTML.
func asJSON(value any) json.RawMessage {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic("graph: encode attributes: " + err.Error())
	}
	return bytes.TrimSpace(b.Bytes())
}

// quoted returns the beginning of a text in quotes.
func quoted(text string) string {
	if len(text) > maxQuoted {
		text = strings.ToValidUTF8(text[:maxQuoted], "") + "…"
	}
	return fmt.Sprintf("%q", text)
}
