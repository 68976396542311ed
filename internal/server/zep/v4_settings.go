package zep

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

var v4SettingRoutes = []route{
	{"GET", "/project", (*call).v4GetProject},
	{"PATCH", "/project", v4With((*call).v4UpdateProject)},
	{"GET", "/project/ontology", (*call).v4GetTypes},
	{"PUT", "/project/ontology", v4With((*call).v4SetTypes)},
	{"GET", "/graphs/{graph}/ontology", (*call).v4GetTypes},
	{"PUT", "/graphs/{graph}/ontology", v4With((*call).v4SetTypes)},
	{"GET", "/project/instructions", v4Told(service.PurposeGraph)},
	{"PUT", "/project/instructions", v4Tell(service.PurposeGraph)},
	{"GET", "/graphs/{graph}/instructions", v4Told(service.PurposeGraph)},
	{"PUT", "/graphs/{graph}/instructions", v4Tell(service.PurposeGraph)},
	{"GET", "/project/user-summary-instructions", v4Told(service.PurposeSummary)},
	{"PUT", "/project/user-summary-instructions", v4Tell(service.PurposeSummary)},
	{"GET", "/users/{user}/summary-instructions", v4Told(service.PurposeSummary)},
	{"PUT", "/users/{user}/summary-instructions", v4Tell(service.PurposeSummary)},
}

// v4Project is a project as version 4 has it.
type v4Project struct {
	projectView
	Hyperedges bool `json:"hyperedges_enabled"`
	Violating  bool `json:"include_policy_violating_episodes"`
}

func (c *call) v4GetProject() (any, error) {
	view, err := c.describeProject()
	return v4Project{projectView: view, Hyperedges: true}, err
}

func (c *call) v4UpdateProject(in struct {
	TimeZone   nullable[string] `json:"default_time_zone"`
	Hyperedges *bool            `json:"hyperedges_enabled"`
	Violating  *bool            `json:"include_policy_violating_episodes"`
},
) (any, error) {
	if in.Hyperedges != nil && !*in.Hyperedges {
		return nil, graph.Invalid("hyperedges_enabled", "cannot be disabled")
	}
	if orZero(in.Violating) {
		c.ignore("include_policy_violating_episodes") // there are no content policies to violate
	}
	if in.TimeZone.given {
		if err := c.setTimeZone(in.TimeZone); err != nil {
			return nil, err
		}
	}
	return c.v4GetProject()
}

// scope is what settings are of: the graph or the user that the path names, or else
// the project.
func (c *call) scope() (p place, s service.Scope, err error) {
	switch {
	case c.PathValue("graph") != "":
		p, _, err = c.graphIn()
	case c.PathValue("user") != "":
		p, _, err = c.userIn()
	default:
		p, s.Namespace, err = c.project()
		return p, s, err
	}
	return p, service.Scope{Namespace: c.realm.Namespace, GroupID: p.group}, err
}

// v4Property is an attribute of a type as version 4 has it.
type v4Property struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Description string `json:"description"`
	Protected   *bool  `json:"protected,omitempty"`
}

type v4EntityType struct {
	Name        string       `json:"name"`
	Description string       `json:"description"`
	Properties  []v4Property `json:"properties"`
	Identity    []string     `json:"identity_properties,omitempty"`
}

type v4EdgeType struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Properties  []v4Property   `json:"properties"`
	Targets     []sourceTarget `json:"source_targets"`
}

// v4Types are an ontology as version 4 has it.
type v4Types struct {
	EntityTypes []v4EntityType  `json:"entity_types"`
	EdgeTypes   []v4EdgeType    `json:"edge_types"`
	Hierarchy   json.RawMessage `json:"entity_type_hierarchy,omitempty"`
	Inherited   bool            `json:"inherited"`
}

// types reads an ontology in the form of version 3.
func (t v4Types) types(c *call) (types, error) {
	var out types
	if len(object(t.Hierarchy)) > 0 {
		return out, graph.Invalid("entity_type_hierarchy", "is not there in Annals; leave it out")
	}
	for _, e := range t.EntityTypes {
		if len(e.Identity) > 0 {
			c.ignore("identity_properties")
		}
		out.EntityTypes = append(out.EntityTypes, entityType{e.Name, e.Description, c.propertiesOf4(e.Properties)})
	}
	for _, e := range t.EdgeTypes {
		out.EdgeTypes = append(out.EdgeTypes, edgeType{entityType{e.Name, e.Description, c.propertiesOf4(e.Properties)}, e.Targets})
	}
	return out, nil
}

func (c *call) propertiesOf4(properties []v4Property) []property {
	return views(properties, func(p v4Property) property {
		if orZero(p.Protected) {
			c.ignore("protected")
		}
		kind := p.Type
		if strings.ToLower(kind) == kind && kind != "" {
			kind = strings.ToUpper(kind[:1]) + kind[1:]
		}
		return property{p.Name, kind, p.Description}
	})
}

func v4PropertiesOf(properties []property) []v4Property {
	no := false
	return views(properties, func(p property) v4Property { return v4Property{p.Name, strings.ToLower(p.Type), p.Description, &no} })
}

func v4TypesOf(t types, inherited bool) v4Types {
	return v4Types{
		EntityTypes: views(t.EntityTypes, func(e entityType) v4EntityType {
			return v4EntityType{Name: e.Name, Description: e.Description, Properties: v4PropertiesOf(e.Properties)}
		}),
		EdgeTypes: views(t.EdgeTypes, func(e edgeType) v4EdgeType {
			return v4EdgeType{e.Name, e.Description, v4PropertiesOf(e.Properties), append([]sourceTarget{}, e.SourceTargets...)}
		}),
		Inherited: inherited,
	}
}

func (c *call) v4GetTypes() (any, error) {
	p, s, err := c.scope()
	if err != nil {
		return nil, err
	}
	if s.GroupID == "" {
		o, err := p.Ontology(c.ctx(), s.Namespace)
		return v4TypesOf(typesOf(o), false), err
	}
	own, err := p.Ontology(c.ctx(), s.GroupID)
	if err != nil {
		return nil, err
	}
	projects, err := c.projectTypes()
	return v4TypesOf(typesOf(own), reflect.DeepEqual(typesOf(own), typesOf(projects))), err
}

// projectTypes are the types of the project; a key of no namespace has none.
func (c *call) projectTypes() (annals.Ontology, error) {
	if c.realm.Namespace == "" {
		return annals.Ontology{}, nil
	}
	p, project, err := c.project()
	if err != nil {
		return annals.Ontology{}, err
	}
	return p.Ontology(c.ctx(), project)
}

func (c *call) v4SetTypes(in v4Types) (any, error) {
	p, s, err := c.scope()
	if err != nil {
		return nil, err
	}
	if s.GroupID == "" && in.Inherited {
		return nil, graph.Invalid("inherited", "is for graphs: a project inherits from none")
	}
	var o annals.Ontology
	if in.Inherited {
		o, err = c.projectTypes()
	} else {
		o, err = in.ontology(c)
	}
	if err != nil {
		return nil, err
	}
	if s.GroupID == "" {
		err = c.all().SetNamespaceOntology(c.ctx(), s.Namespace, o)
	} else {
		err = c.giveTypes(p, o)
	}
	if err != nil {
		return nil, err
	}
	return c.v4GetTypes()
}

func (t v4Types) ontology(c *call) (annals.Ontology, error) {
	known, err := t.types(c)
	if err != nil {
		return annals.Ontology{}, err
	}
	return known.ontology()
}

// v4Instructions are instructions as version 4 has them.
type v4Instructions struct {
	Inherited    bool          `json:"inherited"`
	Instructions []instruction `json:"instructions"`
}

// v4Told answers with the instructions of a scope. A graph and a user without any
// of their own have those of the project.
func v4Told(purpose service.Purpose) func(*call) (any, error) {
	return func(c *call) (any, error) {
		_, s, err := c.scope()
		if err != nil {
			return nil, err
		}
		found, err := c.all().Instructions(c.ctx(), s, purpose)
		if err != nil {
			return nil, err
		}
		out := v4Instructions{}
		if len(found) == 0 && s.GroupID != "" {
			out.Inherited = true
			if s.Namespace != "" {
				found, err = c.all().Instructions(c.ctx(), service.Scope{Namespace: s.Namespace}, purpose)
			}
		}
		out.Instructions = views(found, func(i service.Instruction) instruction { return instruction(i) })
		return out, err
	}
}

// v4Tell puts instructions in place of those that there are.
func v4Tell(purpose service.Purpose) func(*call) (any, error) {
	return v4With(func(c *call, in v4Instructions) (any, error) {
		_, s, err := c.scope()
		if err != nil {
			return nil, err
		}
		switch {
		case in.Inherited && s.GroupID == "":
			return nil, graph.Invalid("inherited", "is for graphs and users: a project inherits from none")
		case in.Inherited:
			in.Instructions = nil
		}
		err = c.all().SetInstructions(c.ctx(), s, purpose, views(in.Instructions, func(i instruction) service.Instruction {
			return service.Instruction{Name: i.Name, Text: strings.TrimSpace(i.Text)}
		}))
		if err != nil {
			return nil, err
		}
		return v4Told(purpose)(c)
	})
}
