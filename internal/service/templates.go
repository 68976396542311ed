package service

import (
	"context"
	"errors"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
)

// Template is the format of a context string. Applications store it here; Annals does not interpret
// it.
type Template struct {
	ID        string // at most graph.MaxName bytes
	Template  string // at most MaxTemplate bytes
	CreatedAt time.Time
	UpdatedAt time.Time
}

// MaxTemplate is how many bytes a template may have.
const MaxTemplate = 8192

func (t Template) validate() error {
	if t.ID == "" || t.Template == "" {
		return graph.Invalid("template", "must have an id and a text")
	}
	if err := graph.ValidateText("template_id", t.ID, graph.MaxName); err != nil {
		return err
	}
	return graph.ValidateText("template", t.Template, MaxTemplate)
}

func noTemplate(id string) error {
	return change.NotFound("template", "there is none called %q", id)
}

// Templates lists the templates of a namespace or of a group, the oldest first.
func (s *Service) Templates(ctx context.Context, groupID string) ([]Template, error) {
	if err := s.admit(groupID); err != nil {
		return nil, err
	}
	rows, err := db.New(s.pool).TemplateList(ctx, db.TemplateListParams{GroupID: groupID, MaxRows: annals.MaxRows})
	return listed(rows, err, templateOf, "list the templates of %s", groupID)
}

func templateOf(row db.TemplateRow) Template {
	return Template{ID: row.ID, Template: row.Template, CreatedAt: row.CreatedAt.UTC(), UpdatedAt: row.UpdatedAt.UTC()}
}

// Template returns one template. It fails with [annals.CodeNotFound] if there is none.
func (s *Service) Template(ctx context.Context, groupID, id string) (Template, error) {
	if err := s.admit(groupID); err != nil {
		return Template{}, err
	}
	row, err := db.New(s.pool).TemplateGet(ctx, db.TemplateGetParams{GroupID: groupID, ID: id})
	return found(row, err, templateOf, noTemplate(id), "read template %q", id)
}

// CreateTemplate stores a new template. It fails with [annals.CodeConflict] if the id is taken.
func (s *Service) CreateTemplate(ctx context.Context, groupID string, t Template) (Template, error) {
	return s.putTemplate(ctx, groupID, t, change.Conflict("template_id", "there is a template %q already", t.ID), func(q *db.Queries) (int64, error) {
		return q.TemplateInsert(ctx, db.TemplateInsertParams{GroupID: groupID, ID: t.ID, Template: t.Template})
	})
}

// UpdateTemplate replaces the text of a template.
func (s *Service) UpdateTemplate(ctx context.Context, groupID string, t Template) (Template, error) {
	return s.putTemplate(ctx, groupID, t, noTemplate(t.ID), func(q *db.Queries) (int64, error) {
		return q.TemplateUpdate(ctx, db.TemplateUpdateParams{GroupID: groupID, ID: t.ID, Template: t.Template})
	})
}

// putTemplate stores a template. If nothing was stored, it returns the error refused.
func (s *Service) putTemplate(ctx context.Context, groupID string, t Template, refused error, store func(*db.Queries) (int64, error)) (Template, error) {
	if err := errors.Join(s.admit(groupID), t.validate()); err != nil {
		return Template{}, err
	}
	defer s.wrote(groupID)
	n, err := by(ctx, s, store)
	if err := changed(n, err, refused, "store template %q", t.ID); err != nil {
		return Template{}, err
	}
	return s.Template(ctx, groupID, t.ID)
}

// DeleteTemplate removes a template.
func (s *Service) DeleteTemplate(ctx context.Context, groupID, id string) error {
	if err := s.admit(groupID); err != nil {
		return err
	}
	defer s.wrote(groupID)
	n, err := by(ctx, s, func(q *db.Queries) (int64, error) {
		return q.TemplateDelete(ctx, db.TemplateDeleteParams{GroupID: groupID, ID: id})
	})
	return changed(n, err, noTemplate(id), "remove template %q", id)
}
