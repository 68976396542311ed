package zep

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

var settingRoutes = []route{
	{"GET", "/entity-types", (*call).listTypes},
	{"PUT", "/entity-types", with((*call).setTypes)},
	{"GET", "/custom-instructions", func(c *call) (any, error) { return c.listInstructions(service.PurposeGraph) }},
	{"POST", "/custom-instructions", func(c *call) (any, error) { return c.addInstructions(service.PurposeGraph) }},
	{"DELETE", "/custom-instructions", func(c *call) (any, error) { return c.deleteInstructions(service.PurposeGraph) }},
	{"GET", "/user-summary-instructions", func(c *call) (any, error) { return c.listInstructions(service.PurposeSummary) }},
	{"POST", "/user-summary-instructions", func(c *call) (any, error) { return c.addInstructions(service.PurposeSummary) }},
	{"DELETE", "/user-summary-instructions", func(c *call) (any, error) { return c.deleteInstructions(service.PurposeSummary) }},
}

// property is an attribute of a type on the wire.
type property struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Description string `json:"description"`
}

// entityType is a kind of nodes on the wire.
type entityType struct {
	Name        string     `json:"name"`
	Description string     `json:"description"`
	Properties  []property `json:"properties,omitempty"`
}

// edgeType is a kind of edges on the wire.
type edgeType struct {
	entityType
	SourceTargets []sourceTarget `json:"source_targets,omitempty"`
}

type sourceTarget struct {
	Source string `json:"source,omitempty"`
	Target string `json:"target,omitempty"`
}

// types are an ontology on the wire.
type types struct {
	EntityTypes []entityType `json:"entity_types"`
	EdgeTypes   []edgeType   `json:"edge_types"`
}

// kinds maps the names of attribute types to those of JSON schema.
var kinds = map[string]string{"Text": "string", "Int": "integer", "Float": "number", "Boolean": "boolean"}

func schemaOf(properties []property) (*jsonschema.Schema, error) {
	if len(properties) == 0 {
		return nil, nil
	}
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	for _, p := range properties {
		kind, ok := kinds[p.Type]
		if !ok {
			return nil, graph.Invalid("properties", "%q is not one of Text, Int, Float, Boolean", p.Type)
		}
		s.Properties[p.Name] = &jsonschema.Schema{Type: kind, Description: p.Description}
	}
	return s, nil
}

func propertiesOf(s *jsonschema.Schema) []property {
	if s == nil {
		return nil
	}
	var out []property
	for _, name := range sortedNames(s) {
		p := property{Name: name, Type: "Text", Description: s.Properties[name].Description}
		for here, kind := range kinds {
			if kind == s.Properties[name].Type {
				p.Type = here
			}
		}
		out = append(out, p)
	}
	return out
}

// ontology turns the types into an ontology of the library.
func (t types) ontology() (annals.Ontology, error) {
	var o annals.Ontology
	for _, e := range t.EntityTypes {
		schema, err := schemaOf(e.Properties)
		if err != nil {
			return o, err
		}
		o.EntityTypes = append(o.EntityTypes, graph.EntityType{Name: e.Name, Description: e.Description, Attributes: schema})
	}
	for _, e := range t.EdgeTypes {
		schema, err := schemaOf(e.Properties)
		if err != nil {
			return o, err
		}
		f := graph.FactType{Name: e.Name, Description: e.Description, Attributes: schema}
		for _, pair := range e.SourceTargets {
			f.Pairs = append(f.Pairs, graph.TypePair{Source: anyOf(pair.Source), Target: anyOf(pair.Target)})
		}
		o.FactTypes = append(o.FactTypes, f)
	}
	return o, o.Validate()
}

// anyOf returns a type, or none where it is the one that all nodes have.
func anyOf(label string) string {
	if label == entityLabel {
		return ""
	}
	return label
}

func typesOf(o annals.Ontology) types {
	t := types{EntityTypes: []entityType{}, EdgeTypes: []edgeType{}}
	for _, e := range o.EntityTypes {
		t.EntityTypes = append(t.EntityTypes, entityType{e.Name, e.Description, propertiesOf(e.Attributes)})
	}
	for _, f := range o.FactTypes {
		view := edgeType{entityType: entityType{f.Name, f.Description, propertiesOf(f.Attributes)}}
		for _, pair := range f.Pairs {
			view.SourceTargets = append(view.SourceTargets, sourceTarget(pair))
		}
		t.EdgeTypes = append(t.EdgeTypes, view)
	}
	return t
}

func (c *call) listTypes() (any, error) {
	userID, graphID := c.URL.Query().Get("user_id"), c.URL.Query().Get("graph_id")
	if userID == "" && graphID == "" {
		client, project, err := c.project()
		if err != nil {
			return nil, err
		}
		o, err := client.Ontology(c.ctx(), project)
		return typesOf(o), err
	}
	p, err := c.either(userID, graphID)
	if err != nil {
		return nil, err
	}
	o, err := p.Ontology(c.ctx(), p.group)
	return typesOf(o), err
}

// targets are the users and graphs that a setting is for; none: the project.
type targets struct {
	UserIDs  []string `json:"user_ids"`
	GraphIDs []string `json:"graph_ids"`
}

// places returns the memories of all targets. Each must exist.
func (c *call) places(t targets) ([]place, error) {
	var out []place
	for _, id := range t.UserIDs {
		p, _, err := c.user(id)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	for _, id := range t.GraphIDs {
		p, _, err := c.graph(id)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func (c *call) setTypes(in struct {
	types
	targets
},
) (any, error) {
	o, err := in.ontology()
	if err != nil {
		return nil, err
	}
	places, err := c.places(in.targets)
	if err != nil {
		return nil, err
	}
	for _, p := range places {
		if err := c.giveTypes(p, o); err != nil {
			return nil, err
		}
	}
	if len(places) > 0 {
		return done, nil
	}
	_, project, err := c.project()
	if err != nil {
		return nil, err
	}
	return done, c.all().SetNamespaceOntology(c.ctx(), project, o)
}

// giveTypes gives a memory types, and leaves its instructions as they are.
func (c *call) giveTypes(p place, o annals.Ontology) error {
	old, err := p.Ontology(c.ctx(), p.group)
	if err != nil {
		return err
	}
	o.Instructions = old.Instructions
	return p.SetOntology(c.ctx(), p.group, o)
}

// adopt gives a new group the settings of its project.
func (c *call) adopt(p place) error {
	if c.realm.Namespace == "" {
		return nil
	}
	return c.all().InheritSettings(c.ctx(), c.realm.Namespace, p.group)
}

// instruction is one on the wire.
type instruction struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// told returns the scopes of instructions: groups, or the whole project.
func (c *call) told(t targets) ([]service.Scope, error) {
	places, err := c.places(t)
	if err != nil {
		return nil, err
	}
	if len(places) > 0 {
		return views(places, func(p place) service.Scope { return service.Scope{Namespace: c.realm.Namespace, GroupID: p.group} }), nil
	}
	_, project, err := c.project()
	return []service.Scope{{Namespace: project}}, err
}

func (c *call) listInstructions(purpose service.Purpose) (any, error) {
	var t targets
	q := c.URL.Query()
	t.UserIDs, t.GraphIDs = some(q.Get("user_id")), some(q.Get("graph_id"))
	told, err := c.told(t)
	if err != nil {
		return nil, err
	}
	found, err := c.all().Instructions(c.ctx(), told[0], purpose)
	return map[string]any{"instructions": views(found, func(i service.Instruction) instruction { return instruction(i) })}, err
}

func (c *call) addInstructions(purpose service.Purpose) (any, error) {
	in, err := read[struct {
		targets
		Instructions []instruction `json:"instructions"`
	}](c)
	if err != nil {
		return nil, err
	}
	if len(in.Instructions) == 0 {
		return nil, graph.Invalid("instructions", "is empty")
	}
	told, err := c.told(in.targets)
	if err != nil {
		return nil, err
	}
	for _, t := range told {
		add := views(in.Instructions, func(i instruction) service.Instruction {
			return service.Instruction{Name: i.Name, Text: strings.TrimSpace(i.Text)}
		})
		if err := c.all().AddInstructions(c.ctx(), t, purpose, add); err != nil {
			return nil, err
		}
	}
	return done, nil
}

func (c *call) deleteInstructions(purpose service.Purpose) (any, error) {
	in, err := read[struct {
		targets
		Names []string `json:"instruction_names"`
	}](c)
	if err != nil {
		return nil, err
	}
	told, err := c.told(in.targets)
	if err != nil {
		return nil, err
	}
	for _, t := range told {
		if err := c.all().DeleteInstructions(c.ctx(), t, purpose, in.Names); err != nil {
			return nil, err
		}
	}
	return done, nil
}

// sortedNames returns the properties of a schema by name, because the database
// does not keep their order.
func sortedNames(s *jsonschema.Schema) []string {
	return slices.Sorted(maps.Keys(s.Properties))
}
