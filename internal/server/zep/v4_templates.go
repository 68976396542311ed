package zep

import (
	"slices"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

var v4TemplateRoutes = []route{
	{"POST", "/context-templates", v4With((*call).v4AddTemplate)},
	{"POST", "/context-templates/list", v4With((*call).v4ListTemplates)},
	{"GET", "/context-templates/{template}", (*call).v4GetTemplate},
	{"PUT", "/context-templates/{template}", v4With((*call).v4UpdateTemplate)},
	{"DELETE", "/context-templates/{template}", (*call).v4DeleteTemplate},
}

// v4Template is the form of a context block as version 4 has it.
type v4Template struct {
	UUID      string `json:"uuid"`
	Name      string `json:"name,omitempty"`
	Template  string `json:"template"`
	CreatedAt string `json:"created_at"`
}

func (c *call) v4Template(t service.Template) v4Template {
	return v4Template{UUID: c.templateView(t).UUID, Name: ownName(t.ID), Template: t.Template, CreatedAt: stamp(t.CreatedAt)}
}

type v4TemplateFields struct {
	Name     *string `json:"name"`
	Template *string `json:"template"`
}

// templateBy finds a template by its UUID, which is made of its name.
func (c *call) templateBy(uuid string) (service.Template, error) {
	p, project, err := c.project()
	if err != nil {
		return service.Template{}, err
	}
	all, err := p.Templates(c.ctx(), project)
	if err != nil {
		return service.Template{}, err
	}
	i := slices.IndexFunc(all, func(t service.Template) bool { return c.templateView(t).UUID == uuid })
	if i < 0 {
		return service.Template{}, notFound("context template not found: " + uuid)
	}
	return all[i], nil
}

func (c *call) v4AddTemplate(in v4TemplateFields) (any, error) {
	name := orZero(in.Name)
	if len(name) > maxTemplateID {
		return nil, graph.Invalid("name", "has %d bytes; the limit is %d", len(name), maxTemplateID)
	}
	if err := checkTemplate(orZero(in.Template)); err != nil {
		return nil, err
	}
	if name == "" {
		name = service.NewNameless()
	}
	p, project, err := c.project()
	if err != nil {
		return nil, err
	}
	t, err := p.CreateTemplate(c.ctx(), project, service.Template{ID: name, Template: *in.Template})
	if err != nil {
		return nil, err
	}
	return created(c.v4Template(t))
}

func (c *call) v4ListTemplates(in struct {
	Name string `json:"name"`
},
) (any, error) {
	s, err := c.stretch4(50, v4MaxPage-1)
	if err != nil {
		return nil, err
	}
	p, project, err := c.project()
	if err != nil {
		return nil, err
	}
	all, err := p.Templates(c.ctx(), project)
	all = slices.DeleteFunc(all, func(t service.Template) bool { return in.Name != "" && t.ID != in.Name })
	page, total := among(s, all, c.v4Template), len(all)
	page.TotalSize = &total
	return page, err
}

func (c *call) v4GetTemplate() (any, error) {
	t, err := c.templateBy(c.PathValue("template"))
	return c.v4Template(t), err
}

func (c *call) v4UpdateTemplate(in v4TemplateFields) (any, error) {
	t, err := c.templateBy(c.PathValue("template"))
	if err != nil {
		return nil, err
	}
	if in.Name != nil && *in.Name != ownName(t.ID) {
		return nil, graph.Invalid("name", "cannot be changed: the UUID is made of it; create another template")
	}
	if in.Template != nil {
		if err := checkTemplate(*in.Template); err != nil {
			return nil, err
		}
		p, project, err := c.project()
		if err != nil {
			return nil, err
		}
		if t, err = p.UpdateTemplate(c.ctx(), project, service.Template{ID: t.ID, Template: *in.Template}); err != nil {
			return nil, err
		}
	}
	return c.v4Template(t), nil
}

func (c *call) v4DeleteTemplate() (any, error) {
	t, err := c.templateBy(c.PathValue("template"))
	if err != nil {
		return nil, err
	}
	p, project, err := c.project()
	if err != nil {
		return nil, err
	}
	return noContent(p.DeleteTemplate(c.ctx(), project, t.ID))
}
