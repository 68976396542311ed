package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// Template is the form of a context string that an application stores here.
// Annals does not interpret it.
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
	return &annals.Error{Code: annals.CodeNotFound, Field: "template", Message: fmt.Sprintf("there is none called %q", id)}
}

// Templates lists the templates of a namespace, or of a group, the oldest first.
func (s *Service) Templates(ctx context.Context, groupID string) ([]Template, error) {
	if err := s.admit(groupID); err != nil {
		return nil, err
	}
	rows, err := db.New(s.pool).TemplateList(ctx, db.TemplateListParams{GroupID: groupID, MaxRows: annals.MaxRows})
	if err != nil {
		return nil, fmt.Errorf("list the templates of %s: %w", groupID, err)
	}
	templates := make([]Template, len(rows))
	for i, row := range rows {
		templates[i] = templateOf(row)
	}
	return templates, nil
}

func templateOf(row db.TemplateRow) Template {
	return Template{ID: row.ID, Template: row.Template, CreatedAt: row.CreatedAt.UTC(), UpdatedAt: row.UpdatedAt.UTC()}
}

// Template returns one template, or a [annals.CodeNotFound].
func (s *Service) Template(ctx context.Context, groupID, id string) (Template, error) {
	if err := s.admit(groupID); err != nil {
		return Template{}, err
	}
	row, err := db.New(s.pool).TemplateGet(ctx, db.TemplateGetParams{GroupID: groupID, ID: id})
	if errors.Is(err, pgx.ErrNoRows) {
		return Template{}, noTemplate(id)
	}
	if err != nil {
		return Template{}, fmt.Errorf("read template %q: %w", id, err)
	}
	return templateOf(row), nil
}

// CreateTemplate stores a template. It fails with [annals.CodeConflict] where
// there is one with that id.
func (s *Service) CreateTemplate(ctx context.Context, groupID string, t Template) (Template, error) {
	if err := errors.Join(s.admit(groupID), t.validate()); err != nil {
		return Template{}, err
	}
	defer s.wrote(groupID)
	made, err := by(ctx, s, func(q *db.Queries) (int64, error) {
		return q.TemplateInsert(ctx, db.TemplateInsertParams{GroupID: groupID, ID: t.ID, Template: t.Template})
	})
	if err != nil {
		return Template{}, fmt.Errorf("store template %q: %w", t.ID, err)
	}
	if made == 0 {
		return Template{}, &annals.Error{Code: annals.CodeConflict, Field: "template_id", Message: fmt.Sprintf("there is a template %q already", t.ID)}
	}
	return s.Template(ctx, groupID, t.ID)
}

// UpdateTemplate gives a template another text.
func (s *Service) UpdateTemplate(ctx context.Context, groupID string, t Template) (Template, error) {
	if err := errors.Join(s.admit(groupID), t.validate()); err != nil {
		return Template{}, err
	}
	defer s.wrote(groupID)
	changed, err := by(ctx, s, func(q *db.Queries) (int64, error) {
		return q.TemplateUpdate(ctx, db.TemplateUpdateParams{GroupID: groupID, ID: t.ID, Template: t.Template})
	})
	if err != nil {
		return Template{}, fmt.Errorf("store template %q: %w", t.ID, err)
	}
	if changed == 0 {
		return Template{}, noTemplate(t.ID)
	}
	return s.Template(ctx, groupID, t.ID)
}

// DeleteTemplate removes a template.
func (s *Service) DeleteTemplate(ctx context.Context, groupID, id string) error {
	if err := s.admit(groupID); err != nil {
		return err
	}
	defer s.wrote(groupID)
	deleted, err := by(ctx, s, func(q *db.Queries) (int64, error) {
		return q.TemplateDelete(ctx, db.TemplateDeleteParams{GroupID: groupID, ID: id})
	})
	if err != nil {
		return fmt.Errorf("remove template %q: %w", id, err)
	}
	if deleted == 0 {
		return noTemplate(id)
	}
	return nil
}
