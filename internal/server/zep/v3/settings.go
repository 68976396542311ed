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
	"GET /entity-types":                 project.On(settled, project.Memory.Types),
	"PUT /entity-types":                 project.With(setTypes),
	"GET /custom-instructions":          listInstructions(service.PurposeGraph),
	"POST /custom-instructions":         addInstructions(service.PurposeGraph),
	"DELETE /custom-instructions":       deleteInstructions(service.PurposeGraph),
	"GET /user-summary-instructions":    listInstructions(service.PurposeSummary),
	"POST /user-summary-instructions":   addInstructions(service.PurposeSummary),
	"DELETE /user-summary-instructions": deleteInstructions(service.PurposeSummary),

	"GET /context-templates":               project.On((*project.Call).Project, listTemplates),
	"POST /context-templates":              project.OnWith((*project.Call).Project, addTemplate),
	"GET /context-templates/{template}":    project.On(templateIn, getTemplate),
	"PUT /context-templates/{template}":    project.OnWith(templateIn, updateTemplate),
	"DELETE /context-templates/{template}": ended(templateIn, deleteTemplate),
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

// settled opens the memory whose settings the query asks for: that of a user or a graph, else the
// project's.
func settled(c *project.Call) (project.Memory, error) {
	userID, graphID := c.URL.Query().Get("user_id"), c.URL.Query().Get("graph_id")
	if userID+graphID == "" {
		return c.Project()
	}
	return c.Either(userID, graphID)
}

// targets are the users and graphs that a setting applies to; none: the project.
type targets struct {
	UserIDs  []string `json:"user_ids"`
	GraphIDs []string `json:"graph_ids"`
}

// each calls do for the memories of all targets, once all of them are known to exist.
func (t targets) each(c *project.Call, do func(project.Memory) error) (any, error) {
	users, err := each.Try(t.UserIDs, func(id string) (project.Memory, error) { return c.Either(id, "") })
	if err != nil {
		return nil, err
	}
	memories, err := each.Try(t.GraphIDs, func(id string) (project.Memory, error) { return c.Either("", id) })
	if err != nil {
		return nil, err
	}
	if memories = append(users, memories...); len(memories) == 0 {
		m, err := c.Project()
		if err != nil {
			return nil, err
		}
		return done, do(m)
	}
	for _, m := range memories {
		if err := do(m); err != nil {
			return nil, err
		}
	}
	return done, nil
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
	return in.each(c, func(m project.Memory) error { return m.SetTypes(o) })
}

func listInstructions(purpose service.Purpose) project.Answer {
	return project.On(settled, func(m project.Memory) (any, error) {
		found, err := m.Instructions(purpose)
		return map[string]any{"instructions": found}, err
	})
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
		return in.each(c, func(m project.Memory) error { return m.AddInstructions(purpose, in.Instructions) })
	})
}

func deleteInstructions(purpose service.Purpose) project.Answer {
	return project.With(func(c *project.Call, in struct {
		targets
		Names []string `json:"instruction_names"`
	},
	) (any, error) {
		return in.each(c, func(m project.Memory) error { return m.DeleteInstructions(purpose, in.Names) })
	})
}

// templateView is the JSON form of a template of context blocks.
type templateView struct {
	UUID       string `json:"uuid,omitempty"`
	TemplateID string `json:"template_id"`
	Template   string `json:"template"`
}

func templateViewOf(t template) templateView {
	return templateView{t.Call.TemplateUUID(t.Row.ID), t.Row.ID, t.Row.Template}
}

// template is a template of the project.
type template = project.At[service.Template]

func templateIn(c *project.Call) (template, error) { return templateOf(c, c.PathValue("template")) }

// templateOf returns a template by its id.
func templateOf(c *project.Call, id string) (t template, err error) {
	if t.Memory, err = c.Project(); err != nil {
		return t, err
	}
	t.Row, err = t.Service.Template(t.Ctx(), t.ID, id)
	return t, project.OrAbsent(err, "context template", id)
}

func listTemplates(m project.Memory) (any, error) {
	templates, err := m.Service.Templates(m.Ctx(), m.ID)
	return map[string]any{"templates": each.Of(templates, func(t service.Template) templateView { return templateViewOf(template{Memory: m, Row: t}) })}, err
}

func addTemplate(m project.Memory, in templateView) (any, error) {
	if in.TemplateID == "" || len(in.TemplateID) > project.MaxTemplateName {
		return nil, graph.Invalid("template_id", "has %s; it must have 1 to %d", each.Count(len(in.TemplateID), "byte"), project.MaxTemplateName)
	}
	t, err := m.AddTemplate(in.TemplateID, in.Template)
	return templateViewOf(template{Memory: m, Row: t}), err
}

func getTemplate(t template) (any, error) { return templateViewOf(t), nil }

func updateTemplate(t template, in templateView) (_ any, err error) {
	t.Row, err = t.UpdateTemplate(t.Row.ID, in.Template)
	return templateViewOf(t), err
}

func deleteTemplate(t template) error { return t.DeleteTemplate(t.Row.ID) }
