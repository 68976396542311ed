package zep

import (
	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

var templateRoutes = []route{
	{"GET", "/context-templates", on((*call).project, (*call).listTemplates)},
	{"POST", "/context-templates", with((*call).addTemplate)},
	{"GET", "/context-templates/{template}", on((*call).project, (*call).getTemplate)},
	{"PUT", "/context-templates/{template}", with((*call).updateTemplate)},
	{"DELETE", "/context-templates/{template}", on((*call).project, (*call).deleteTemplate)},
}

// templateView is the form of a context block on the wire.
type templateView struct {
	UUID       string `json:"uuid,omitempty"`
	TemplateID string `json:"template_id"`
	Template   string `json:"template"`
}

func (c *call) templateView(t service.Template) templateView {
	return templateView{UUID: named("template", c.realm.Namespace, t.ID), TemplateID: t.ID, Template: t.Template}
}

const maxTemplateID = 100 // bytes

// templateAnswer answers with a template, or 404 where there is none.
func (c *call) templateAnswer(t service.Template, err error) (any, error) {
	if annals.CodeOf(err) == annals.CodeNotFound && err != nil {
		return nil, notFound("context template not found: " + c.PathValue("template"))
	}
	return c.templateView(t), err
}

func (c *call) listTemplates(p place, project string) (any, error) {
	templates, err := p.Templates(c.ctx(), project)
	return map[string]any{"templates": views(templates, c.templateView)}, err
}

func (c *call) addTemplate(in templateView) (any, error) {
	if in.TemplateID == "" || len(in.TemplateID) > maxTemplateID {
		return nil, graph.Invalid("template_id", "has %d bytes; it must have 1 to %d", len(in.TemplateID), maxTemplateID)
	}
	if err := checkTemplate(in.Template); err != nil {
		return nil, err
	}
	client, project, err := c.project()
	if err != nil {
		return nil, err
	}
	return c.templateAnswer(client.CreateTemplate(c.ctx(), project, service.Template{ID: in.TemplateID, Template: in.Template}))
}

func (c *call) getTemplate(p place, project string) (any, error) {
	return c.templateAnswer(p.Template(c.ctx(), project, c.PathValue("template")))
}

func (c *call) updateTemplate(in templateView) (any, error) {
	if err := checkTemplate(in.Template); err != nil {
		return nil, err
	}
	client, project, err := c.project()
	if err != nil {
		return nil, err
	}
	return c.templateAnswer(client.UpdateTemplate(c.ctx(), project, service.Template{ID: c.PathValue("template"), Template: in.Template}))
}

func (c *call) deleteTemplate(p place, project string) (any, error) {
	_, err := c.templateAnswer(service.Template{}, p.DeleteTemplate(c.ctx(), project, c.PathValue("template")))
	return done, err
}
