package v3

import (
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server/zep/project"
	"github.com/annalsdb/annals/internal/service"
)

var settingRoutes = project.Routes{
	"GET /projects/info":                getProject,
	"PATCH /projects/info":              project.With(updateProject),
	"GET /entity-types":                 listTypes,
	"PUT /entity-types":                 project.With(setTypes),
	"GET /custom-instructions":          listInstructions(service.PurposeGraph),
	"POST /custom-instructions":         addInstructions(service.PurposeGraph),
	"DELETE /custom-instructions":       deleteInstructions(service.PurposeGraph),
	"GET /user-summary-instructions":    listInstructions(service.PurposeSummary),
	"POST /user-summary-instructions":   addInstructions(service.PurposeSummary),
	"DELETE /user-summary-instructions": deleteInstructions(service.PurposeSummary),

	"GET /context-templates":               project.On((*project.Call).Project, listTemplates),
	"POST /context-templates":              project.OnWith((*project.Call).Project, addTemplate),
	"GET /context-templates/{template}":    getTemplate,
	"PUT /context-templates/{template}":    project.OnWith((*project.Call).Project, updateTemplate),
	"DELETE /context-templates/{template}": project.On((*project.Call).Project, deleteTemplate),
}

func getProject(c *project.Call) (any, error) {
	view, err := c.Describe()
	return map[string]any{"project": view}, err
}

func updateProject(c *project.Call, in struct {
	TimeZone project.Nullable[string] `json:"default_time_zone"`
},
) (any, error) {
	if err := c.SetTimeZone(in.TimeZone); err != nil {
		return nil, err
	}
	return getProject(c)
}

func listTypes(c *project.Call) (any, error) {
	q := c.URL.Query()
	userID, graphID := q.Get("user_id"), q.Get("graph_id")
	find := c.Project
	if userID+graphID != "" {
		find = func() (project.Memory, error) { return c.Either(userID, graphID) }
	}
	m, err := find()
	if err != nil {
		return nil, err
	}
	return m.Types()
}

// targets are the users and graphs that a setting applies to; none: the project.
type targets struct {
	UserIDs  []string `json:"user_ids"`
	GraphIDs []string `json:"graph_ids"`
}

// memories opens the memories of all targets. It fails if one does not exist.
func (t targets) memories(c *project.Call) ([]project.Memory, error) {
	var out []project.Memory
	for _, id := range t.UserIDs {
		u, err := c.User(id)
		if err != nil {
			return nil, err
		}
		out = append(out, u.Memory)
	}
	for _, id := range t.GraphIDs {
		g, err := c.Graph(id)
		if err != nil {
			return nil, err
		}
		out = append(out, g.Memory)
	}
	return out, nil
}

func setTypes(c *project.Call, in struct {
	project.Types
	targets
},
) (any, error) {
	o, err := c.Ontology(in.Types)
	if err != nil {
		return nil, err
	}
	memories, err := in.memories(c)
	if err != nil {
		return nil, err
	}
	for _, m := range memories {
		if err := m.SetTypes(o); err != nil {
			return nil, err
		}
	}
	if len(memories) > 0 {
		return done, nil
	}
	m, err := c.Project()
	if err != nil {
		return nil, err
	}
	return done, m.SetProjectTypes(o)
}

// each calls do for all scopes of instructions.
func (t targets) each(c *project.Call, do func(service.Scope) error) (any, error) {
	scopes, err := t.scopes(c)
	if err != nil {
		return nil, err
	}
	for _, s := range scopes {
		if err := do(s); err != nil {
			return nil, err
		}
	}
	return done, nil
}

// scopes returns the groups of the targets; without targets, the whole project.
func (t targets) scopes(c *project.Call) ([]service.Scope, error) {
	memories, err := t.memories(c)
	if err != nil {
		return nil, err
	}
	if len(memories) > 0 {
		return each.Of(memories, func(m project.Memory) service.Scope { return service.Scope{Namespace: c.Namespace, GroupID: m.ID} }), nil
	}
	m, err := c.Project()
	return []service.Scope{{Namespace: m.ID}}, err
}

func listInstructions(purpose service.Purpose) project.Answer {
	return func(c *project.Call) (any, error) {
		q := c.URL.Query()
		scopes, err := targets{project.Some(q.Get("user_id")), project.Some(q.Get("graph_id"))}.scopes(c)
		if err != nil {
			return nil, err
		}
		found, err := c.Instructions(scopes[0], purpose)
		return map[string]any{"instructions": found}, err
	}
}

func addInstructions(purpose service.Purpose) project.Answer {
	return project.With(func(c *project.Call, in struct {
		targets
		Instructions []project.Instruction `json:"instructions"`
	},
	) (any, error) {
		if len(in.Instructions) == 0 {
			return nil, graph.Invalid("instructions", "is empty")
		}
		return in.each(c, func(s service.Scope) error {
			return c.All().AddInstructions(c.Context(), s, purpose, project.Told(in.Instructions))
		})
	})
}

func deleteInstructions(purpose service.Purpose) project.Answer {
	return project.With(func(c *project.Call, in struct {
		targets
		Names []string `json:"instruction_names"`
	},
	) (any, error) {
		return in.each(c, func(s service.Scope) error {
			return c.All().DeleteInstructions(c.Context(), s, purpose, in.Names)
		})
	})
}

// templateView is the JSON form of a template of context blocks.
type templateView struct {
	UUID       string `json:"uuid,omitempty"`
	TemplateID string `json:"template_id"`
	Template   string `json:"template"`
}

func templateViewOf(c *project.Call, t service.Template) templateView {
	return templateView{c.TemplateUUID(t.ID), t.ID, t.Template}
}

// templateOf returns a template by its id.
func templateOf(c *project.Call, id string) (t service.Template, err error) {
	m, err := c.Project()
	if err != nil {
		return t, err
	}
	t, err = m.Service.Template(c.Context(), m.ID, id)
	return t, project.OrAbsent(err, "context template", id)
}

func listTemplates(m project.Memory) (any, error) {
	templates, err := m.Service.Templates(m.Ctx(), m.ID)
	return map[string]any{"templates": each.Of(templates, func(t service.Template) templateView { return templateViewOf(m.Call, t) })}, err
}

func addTemplate(m project.Memory, in templateView) (any, error) {
	if in.TemplateID == "" || len(in.TemplateID) > project.MaxTemplateName {
		return nil, graph.Invalid("template_id", "has %s; it must have 1 to %d", each.Count(len(in.TemplateID), "byte"), project.MaxTemplateName)
	}
	if err := project.CheckTemplate(in.Template); err != nil {
		return nil, err
	}
	t, err := m.Service.CreateTemplate(m.Ctx(), m.ID, service.Template{ID: in.TemplateID, Template: in.Template})
	return templateViewOf(m.Call, t), err
}

func getTemplate(c *project.Call) (any, error) {
	t, err := templateOf(c, c.PathValue("template"))
	return templateViewOf(c, t), err
}

func updateTemplate(m project.Memory, in templateView) (any, error) {
	if err := project.CheckTemplate(in.Template); err != nil {
		return nil, err
	}
	id := m.Call.PathValue("template")
	t, err := m.Service.UpdateTemplate(m.Ctx(), m.ID, service.Template{ID: id, Template: in.Template})
	return templateViewOf(m.Call, t), project.OrAbsent(err, "context template", id)
}

func deleteTemplate(m project.Memory) (any, error) {
	id := m.Call.PathValue("template")
	return done, project.OrAbsent(m.Service.DeleteTemplate(m.Ctx(), m.ID, id), "context template", id)
}
