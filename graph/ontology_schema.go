package graph

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// supportedAttributes ends the error about an unsupported schema.
const supportedAttributes = "attributes are an object with properties of type string (enum, format date or date-time, minLength, maxLength, pattern), " +
	"number or integer (minimum, maximum), boolean, or array of strings or numbers (maxItems)"

// validateAttributes checks that a schema has the form that [Ontology.Validate]
// describes.
func validateAttributes(field string, s *jsonschema.Schema) error {
	if s == nil {
		return nil
	}
	if s.Type != "object" {
		return Invalid(field+".type", "is not object; %s", supportedAttributes)
	}
	rest := *s
	rest.Type, rest.Properties, rest.PropertyOrder, rest.Required, rest.Schema = "", nil, nil, nil, ""
	if isBoolean(s.AdditionalProperties) {
		rest.AdditionalProperties = nil
	}
	if err := cmp.Or(validateKeywords(field, rest), validateCount(field+".properties", len(s.Properties), maxAttributes)); err != nil {
		return err
	}
	seen := names{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := fmt.Sprintf("%s.properties.%.*s", field, maxTypeName, name)
		if err := cmp.Or(seen.add(property, name), validateProperty(property, s.Properties[name], true)); err != nil {
			return err
		}
	}
	if _, err := s.Resolve(nil); err != nil {
		return Invalid(field, "is not a schema that can be used: %v", err)
	}
	return nil
}

// validateProperty checks the schema of a property or, if lists is false, of a
// list's members.
func validateProperty(field string, s *jsonschema.Schema, lists bool) error {
	if s == nil {
		return Invalid(field, "is empty; %s", supportedAttributes)
	}
	if err := ValidateText(field+".description", s.Description, maxDescription); err != nil {
		return err
	}
	rest := *s
	var err error
	switch {
	case s.Type == "string":
		rest.Enum, rest.Format, rest.MinLength, rest.MaxLength, rest.Pattern = nil, "", nil, nil, ""
		err = validateString(field, s)
	case s.Type == "number", s.Type == "integer":
		rest.Minimum, rest.Maximum = nil, nil
		err = validateRange(field, s)
	case s.Type == "boolean" && lists:
	case s.Type == "array" && lists:
		rest.Items, rest.MaxItems = nil, nil
		err = validateList(field, s)
	default:
		return notSupported(field, rest)
	}
	rest.Type = ""
	return cmp.Or(err, validateKeywords(field, rest))
}

// notSupported returns the error for a property of no supported type.
func notSupported(field string, s jsonschema.Schema) error {
	if len(s.Types) > 0 {
		return Invalid(field+".type", "is one of %s; a property has one type, and what is not known is left out", strings.Join(s.Types, ", "))
	}
	if s.Type != "" {
		return Invalid(field+".type", "%q is not supported here; %s", s.Type, supportedAttributes)
	}
	if err := validateKeywords(field, s); err != nil {
		return err
	}
	return Invalid(field, "has no type; %s", supportedAttributes)
}

func validateRange(field string, s *jsonschema.Schema) error {
	for _, bound := range []struct {
		keyword string
		value   *float64
	}{{"minimum", s.Minimum}, {"maximum", s.Maximum}} {
		if bound.value != nil && (math.IsNaN(*bound.value) || math.IsInf(*bound.value, 0)) {
			return Invalid(field+"."+bound.keyword, "is %v, which JSON has no number for; leave it out", *bound.value)
		}
	}
	return validateBounds(field, "minimum", s.Minimum, s.Maximum)
}

func validateString(field string, s *jsonschema.Schema) error {
	switch s.Format {
	case "", "date", "date-time":
	default:
		return Invalid(field+".format", "%q is not supported; use date or date-time", s.Format)
	}
	if s.MinLength != nil && *s.MinLength > MaxAttributeValue {
		return Invalid(field+".minLength", "is %d; a value may have %d bytes", *s.MinLength, MaxAttributeValue)
	}
	return cmp.Or(
		ValidateText(field+".pattern", s.Pattern, maxDescription),
		validateBounds(field, "minLength", s.MinLength, s.MaxLength),
		validateChoices(field+".enum", s.Enum),
	)
}

func validateChoices(field string, choices []any) error {
	if choices != nil && len(choices) == 0 {
		return Invalid(field, "is empty; leave it out to allow any value")
	}
	if err := validateCount(field, len(choices), maxChoices); err != nil {
		return err
	}
	for i, choice := range choices {
		text, ok := choice.(string)
		if !ok || strings.TrimSpace(text) == "" {
			return Invalid(fmt.Sprintf("%s[%d]", field, i), "is not text; every value of an enum must be")
		}
		if err := ValidateText(fmt.Sprintf("%s[%d]", field, i), text, MaxAttributeValue); err != nil {
			return err
		}
	}
	return nil
}

func validateList(field string, s *jsonschema.Schema) error {
	if s.MaxItems != nil && *s.MaxItems < 1 {
		return Invalid(field+".maxItems", "is %d; the least is 1", *s.MaxItems)
	}
	return validateProperty(field+".items", s.Items, false)
}

// validateBounds checks that a lower bound does not exceed the upper one.
func validateBounds[N int | float64](field, keyword string, least, most *N) error {
	if least != nil && most != nil && *least > *most {
		return Invalid(field+"."+keyword, "is %v, more than the greatest value allowed, %v", *least, *most)
	}
	return nil
}

// validateKeywords refuses a schema that still has keywords after the supported
// ones were removed. Titles, descriptions and comments are allowed.
func validateKeywords(field string, rest jsonschema.Schema) error {
	rest.Title, rest.Description, rest.Comment = "", "", ""
	if left := keywords(rest); len(left) > 0 {
		return Invalid(field, "%s is not supported; %s", strings.Join(left, ", "), supportedAttributes)
	}
	return nil
}

// keywords returns the JSON Schema keywords that a schema uses.
func keywords(s jsonschema.Schema) []string {
	found := slices.Sorted(maps.Keys(s.Extra))
	value := reflect.ValueOf(s)
	for i, field := range reflect.VisibleFields(value.Type()) {
		if value.Field(i).IsZero() || field.Name == "Extra" {
			continue
		}
		keyword, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if keyword == "-" { // the schema library encodes it by hand
			keyword = byHand[field.Name]
		}
		found = append(found, keyword)
	}
	return found
}

var byHand = map[string]string{
	"Type": "type", "Types": "type", "Items": "items", "ItemsArray": "items", "PropertyOrder": "properties",
	"DependencySchemas": "dependencies", "DependencyStrings": "dependencies",
}

// isBoolean reports whether a schema is true or false in JSON.
func isBoolean(s *jsonschema.Schema) bool {
	return s != nil && (reflect.DeepEqual(*s, jsonschema.Schema{}) || reflect.DeepEqual(*s, jsonschema.Schema{Not: &jsonschema.Schema{}}))
}
