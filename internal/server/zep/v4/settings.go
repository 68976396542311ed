package v4

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server/zep/project"
	"github.com/annalsdb/annals/internal/service"
)

var settingRoutes = project.Routes{
	"GET /project":                 getProject,
	"PATCH /project":               project.With(updateProject),
	"GET /project/ontology":        project.On(scopeIn, scope.types),
	"PUT /project/ontology":        project.OnWith(scopeIn, scope.setTypes),
	"GET /graphs/{graph}/ontology": project.On(scopeIn, scope.types),
	"PUT /graphs/{graph}/ontology": project.OnWith(scopeIn, scope.setTypes),

	"GET /project/instructions":              told(service.PurposeGraph),
	"PUT /project/instructions":              tell(service.PurposeGraph),
	"GET /graphs/{graph}/instructions":       told(service.PurposeGraph),
	"PUT /graphs/{graph}/instructions":       tell(service.PurposeGraph),
	"GET /project/user-summary-instructions": told(service.PurposeSummary),
	"PUT /project/user-summary-instructions": tell(service.PurposeSummary),
	"GET /users/{user}/summary-instructions": told(service.PurposeSummary),
	"PUT /users/{user}/summary-instructions": tell(service.PurposeSummary),

	"POST /context-templates":              project.OnWith((*project.Call).Project, addTemplate),
	"POST /context-templates/list":         project.OnWith((*project.Call).Project, listTemplates),
	"GET /context-templates/{template}":    project.On(templateIn, template.get),
	"PUT /context-templates/{template}":    project.OnWith(templateIn, template.update),
	"DELETE /context-templates/{template}": project.On(templateIn, template.remove),
}

// projectView is the JSON form of a project.
type projectView struct {
	project.SettingsView
	Hyperedges bool `json:"hyperedges_enabled"`
	Violating  bool `json:"include_policy_violating_episodes"`
}

func getProject(c *project.Call) (any, error) {
	view, err := c.Describe()
	return projectView{SettingsView: view, Hyperedges: true}, err
}

func updateProject(c *project.Call, in struct {
	TimeZone   project.Nullable[string] `json:"default_time_zone"`
	Hyperedges *bool                    `json:"hyperedges_enabled"`
	Violating  *bool                    `json:"include_policy_violating_episodes"`
},
) (any, error) {
	if in.Hyperedges != nil && !*in.Hyperedges {
		return nil, graph.Invalid("hyperedges_enabled", "cannot be disabled")
	}
	if project.OrZero(in.Violating) {
		c.Ignore("include_policy_violating_episodes") // Annals has no content policies
	}
	if in.TimeZone.Given {
		if err := c.SetTimeZone(in.TimeZone); err != nil {
			return nil, err
		}
	}
	return getProject(c)
}

// scope is what a setting applies to: the graph or the user of the path, else the project.
type scope struct {
	project.Memory
	of service.Scope
}

func scopeIn(c *project.Call) (s scope, err error) {
	switch {
	case c.PathValue("graph") != "":
		var g project.Graph
		g, err = graphIn(c)
		s.Memory, s.of.GroupID = g.Memory, g.ID
	case c.PathValue("user") != "":
		var u project.User
		u, err = userIn(c)
		s.Memory, s.of.GroupID = u.Memory, u.ID
	default:
		s.Memory, err = c.Project()
	}
	s.of.Namespace = c.Namespace
	return s, err
}

// types is the JSON form of an ontology.
type types struct {
	project.Types
	Hierarchy json.RawMessage `json:"entity_type_hierarchy,omitempty"`
	Inherited bool            `json:"inherited"`
}

// written converts each property of types. Version 4 has lower-case names of attribute types, and
// no protected attributes.
func written(t project.Types, in func(project.Property) project.Property) project.Types {
	for _, e := range t.EntityTypes {
		for i, p := range e.Properties {
			e.Properties[i] = in(p)
		}
	}
	for _, e := range t.EdgeTypes {
		for i, p := range e.Properties {
			e.Properties[i] = in(p)
		}
	}
	return t
}

func lower(p project.Property) project.Property {
	p.Type, p.Protected = strings.ToLower(p.Type), new(bool)
	return p
}

func upper(p project.Property) project.Property {
	if p.Type != "" && strings.ToLower(p.Type) == p.Type {
		p.Type = strings.ToUpper(p.Type[:1]) + p.Type[1:]
	}
	return p
}

func (s scope) types() (any, error) {
	own, err := s.Types()
	if err != nil {
		return nil, err
	}
	var inherited bool
	if s.of.GroupID != "" {
		projects, err := s.projectTypes()
		if err != nil {
			return nil, err
		}
		inherited = reflect.DeepEqual(own, project.TypesOf(projects))
	}
	return types{Types: written(own, lower), Inherited: inherited}, nil
}

// projectTypes returns the types of the project; none if the API key is not of a namespace.
func (s scope) projectTypes() (o annals.Ontology, err error) {
	if s.of.Namespace == "" {
		return o, nil
	}
	m, err := s.Call.Project()
	if err != nil {
		return o, err
	}
	return m.Client.Ontology(m.Ctx(), m.ID)
}

func (s scope) setTypes(in types) (any, error) {
	ofProject := s.of.GroupID == ""
	if ofProject && in.Inherited {
		return nil, graph.Invalid("inherited", "is for graphs: a project inherits from none")
	}
	if len(project.Object(in.Hierarchy)) > 0 && !in.Inherited {
		return nil, graph.Invalid("entity_type_hierarchy", "is not there in Annals; leave it out")
	}
	var o annals.Ontology
	var err error
	if in.Inherited {
		o, err = s.projectTypes()
	} else {
		o, err = s.Call.Ontology(written(in.Types, upper))
	}
	if err != nil {
		return nil, err
	}
	set := s.SetTypes
	if ofProject {
		set = s.SetProjectTypes
	}
	if err := set(o); err != nil {
		return nil, err
	}
	return s.types()
}

// instructions is the JSON form of instructions.
type instructions struct {
	Inherited    bool                  `json:"inherited"`
	Instructions []project.Instruction `json:"instructions"`
}

// told makes a handler that returns the instructions of a scope. A graph or a user without its own
// gets those of the project.
func told(purpose service.Purpose) project.Answer {
	return project.On(scopeIn, func(s scope) (any, error) { return s.told(purpose) })
}

func (s scope) told(purpose service.Purpose) (out instructions, err error) {
	out.Instructions, err = s.Call.Instructions(s.of, purpose)
	if err != nil || len(out.Instructions) > 0 || s.of.GroupID == "" {
		return out, err
	}
	out.Inherited = true
	if s.of.Namespace != "" {
		out.Instructions, err = s.Call.Instructions(service.Scope{Namespace: s.of.Namespace}, purpose)
	}
	return out, err
}

// tell makes a handler that replaces the instructions of a scope.
func tell(purpose service.Purpose) project.Answer {
	return project.OnWith(scopeIn, func(s scope, in instructions) (any, error) {
		switch {
		case in.Inherited && s.of.GroupID == "":
			return nil, graph.Invalid("inherited", "is for graphs and users: a project inherits from none")
		case in.Inherited:
			in.Instructions = nil
		}
		if err := s.Call.All().SetInstructions(s.Ctx(), s.of, purpose, project.Told(in.Instructions)); err != nil {
			return nil, err
		}
		return s.told(purpose)
	})
}

// template is the template of the path, with the memory of the project.
type template struct {
	project.Memory
	form service.Template
}

func templateIn(c *project.Call) (t template, err error) {
	if t.Memory, err = c.Project(); err != nil {
		return t, err
	}
	t.form, err = templateBy(c, c.PathValue("template"))
	return t, err
}

// templateView is the JSON form of a template of context blocks.
type templateView struct {
	UUID      string `json:"uuid"`
	Name      string `json:"name,omitempty"`
	Template  string `json:"template"`
	CreatedAt string `json:"created_at"`
}

func templateViewOf(m project.Memory, t service.Template) templateView {
	return templateView{m.Call.TemplateUUID(t.ID), project.OwnName(t.ID), t.Template, project.Stamp(t.CreatedAt)}
}

type templateFields struct {
	Name     *string `json:"name"`
	Template *string `json:"template"`
}

// templateBy returns a template by its UUID, which is derived from its name.
func templateBy(c *project.Call, uuid string) (service.Template, error) {
	m, err := c.Project()
	if err != nil {
		return service.Template{}, err
	}
	all, err := m.Service.Templates(c.Context(), m.ID)
	if err != nil {
		return service.Template{}, err
	}
	i := slices.IndexFunc(all, func(t service.Template) bool { return c.TemplateUUID(t.ID) == uuid })
	if i < 0 {
		return service.Template{}, project.NotFound("context template not found: " + uuid)
	}
	return all[i], nil
}

func addTemplate(m project.Memory, in templateFields) (any, error) {
	name, text := project.OrZero(in.Name), project.OrZero(in.Template)
	if len(name) > project.MaxTemplateName {
		return nil, graph.Invalid("name", "has %d bytes; the limit is %d", len(name), project.MaxTemplateName)
	}
	if err := project.CheckTemplate(text); err != nil {
		return nil, err
	}
	if name == "" {
		name = service.NewNameless()
	}
	t, err := m.Service.CreateTemplate(m.Ctx(), m.ID, service.Template{ID: name, Template: text})
	return created(templateViewOf(m, t), err)
}

func listTemplates(m project.Memory, in struct {
	Name string `json:"name"`
},
) (any, error) {
	s, err := stretchOf(m.Call, ownPage, maxPage-1)
	if err != nil {
		return nil, err
	}
	all, err := m.Service.Templates(m.Ctx(), m.ID)
	all = slices.DeleteFunc(all, func(t service.Template) bool { return in.Name != "" && t.ID != in.Name })
	page, total := among(s, all, viewIn(m, templateViewOf)), len(all)
	page.TotalSize = &total
	return page, err
}

func (t template) get() (any, error) { return templateViewOf(t.Memory, t.form), nil }

func (t template) update(in templateFields) (any, error) {
	if in.Name != nil && *in.Name != project.OwnName(t.form.ID) {
		return nil, graph.Invalid("name", "cannot be changed: the UUID is made of it; create another template")
	}
	if in.Template == nil {
		return t.get()
	}
	if err := project.CheckTemplate(*in.Template); err != nil {
		return nil, err
	}
	var err error
	if t.form, err = t.Service.UpdateTemplate(t.Ctx(), t.ID, service.Template{ID: t.form.ID, Template: *in.Template}); err != nil {
		return nil, err
	}
	return t.get()
}

func (t template) remove() (any, error) {
	return noContent(t.Service.DeleteTemplate(t.Ctx(), t.ID, t.form.ID))
}
