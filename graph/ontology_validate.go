package graph

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// The limits on an ontology. A model sees all of it with every episode: a
// longer ontology costs more, and the model follows it less.
const (
	maxEntityTypes   = 50
	maxFactTypes     = 100
	maxExcludedTypes = 100
	maxPairs         = 100  // of a fact type
	maxAttributes    = 20   // of a type
	maxTypeName      = 100  // bytes of the name of a type or an attribute
	maxDescription   = 1000 // bytes of the description of a type or an attribute
	MaxInstructions  = 4000 // bytes
	maxChoices       = 100  // values of an attribute's enum
)

// Validate checks an ontology. The error is an [*Error]: its field is the path
// of the part at fault ("entity_types[2].name"), and its message says what is
// allowed.
//
// The schema of attributes is the part of JSON Schema that models follow
// reliably: an object with properties of type string (with enum, format date or
// date-time, minLength, maxLength, pattern), number or integer (with minimum,
// maximum), boolean, or array of strings, numbers or integers (with maxItems).
// Titles and descriptions are allowed. Required and additionalProperties are
// accepted and ignored: a text may not mention a required attribute, and others
// are never recorded.
func (o Ontology) Validate() error {
	return cmp.Or(
		o.validateEntityTypes(),
		o.validateFactTypes(),
		o.validateExcluded(),
		ValidateText("instructions", o.Instructions, MaxInstructions),
	)
}

func (o Ontology) validateEntityTypes() error {
	if err := validateCount("entity_types", len(o.EntityTypes), maxEntityTypes); err != nil {
		return err
	}
	seen := names{}
	for i, t := range o.EntityTypes {
		field := fmt.Sprintf("entity_types[%d]", i)
		if err := seen.addType(field, t.Name, t.Description, t.Attributes); err != nil {
			return err
		}
	}
	return nil
}

func (o Ontology) validateFactTypes() error {
	if err := validateCount("fact_types", len(o.FactTypes), maxFactTypes); err != nil {
		return err
	}
	seen := names{}
	for i, t := range o.FactTypes {
		field := fmt.Sprintf("fact_types[%d]", i)
		if err := cmp.Or(validatePairs(field+".pairs", t.Pairs), seen.addType(field, t.Name, t.Description, t.Attributes)); err != nil {
			return err
		}
	}
	return nil
}

// validatePairs checks the ends of a fact type. They may name types outside the
// ontology, since entities have such types too.
func validatePairs(field string, pairs []TypePair) error {
	if err := validateCount(field, len(pairs), maxPairs); err != nil {
		return err
	}
	for i, p := range pairs {
		for _, end := range []struct{ field, name string }{{"source", p.Source}, {"target", p.Target}} {
			if end.name == "" {
				continue
			}
			if err := validateName(fmt.Sprintf("%s[%d].%s", field, i, end.field), end.name); err != nil {
				return err
			}
		}
	}
	return nil
}

func (o Ontology) validateExcluded() error {
	if err := validateCount("excluded_types", len(o.ExcludedTypes), maxExcludedTypes); err != nil {
		return err
	}
	for i, name := range o.ExcludedTypes {
		if err := validateName(fmt.Sprintf("excluded_types[%d]", i), name); err != nil {
			return err
		}
	}
	return nil
}

// names maps each used name to its field.
type names map[string]string

// addType checks the parts that entity types and fact types share.
func (n names) addType(field, name, description string, attributes *jsonschema.Schema) error {
	return cmp.Or(
		n.add(field+".name", name),
		ValidateText(field+".description", description, maxDescription),
		validateAttributes(field+".attributes", attributes),
	)
}

// add checks a name and that it is not used yet.
func (n names) add(field, name string) error {
	if err := validateName(field, name); err != nil {
		return err
	}
	bare := bareName(name)
	if other, taken := n[bare]; taken {
		return Invalid(field, "%q is also the name of %s; case, spaces and signs make no difference", name, strings.TrimSuffix(other, ".name"))
	}
	n[bare] = field
	return nil
}

func validateName(field, name string) error {
	if err := ValidateText(field, name, maxTypeName); err != nil {
		return err
	}
	switch {
	case strings.TrimSpace(name) == "":
		return Invalid(field, "is empty; every type needs a name")
	case bareName(name) == "":
		return Invalid(field, "%q has no letter or digit", name)
	}
	return nil
}

func validateCount(field string, n, limit int) error {
	if n > limit {
		return Invalid(field, "has %d members; the limit is %d", n, limit)
	}
	return nil
}
