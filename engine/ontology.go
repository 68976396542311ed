package engine

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/prompts"
)

func entityTypes(o graph.Ontology) []prompts.EntityType {
	return each.Of(o.EntityTypes, func(t graph.EntityType) prompts.EntityType {
		return prompts.EntityType{Name: t.Name, Description: t.Description, Attributes: attributeTypes(t.Attributes)}
	})
}

func factTypes(o graph.Ontology) []prompts.FactType {
	return each.Of(o.FactTypes, func(t graph.FactType) prompts.FactType {
		pairs := each.Of(t.Pairs, func(p graph.TypePair) prompts.TypePair { return prompts.TypePair{Source: p.Source, Target: p.Target} })
		return prompts.FactType{Name: t.Name, Description: t.Description, Pairs: pairs, Attributes: attributeTypes(t.Attributes)}
	})
}

// attributeTypes lists the properties of a schema in a fixed order.
func attributeTypes(schema *jsonschema.Schema) []prompts.AttributeType {
	if schema == nil {
		return nil
	}
	var types []prompts.AttributeType
	for name, property := range schema.Properties {
		types = append(types, prompts.AttributeType{
			Name: name, Kind: kindOf(property), Description: property.Description, Values: each.Of(property.Enum, func(value any) string { return fmt.Sprint(value) }),
		})
	}
	each.Sort(types, func(a, b prompts.AttributeType) int { return cmp.Compare(a.Name, b.Name) })
	return types
}

func kindOf(property *jsonschema.Schema) string {
	switch {
	case property.Type == "array":
		return "list"
	case property.Format == "date" || property.Format == "date-time":
		return "date"
	}
	return property.Type
}

// typeOf returns a type as the ontology spells it, and nothing for an unknown type. A group without
// entity types takes any type.
func (d *draft) typeOf(label string) string {
	if len(d.ontology.EntityTypes) == 0 {
		return label
	}
	t, _ := d.ontology.EntityType(label)
	return t.Name
}

func entityAttributes(o graph.Ontology, label string, found []prompts.Attribute) (json.RawMessage, []string) {
	t, ok := o.EntityType(label)
	if !ok || t.Attributes == nil {
		return nil, nil
	}
	return graph.ReadAttributes(t.Attributes, namedValues(found))
}

func namedValues(found []prompts.Attribute) []graph.NamedValue {
	return each.Of(found, func(a prompts.Attribute) graph.NamedValue { return graph.NamedValue(a) })
}

// factAttributes reads the attributes of a fact. A fact between entities that its type does not
// allow has none.
func (d *draft) factAttributes(s statement, found []prompts.Attribute) (json.RawMessage, []string) {
	t, ok := d.ontology.FactType(s.predicate)
	if !ok {
		return nil, nil
	}
	source, target := d.names[s.source], d.names[s.target]
	sources, targets := []string{source.Label}, []string{target.Label}
	for _, pair := range t.Pairs { // an entity of unknown type may be of any
		if source.Label == "" && !source.plain {
			sources = append(sources, pair.Source)
		}
		if target.Label == "" && !target.plain {
			targets = append(targets, pair.Target)
		}
	}
	if !t.Allows(sources, targets) {
		return nil, []string{fmt.Sprintf("%s is not meant between %q and %q: kept as a plain fact", t.Name, source.Label, target.Label)}
	}
	if t.Attributes == nil {
		return nil, nil
	}
	return graph.ReadAttributes(t.Attributes, namedValues(found))
}
