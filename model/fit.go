package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// maxViolations is the most violations reported to a model at once.
const maxViolations = 8

// fit converts a value to the shape where that needs no guessing, and validates
// it. It drops unknown properties, fills in missing lists and texts as empty,
// converts null to the zero value, and "3" to 3 for a number and "true" to true
// for a truth. Anything else is an error that names the place.
func (s *shape) fit(value any) ([]byte, error) {
	if wrapped := s.listed(value); wrapped != nil {
		value = wrapped
	}
	f := &fitting{}
	fitted := f.value(s.schema, value, "the answer")
	if len(f.wrong) > 0 {
		return nil, errors.New(strings.Join(f.wrong, "; "))
	}
	if err := s.checker.Validate(fitted); err != nil {
		return nil, fmt.Errorf("it does not match the schema: %w", err)
	}
	return json.Marshal(fitted)
}

// resembles reports whether a value appears to be an answer.
func (s *shape) resembles(value any) bool {
	object, ok := value.(map[string]any)
	return ok && len(object) > 0 && knowsOne(s.schema, object)
}

func knowsOne(s *jsonschema.Schema, object map[string]any) bool {
	for name := range object {
		if s.Properties[name] != nil {
			return true
		}
	}
	return len(s.Properties) == 0
}

// listed wraps a bare list as the answer if the shape has only one property and
// that is a list; else it returns nil.
func (s *shape) listed(value any) map[string]any {
	order := s.schema.PropertyOrder
	list, ok := value.([]any)
	if !ok || len(order) != 1 || s.schema.Properties[order[0]].Type != "array" {
		return nil
	}
	for _, item := range list {
		if _, object := item.(map[string]any); object != (kindOf(s.schema.Properties[order[0]].Items) == "object") {
			return nil
		}
	}
	return map[string]any{order[0]: list}
}

// fitting collects violations.
type fitting struct {
	wrong []string
}

func (f *fitting) fail(path, format string, args ...any) any {
	if len(f.wrong) < maxViolations {
		f.wrong = append(f.wrong, path+" "+fmt.Sprintf(format, args...))
	}
	return nil
}

func (f *fitting) value(s *jsonschema.Schema, value any, path string) any {
	if value == nil {
		return f.zero(s, path)
	}
	switch kindOf(s) {
	case "object":
		return f.object(s, value, path)
	case "array":
		return f.list(s, value, path)
	case "string":
		if text, ok := value.(string); ok {
			return strings.ReplaceAll(text, "\x00", "") // PostgreSQL stores no NUL
		}
		return f.fail(path, "must be a text, not %s", shown(value))
	case "boolean":
		switch value {
		case true, "true", "True":
			return true
		case false, "false", "False":
			return false
		}
		return f.fail(path, "must be true or false, not %s", shown(value))
	case "integer":
		return f.integer(value, path)
	case "number":
		if n, ok := number(value); ok {
			return n
		}
		return f.fail(path, "must be a number, not %s", shown(value))
	}
	return plain(value)
}

// kindOf returns the type of a schema, ignoring null.
func kindOf(s *jsonschema.Schema) string {
	for _, kind := range s.Types {
		if kind != "null" {
			return kind
		}
	}
	return s.Type
}

// zero returns the value that stands for null.
func (f *fitting) zero(s *jsonschema.Schema, path string) any {
	if slices.Contains(s.Types, "null") {
		return nil
	}
	switch kindOf(s) {
	case "array":
		return []any{}
	case "string":
		return ""
	case "boolean":
		return false
	case "integer", "number":
		return 0
	case "object":
		if s.Properties == nil {
			return map[string]any{}
		}
		return f.object(s, map[string]any{}, path)
	}
	return nil
}

func (f *fitting) object(s *jsonschema.Schema, value any, path string) any {
	object, ok := value.(map[string]any)
	if !ok {
		return f.fail(path, "must be an object, not %s", shown(value))
	}
	fitted := make(map[string]any, len(s.Properties))
	if s.Properties == nil {
		for name, member := range object {
			fitted[name] = f.value(s.AdditionalProperties, member, path+"."+name)
		}
		return fitted
	}
	if len(object) > 0 && !knowsOne(s, object) {
		return f.fail(path, "has none of the properties asked for, which are %s", strings.Join(s.PropertyOrder, ", "))
	}
	for _, name := range s.PropertyOrder {
		property := s.Properties[name]
		member, there := object[name]
		switch {
		case there:
			fitted[name] = f.value(property, member, below(path, name))
		case !slices.Contains(s.Required, name):
		case optional(property):
			fitted[name] = f.zero(property, below(path, name))
		default:
			f.fail(below(path, name), "is missing")
		}
	}
	return fitted
}

func below(path, name string) string {
	if path == "the answer" {
		return name
	}
	return path + "." + name
}

// optional reports whether a missing property can only mean an empty value. A
// missing number or object was forgotten.
func optional(s *jsonschema.Schema) bool {
	switch kindOf(s) {
	case "array", "string", "boolean":
		return true
	}
	return slices.Contains(s.Types, "null") || kindOf(s) == ""
}

func (f *fitting) list(s *jsonschema.Schema, value any, path string) any {
	list, ok := value.([]any)
	if !ok {
		return f.fail(path, "must be a list, not %s", shown(value))
	}
	fitted := make([]any, len(list))
	for i, item := range list {
		fitted[i] = f.value(s.Items, item, fmt.Sprintf("%s[%d]", path, i))
	}
	return fitted
}

func (f *fitting) integer(value any, path string) any {
	n, ok := number(value)
	if !ok {
		return f.fail(path, "must be a whole number, not %s", shown(value))
	}
	if whole, ok := n.(int64); ok {
		return whole
	}
	if real := n.(float64); real == math.Trunc(real) && math.Abs(real) < 1<<53 {
		return int64(real)
	}
	return f.fail(path, "must be a whole number, not %s", shown(value))
}

// number reads a number, also in quotes.
func number(value any) (any, bool) {
	var text string
	switch v := value.(type) {
	case json.Number:
		text = v.String()
	case string:
		text = strings.TrimSpace(v)
	default:
		return nil, false
	}
	if whole, err := strconv.ParseInt(text, 10, 64); err == nil {
		return whole, true
	}
	real, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(real, 0) || math.IsNaN(real) {
		return nil, false
	}
	return real, true
}

// plain converts all json.Numbers in a value to Go's numbers.
func plain(value any) any {
	switch v := value.(type) {
	case json.Number:
		if n, ok := number(v); ok {
			return n
		}
		return v.String()
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = plain(v[name])
		}
	}
	return value
}

// shown returns a value, shortened, for a message to the model.
func shown(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return "that"
	}
	return cutTo(string(text), 60)
}
