package graph

import (
	"slices"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Ontology describes what a group's memory should look for: kinds of entities
// and facts, their attributes, and kinds to ignore. It guides the reading of
// episodes but restricts no rows: an entity or a fact of another kind is kept
// without a type. The zero Ontology has no wishes.
//
// Names of types are compared by their letters and digits, ignoring case:
// WORKS_AT, "works at" and WorksAt are equal.
type Ontology struct {
	EntityTypes   []EntityType `json:"entity_types,omitempty"`
	FactTypes     []FactType   `json:"fact_types,omitempty"`
	ExcludedTypes []string     `json:"excluded_types,omitempty"` // kinds of entities to leave out, even if they are in EntityTypes
	Instructions  string       `json:"instructions,omitempty"`   // further instructions in words; may be empty
}

// EntityType is a kind of entity, such as Person.
type EntityType struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"` // what it includes and excludes; may be empty

	// Attributes is the schema of the attributes to record; nil: none.
	// [Ontology.Validate] says what it may contain.
	Attributes *jsonschema.Schema `json:"attributes,omitempty"`
}

// FactType is a kind of fact, such as WORKS_AT.
type FactType struct {
	Name        string     `json:"name"`
	Description string     `json:"description,omitempty"`
	Pairs       []TypePair `json:"pairs,omitempty"` // the types of entities it may connect; none: any

	// Attributes is the schema of the attributes to record; nil: none.
	Attributes *jsonschema.Schema `json:"attributes,omitempty"`
}

// TypePair holds the entity types of the two ends of a fact.
type TypePair struct {
	Source string `json:"source,omitempty"` // empty: any
	Target string `json:"target,omitempty"` // empty: any
}

// EntityType returns the entity type with a name.
func (o Ontology) EntityType(name string) (EntityType, bool) {
	i := slices.IndexFunc(o.EntityTypes, func(t EntityType) bool { return sameName(t.Name, name) })
	if i < 0 {
		return EntityType{}, false
	}
	return o.EntityTypes[i], true
}

// FactType returns the fact type with a predicate.
func (o Ontology) FactType(predicate string) (FactType, bool) {
	i := slices.IndexFunc(o.FactTypes, func(t FactType) bool { return sameName(t.Name, predicate) })
	if i < 0 {
		return FactType{}, false
	}
	return o.FactTypes[i], true
}

// Allows reports whether a fact of the type may connect a source and a target
// with these labels.
func (t FactType) Allows(sourceLabels, targetLabels []string) bool {
	return len(t.Pairs) == 0 || slices.ContainsFunc(t.Pairs, func(p TypePair) bool {
		return isLabelled(sourceLabels, p.Source) && isLabelled(targetLabels, p.Target)
	})
}

// Excludes reports whether entities of a type are to be left out.
func (o Ontology) Excludes(label string) bool {
	return label != "" && slices.ContainsFunc(o.ExcludedTypes, func(name string) bool { return sameName(name, label) })
}

func isLabelled(labels []string, name string) bool {
	return name == "" || slices.ContainsFunc(labels, func(label string) bool { return sameName(label, name) })
}

func sameName(a, b string) bool { return bareName(a) == bareName(b) }

// bareName returns the letters and digits of a name, case-folded, for
// comparison.
func bareName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.L, unicode.N, unicode.M) {
			return r
		}
		return -1
	}, cases.Fold().String(norm.NFC.String(name)))
}
