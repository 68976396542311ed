package project

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/service"
)

// SettingsView is the JSON form of a project, as far as it is the same in all generations.
type SettingsView struct {
	UUID        string `json:"uuid"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	TimeZone    string `json:"default_time_zone,omitempty"`
	CreatedAt   string `json:"created_at,omitempty"`
}

// Describe returns the settings of the project. A namespace without stored settings is a project
// too.
func (c *Call) Describe() (SettingsView, error) {
	view := SettingsView{UUID: c.ProjectUUID(), Name: c.Namespace}
	if c.Namespace == "" {
		view.Name = "annals"
		return view, nil
	}
	m, err := c.Project()
	if err != nil {
		return view, err
	}
	g, err := m.Client.Group(c.Context(), m.ID)
	if missing(err) {
		return view, nil
	}
	if err == nil {
		view.Description, view.TimeZone, view.CreatedAt = g.Description, g.TimeZone, Stamp(g.CreatedAt)
	}
	return view, err
}

// SetTimeZone sets the time zone of the project.
func (c *Call) SetTimeZone(zone Nullable[string]) error {
	m, err := c.Project()
	if err != nil {
		return err
	}
	if err := graph.ValidateTimeZone(zone.Value); err != nil {
		return err
	}
	_, err = m.Client.CreateGroup(c.Context(), annals.Group{ID: m.ID, Force: true})
	if err != nil && annals.CodeOf(err) != annals.CodeConflict {
		return err
	}
	_, err = m.Client.UpdateGroup(c.Context(), m.ID, annals.GroupChange{TimeZone: zone.pointer()})
	return err
}

// Property is the JSON form of an attribute of a type. Only version 4 has protected ones.
type Property struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Description string `json:"description"`
	Protected   *bool  `json:"protected,omitempty"`
}

// EntityType is the JSON form of a kind of nodes. Only version 4 has identity properties.
type EntityType struct {
	Name        string     `json:"name"`
	Description string     `json:"description"`
	Properties  []Property `json:"properties"`
	Identity    []string   `json:"identity_properties,omitempty"`
}

// EdgeType is the JSON form of a kind of edges.
type EdgeType struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Properties  []Property     `json:"properties"`
	Pairs       []SourceTarget `json:"source_targets"`
}

// SourceTarget is a pair of types that an edge may connect.
type SourceTarget struct {
	Source string `json:"source,omitempty"`
	Target string `json:"target,omitempty"`
}

// Types is the JSON form of an ontology.
type Types struct {
	EntityTypes []EntityType `json:"entity_types"`
	EdgeTypes   []EdgeType   `json:"edge_types"`
}

// kinds maps Zep's types of attributes to those of JSON Schema. Version 4 has them in lower case.
var kinds = map[string]string{"Text": "string", "Int": "integer", "Float": "number", "Boolean": "boolean"}

func (c *Call) schema(properties []Property) (*jsonschema.Schema, error) {
	if len(properties) == 0 {
		return nil, nil
	}
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	for _, p := range properties {
		if OrZero(p.Protected) {
			c.Ignore("protected")
		}
		var kind string
		for name, as := range kinds {
			if strings.EqualFold(name, p.Type) {
				kind = as
			}
		}
		if kind == "" {
			return nil, graph.Invalid("properties", "%q is not one of Text, Int, Float, Boolean", p.Type)
		}
		s.Properties[p.Name] = &jsonschema.Schema{Type: kind, Description: p.Description}
	}
	return s, nil
}

// propertiesOf lists the properties of a schema, sorted by name, because the database does not keep
// their order.
func propertiesOf(s *jsonschema.Schema) []Property {
	out := []Property{}
	if s == nil {
		return out
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := Property{Name: name, Type: "Text", Description: s.Properties[name].Description}
		for here, kind := range kinds {
			if kind == s.Properties[name].Type {
				p.Type = here
			}
		}
		out = append(out, p)
	}
	return out
}

// Ontology converts types to an ontology of the library.
func (c *Call) Ontology(t Types) (o annals.Ontology, err error) {
	for _, e := range t.EntityTypes {
		if len(e.Identity) > 0 {
			c.Ignore("identity_properties")
		}
		kind := graph.EntityType{Name: e.Name, Description: e.Description}
		if kind.Attributes, err = c.schema(e.Properties); err != nil {
			return o, err
		}
		o.EntityTypes = append(o.EntityTypes, kind)
	}
	for _, e := range t.EdgeTypes {
		kind := graph.FactType{Name: e.Name, Description: e.Description}
		if kind.Attributes, err = c.schema(e.Properties); err != nil {
			return o, err
		}
		for _, pair := range e.Pairs {
			kind.Pairs = append(kind.Pairs, graph.TypePair{Source: anyOf(pair.Source), Target: anyOf(pair.Target)})
		}
		o.FactTypes = append(o.FactTypes, kind)
	}
	return o, o.Validate()
}

// anyOf returns a label, or "" if it is EntityLabel, which all nodes have.
func anyOf(label string) string {
	if label == EntityLabel {
		return ""
	}
	return label
}

// TypesOf converts an ontology to its JSON form.
func TypesOf(o annals.Ontology) Types {
	return Types{
		EntityTypes: each.Of(o.EntityTypes, func(e graph.EntityType) EntityType {
			return EntityType{Name: e.Name, Description: e.Description, Properties: propertiesOf(e.Attributes)}
		}),
		EdgeTypes: each.Of(o.FactTypes, func(f graph.FactType) EdgeType {
			return EdgeType{f.Name, f.Description, propertiesOf(f.Attributes), each.Of(f.Pairs, func(p graph.TypePair) SourceTarget { return SourceTarget(p) })}
		}),
	}
}

// Types returns the ontology of the memory.
func (m Memory) Types() (Types, error) {
	o, err := m.Client.Ontology(m.Ctx(), m.ID)
	return TypesOf(o), err
}

// SetTypes sets the types of the memory and keeps its instructions. Those of the project are copied
// to its groups.
func (m Memory) SetTypes(o annals.Ontology) error {
	if m.IsProject() {
		return m.Call.All().SetNamespaceOntology(m.Ctx(), m.ID, o)
	}
	old, err := m.Client.Ontology(m.Ctx(), m.ID)
	if err != nil {
		return err
	}
	o.Instructions = old.Instructions
	return m.Client.SetOntology(m.Ctx(), m.ID, o)
}

// Instruction is the JSON form of an instruction.
type Instruction struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// IsProject reports whether the memory is that of the project, whose settings are those of all its
// groups.
func (m Memory) IsProject() bool { return m.ID == m.Call.Namespace }

// scope is where the instructions of the memory apply.
func (m Memory) scope() service.Scope {
	if m.IsProject() {
		return service.Scope{Namespace: m.ID}
	}
	return service.Scope{Namespace: m.Call.Namespace, GroupID: m.ID}
}

// Instructions lists the instructions of the memory.
func (m Memory) Instructions(purpose service.Purpose) ([]Instruction, error) {
	found, err := m.Call.All().Instructions(m.Ctx(), m.scope(), purpose)
	return each.Of(found, func(i service.Instruction) Instruction { return Instruction(i) }), err
}

// AddInstructions adds instructions, and replaces those of the same names.
func (m Memory) AddInstructions(purpose service.Purpose, in []Instruction) error {
	return m.Call.All().AddInstructions(m.Ctx(), m.scope(), purpose, told(in))
}

// SetInstructions replaces all instructions.
func (m Memory) SetInstructions(purpose service.Purpose, in []Instruction) error {
	return m.Call.All().SetInstructions(m.Ctx(), m.scope(), purpose, told(in))
}

// DeleteInstructions deletes instructions by their names.
func (m Memory) DeleteInstructions(purpose service.Purpose, names []string) error {
	return m.Call.All().DeleteInstructions(m.Ctx(), m.scope(), purpose, names)
}

// told converts instructions to those of the service.
func told(in []Instruction) []service.Instruction {
	return each.Of(in, func(i Instruction) service.Instruction {
		return service.Instruction{Name: i.Name, Text: strings.TrimSpace(i.Text)}
	})
}

// MaxTemplateName is the limit in bytes on the name of a template.
const MaxTemplateName = 100

// TemplateUUID returns the UUID of a template, which is derived from its name.
func (r Realm) TemplateUUID(name string) string { return named("template", r.Namespace, name) }

// AddTemplate creates a template of the project.
func (m Memory) AddTemplate(name, text string) (t service.Template, err error) {
	if err := CheckTemplate(text); err != nil {
		return t, err
	}
	return m.Service.CreateTemplate(m.Ctx(), m.ID, service.Template{ID: name, Template: text})
}

// UpdateTemplate changes the text of a template.
func (m Memory) UpdateTemplate(name, text string) (t service.Template, err error) {
	if err := CheckTemplate(text); err != nil {
		return t, err
	}
	t, err = m.Service.UpdateTemplate(m.Ctx(), m.ID, service.Template{ID: name, Template: text})
	return t, OrAbsent(err, "context template", name)
}

// DeleteTemplate deletes a template.
func (m Memory) DeleteTemplate(name string) error {
	return OrAbsent(m.Service.DeleteTemplate(m.Ctx(), m.ID, name), "context template", name)
}
