package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/server"
)

// maxEcho is how many characters of an argument an error repeats.
const maxEcho = 100

// readArguments decodes the arguments of a call in the forms that models write: numbers, booleans
// and lists may be quoted, and null and "" count as missing. ignored lists arguments that the tool
// does not have.
func readArguments[In any](schema *jsonschema.Schema, raw json.RawMessage) (in In, ignored []string, err error) {
	read, ignored, err := argumentsOf(reflect.TypeFor[In](), schema, raw)
	if err != nil {
		return in, nil, err
	}
	return in, ignored, json.Unmarshal(read, &in)
}

// argumentsOf returns the arguments as JSON with the names of the fields of a type.
func argumentsOf(of reflect.Type, schema *jsonschema.Schema, raw json.RawMessage) (read []byte, ignored []string, err error) {
	values, err := object(raw)
	if err != nil {
		return nil, nil, err
	}
	known := map[string]json.RawMessage{}
	for name, value := range values {
		property := schema.Properties[name]
		if property == nil {
			ignored = append(ignored, graph.Brief(name, maxEcho))
			continue
		}
		meant, err := meantBy(property, value)
		if err == nil {
			err = within(property, meant)
		}
		if err != nil {
			return nil, nil, graph.Invalid(name, "%v", err)
		}
		if meant != nil {
			known[name] = meant
		}
	}
	slices.Sort(ignored)
	for _, name := range schema.Required {
		if known[name] == nil {
			return nil, nil, graph.Invalid(name, "is missing; give %s", kindOf(schema.Properties[name]))
		}
	}
	for name, property := range schema.Properties {
		if known[name] == nil && property.Default != nil {
			known[name] = property.Default
		}
	}
	for _, f := range input.Fields(of) {
		if value := known[f.Argument()]; value != nil && f.Argument() != f.Name {
			delete(known, f.Argument())
			known[f.Name] = value
		}
	}
	if read, err = json.Marshal(known); err != nil {
		return nil, nil, fmt.Errorf("read the arguments: %w", err)
	}
	return read, ignored, nil
}

// object decodes the arguments as a whole, which some models quote.
func object(raw json.RawMessage) (map[string]json.RawMessage, error) {
	if text, ok := quoted(raw); ok {
		raw = json.RawMessage(text)
	}
	if trimmed := bytes.TrimSpace(raw); len(trimmed) == 0 || string(trimmed) == "null" {
		return nil, nil
	}
	if err := checkShape(raw); err != nil {
		return nil, err
	}
	var values map[string]json.RawMessage
	if err := json.Unmarshal(raw, &values); err != nil {
		return nil, graph.Invalid("arguments", `must be an object, such as {"query": "Where does Alice live?"}`)
	}
	if err := server.FitText("arguments", raw); err != nil {
		return nil, err
	}
	return values, nil
}

// checkShape refuses JSON that is too costly to decode, also if it was quoted.
func checkShape(raw json.RawMessage) error {
	if _, problem := server.CheckShape(raw); problem != nil {
		return graph.Invalid("arguments", "%s", problem.Detail)
	}
	return nil
}

// quoted returns the text of a JSON string.
func quoted(raw json.RawMessage) (string, bool) {
	trimmed := bytes.TrimSpace(raw)
	if len(trimmed) == 0 || trimmed[0] != '"' {
		return "", false
	}
	var text string
	return text, json.Unmarshal(trimmed, &text) == nil
}

// meantBy converts a value to the type of a property; nil: it counts as missing.
func meantBy(property *jsonschema.Schema, value json.RawMessage) (json.RawMessage, error) {
	text, isText := quoted(value)
	text = strings.TrimSpace(text)
	if string(bytes.TrimSpace(value)) == "null" || isText && property.Type != "string" && (text == "" || text == "null" || text == "None") {
		return nil, nil
	}
	switch property.Type {
	case "integer":
		return integer(value, text)
	case "boolean":
		return boolean(value, text)
	case "array":
		return listOf(property, value, text, isText)
	case "object":
		return objectOf(value, text, isText)
	case "string":
		return textOf(value, isText), nil
	}
	return value, nil
}

// objectOf decodes an object, which may be quoted.
func objectOf(value json.RawMessage, text string, isText bool) (json.RawMessage, error) {
	if isText {
		value = json.RawMessage(text)
	}
	if trimmed := bytes.TrimSpace(value); !json.Valid(trimmed) || trimmed[0] != '{' {
		return nil, errors.New("must be an object, such as {}")
	}
	return value, checkShape(value)
}

func integer(value json.RawMessage, text string) (json.RawMessage, error) {
	if text == "" {
		text = string(value)
	}
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || number != math.Trunc(number) || math.Abs(number) > 1e9 {
		return nil, fmt.Errorf("must be a whole number, not %.100q", text)
	}
	return json.RawMessage(strconv.FormatFloat(number, 'f', 0, 64)), nil
}

func boolean(value json.RawMessage, text string) (json.RawMessage, error) {
	if text == "" {
		text = string(value)
	}
	switch strings.ToLower(text) {
	case "true", "1", "yes", "on":
		return json.RawMessage("true"), nil
	case "false", "0", "no", "off":
		return json.RawMessage("false"), nil
	}
	return nil, fmt.Errorf("must be true or false, not %.100q", text)
}

// listOf decodes a list of texts, which may be quoted. Any other text becomes the only member.
func listOf(property *jsonschema.Schema, value json.RawMessage, text string, isText bool) (json.RawMessage, error) {
	if isText && strings.HasPrefix(text, "[") {
		value, isText = json.RawMessage(text), false
		if err := checkShape(value); err != nil {
			return nil, err
		}
	}
	if isText {
		return json.Marshal([]string{text})
	}
	var members []json.RawMessage
	if err := json.Unmarshal(value, &members); err != nil {
		return nil, fmt.Errorf("must be %s, not %.100q", kindOf(property), value)
	}
	kept := make([]json.RawMessage, 0, len(members))
	for _, member := range members {
		if _, isText := quoted(member); string(member) != "null" {
			kept = append(kept, textOf(member, isText))
		}
	}
	return json.Marshal(kept)
}

// textOf returns a JSON string. Other values, such as a number or a JSON document, become the text
// as it was written.
func textOf(value json.RawMessage, isText bool) json.RawMessage {
	if isText {
		return value
	}
	text, err := json.Marshal(string(value))
	if err != nil { // value was decoded from JSON
		return value
	}
	return text
}

// within checks a value against the limits of a property.
func within(property *jsonschema.Schema, value json.RawMessage) error {
	if value == nil {
		return nil
	}
	switch property.Type {
	case "integer":
		number, err := strconv.ParseFloat(string(value), 64)
		if err == nil && (property.Minimum != nil && number < *property.Minimum || property.Maximum != nil && number > *property.Maximum) {
			return fmt.Errorf("is %s; it must be from %.0f to %.0f", value, *property.Minimum, *property.Maximum)
		}
	case "string":
		var text string
		if err := json.Unmarshal(value, &text); err != nil {
			return fmt.Errorf("is no text: %w", err)
		}
		return textWithin(property, text)
	case "array":
		var members []string
		if err := json.Unmarshal(value, &members); err != nil {
			return fmt.Errorf("is no list of texts: %w", err)
		}
		if property.MaxItems != nil && len(members) > *property.MaxItems {
			return fmt.Errorf("has %d entries; the most is %d", len(members), *property.MaxItems)
		}
		for _, member := range members {
			if err := textWithin(property.Items, member); err != nil {
				return err
			}
		}
	}
	return nil
}

func textWithin(property *jsonschema.Schema, text string) error {
	long := utf8.RuneCountInString(text)
	switch {
	case property.MinLength != nil && long < *property.MinLength:
		return fmt.Errorf("is empty; give %s", kindOf(property))
	case property.Enum != nil && !slices.Contains(property.Enum, any(text)):
		return fmt.Errorf("is %.100q, which is not one of %v", text, property.Enum)
	case property.MaxLength != nil && long > *property.MaxLength:
		return fmt.Errorf("has %d characters; the most is %d", long, *property.MaxLength)
	}
	return nil
}

// inArguments replaces the name of a field of In by the name of the tool's argument in an error.
func inArguments[In any](err error) error {
	known, ok := errors.AsType[*annals.Error](err)
	if !ok {
		return err
	}
	for _, f := range input.Fields(reflect.TypeFor[In]()) {
		if f.Name == known.Field && f.Argument() != "" {
			told := *known
			told.Field = f.Argument()
			return &told
		}
	}
	return err
}

// kindOf describes the values that a property takes.
func kindOf(property *jsonschema.Schema) string {
	kind := map[string]string{"integer": "a number", "boolean": "true or false", "array": "a list of texts", "string": "a text"}[property.Type]
	if property.Description != "" {
		kind += " (" + property.Description + ")"
	}
	return kind
}
