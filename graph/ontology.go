package graph

import (
	"slices"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Ontology is what the owner of a group wants its memory to look for: kinds of
// entities and facts, what to note about each, and what to leave alone. It
// guides the reading of episodes and is no schema that rows must obey: an
// entity or a fact of a kind that is not in it is kept as a plain one. The zero
// Ontology asks for nothing in particular.
//
// The names of types are compared by their letters and digits without regard to
// case: WORKS_AT, "works at" and WorksAt are one name.
type Ontology struct {
	EntityTypes   []EntityType `json:"entity_types,omitempty"`
	FactTypes     []FactType   `json:"fact_types,omitempty"`
	ExcludedTypes []string     `json:"excluded_types,omitempty"` // kinds of entities not to keep; they win over EntityTypes
	Instructions  string       `json:"instructions,omitempty"`   // anything else to heed, in words; may be empty
}

// EntityType is a kind of entity, such as Person.
type EntityType struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"` // what belongs to it and what does not; may be empty

	// Attributes is the schema of what to note about such an entity; nil:
	// nothing. See [Ontology.Validate] for what it may hold.
	Attributes *jsonschema.Schema `json:"attributes,omitempty"`
}

// FactType is a kind of fact, such as WORKS_AT.
type FactType struct {
	Name        string     `json:"name"`
	Description string     `json:"description,omitempty"`
	Pairs       []TypePair `json:"pairs,omitempty"` // between which entities it may hold; none: between any

	// Attributes is the schema of what to note about such a fact; nil: nothing.
	Attributes *jsonschema.Schema `json:"attributes,omitempty"`
}

// TypePair is the kinds of the two ends of a fact.
type TypePair struct {
	Source string `json:"source,omitempty"` // empty: any
	Target string `json:"target,omitempty"` // empty: any
}

// EntityType returns the type of entities that has a name.
func (o Ontology) EntityType(name string) (EntityType, bool) {
	i := slices.IndexFunc(o.EntityTypes, func(t EntityType) bool { return sameName(t.Name, name) })
	if i < 0 {
		return EntityType{}, false
	}
	return o.EntityTypes[i], true
}

// FactType returns the type of the facts that have a predicate.
func (o Ontology) FactType(predicate string) (FactType, bool) {
	i := slices.IndexFunc(o.FactTypes, func(t FactType) bool { return sameName(t.Name, predicate) })
	if i < 0 {
		return FactType{}, false
	}
	return o.FactTypes[i], true
}

// Allows is whether a fact of the type may hold between a source and a target
// that have these labels.
func (t FactType) Allows(sourceLabels, targetLabels []string) bool {
	return len(t.Pairs) == 0 || slices.ContainsFunc(t.Pairs, func(p TypePair) bool {
		return isLabelled(sourceLabels, p.Source) && isLabelled(targetLabels, p.Target)
	})
}

// Excludes reports whether entities of this type are not wanted.
func (o Ontology) Excludes(label string) bool {
	return label != "" && slices.ContainsFunc(o.ExcludedTypes, func(name string) bool { return sameName(name, label) })
}

func isLabelled(labels []string, name string) bool {
	return name == "" || slices.ContainsFunc(labels, func(label string) bool { return sameName(label, name) })
}

func sameName(a, b string) bool { return bareName(a) == bareName(b) }

// bareName is what is compared of a name: its letters and digits without case.
func bareName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.L, unicode.N, unicode.M) {
			return r
		}
		return -1
	}, cases.Fold().String(norm.NFC.String(name)))
}
