package v4

import (
	"cmp"
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
	"GET /project/ontology":        project.On(scopeIn, getTypes),
	"PUT /project/ontology":        project.OnWith(scopeIn, setTypes),
	"GET /graphs/{graph}/ontology": project.On(scopeIn, getTypes),
	"PUT /graphs/{graph}/ontology": project.OnWith(scopeIn, setTypes),

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
	"GET /context-templates/{template}":    project.On(templateIn, getTemplate),
	"PUT /context-templates/{template}":    project.OnWith(templateIn, updateTemplate),
	"DELETE /context-templates/{template}": project.On(templateIn, removeTemplate),
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

// scopeIn opens the memory whose settings the path names: that of a graph or a user, else the
// project's.
func scopeIn(c *project.Call) (project.Memory, error) {
	if c.PathValue("graph") != "" {
		g, err := graphIn(c)
		return g.Memory, err
	}
	if c.PathValue("user") != "" {
		u, err := userIn(c)
		return u.Memory, err
	}
	return c.Project()
}

// types is the JSON form of an ontology.
type types struct {
	project.Types
	Hierarchy json.RawMessage `json:"entity_type_hierarchy,omitempty"`
	Inherited bool            `json:"inherited"`
}

// lowered converts types to the form of version 4, which has lower-case names of attribute types,
// and no protected attributes.
func lowered(t project.Types) project.Types {
	for _, e := range t.EntityTypes {
		lower(e.Properties)
	}
	for _, e := range t.EdgeTypes {
		lower(e.Properties)
	}
	return t
}

func lower(properties []project.Property) {
	for i := range properties {
		properties[i].Type, properties[i].Protected = strings.ToLower(properties[i].Type), new(bool)
	}
}

func getTypes(m project.Memory) (any, error) {
	own, err := m.Types()
	if err != nil {
		return nil, err
	}
	var inherited bool
	if !m.IsProject() {
		projects, err := projectTypes(m.Call)
		if err != nil {
			return nil, err
		}
		inherited = reflect.DeepEqual(own, project.TypesOf(projects))
	}
	return types{Types: lowered(own), Inherited: inherited}, nil
}

// projectTypes returns the types of the project; none if the API key is not of a namespace.
func projectTypes(c *project.Call) (o annals.Ontology, err error) {
	if c.Namespace == "" {
		return o, nil
	}
	m, err := c.Project()
	if err != nil {
		return o, err
	}
	return m.Client.Ontology(m.Ctx(), m.ID)
}

func setTypes(m project.Memory, in types) (any, error) {
	if m.IsProject() && in.Inherited {
		return nil, graph.Invalid("inherited", "is for graphs: a project inherits from none")
	}
	if len(project.Object(in.Hierarchy)) > 0 && !in.Inherited {
		return nil, graph.Invalid("entity_type_hierarchy", "is not there in Annals; leave it out")
	}
	var o annals.Ontology
	var err error
	if in.Inherited {
		o, err = projectTypes(m.Call)
	} else {
		o, err = m.Call.Ontology(in.Types)
	}
	if err != nil {
		return nil, err
	}
	if err := m.SetTypes(o); err != nil {
		return nil, err
	}
	return getTypes(m)
}

// instructions is the JSON form of instructions.
type instructions struct {
	Inherited    bool                  `json:"inherited"`
	Instructions []project.Instruction `json:"instructions"`
}

// told makes a handler that returns the instructions of a scope.
func told(purpose service.Purpose) project.Answer {
	return project.On(scopeIn, func(m project.Memory) (any, error) { return instructionsOf(m, purpose) })
}

// instructionsOf returns the instructions of a memory. A graph or a user without its own gets those
// of the project.
func instructionsOf(m project.Memory, purpose service.Purpose) (out instructions, err error) {
	out.Instructions, err = m.Instructions(purpose)
	if err != nil || len(out.Instructions) > 0 || m.IsProject() {
		return out, err
	}
	out.Inherited = true
	if m.Call.Namespace == "" {
		return out, nil
	}
	of, err := m.Call.Project()
	if err != nil {
		return out, err
	}
	out.Instructions, err = of.Instructions(purpose)
	return out, err
}

// tell makes a handler that replaces the instructions of a scope.
func tell(purpose service.Purpose) project.Answer {
	return project.OnWith(scopeIn, func(m project.Memory, in instructions) (any, error) {
		switch {
		case in.Inherited && m.IsProject():
			return nil, graph.Invalid("inherited", "is for graphs and users: a project inherits from none")
		case in.Inherited:
			in.Instructions = nil
		}
		if err := m.SetInstructions(purpose, in.Instructions); err != nil {
			return nil, err
		}
		return instructionsOf(m, purpose)
	})
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

// template is a template of the project.
type template = project.At[service.Template]

func templateIn(c *project.Call) (template, error) { return templateBy(c, c.PathValue("template")) }

// templateBy returns a template by its UUID, which is derived from its name.
func templateBy(c *project.Call, uuid string) (t template, err error) {
	if t.Memory, err = c.Project(); err != nil {
		return t, err
	}
	all, err := t.Service.Templates(t.Ctx(), t.ID)
	if err != nil {
		return t, err
	}
	i := slices.IndexFunc(all, func(t service.Template) bool { return c.TemplateUUID(t.ID) == uuid })
	if i < 0 {
		return t, project.NotFound("context template not found: " + uuid)
	}
	t.Row = all[i]
	return t, nil
}

type templateFields struct {
	Name     *string `json:"name"`
	Template *string `json:"template"`
}

func addTemplate(m project.Memory, in templateFields) (any, error) {
	name := cmp.Or(project.OrZero(in.Name), service.NewNameless())
	if len(name) > project.MaxTemplateName {
		return nil, graph.Invalid("name", "has %d bytes; the limit is %d", len(name), project.MaxTemplateName)
	}
	t, err := m.AddTemplate(name, project.OrZero(in.Template))
	return created(templateViewOf(m, t), err)
}

func listTemplates(m project.Memory, in struct {
	Name string `json:"name"`
},
) (any, error) {
	all, err := m.Service.Templates(m.Ctx(), m.ID)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(t service.Template) bool { return in.Name != "" && t.ID != in.Name })
	page, err := among(m.Call, ownPage, all, func(t service.Template) templateView { return templateViewOf(m, t) })
	total := len(all)
	page.TotalSize = &total
	return page, err
}

func getTemplate(t template) (any, error) { return templateViewOf(t.Memory, t.Row), nil }

func updateTemplate(t template, in templateFields) (_ any, err error) {
	if in.Name != nil && *in.Name != project.OwnName(t.Row.ID) {
		return nil, graph.Invalid("name", "cannot be changed: the UUID is made of it; create another template")
	}
	if in.Template != nil {
		t.Row, err = t.UpdateTemplate(t.Row.ID, *in.Template)
	}
	return templateViewOf(t.Memory, t.Row), err
}

func removeTemplate(t template) (any, error) { return noContent(t.DeleteTemplate(t.Row.ID)) }
