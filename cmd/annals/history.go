package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/temporal"
)

// factVersionJSON is a version of a fact as it is printed.
type factVersionJSON struct {
	graph.FactJSON
	CausedBy []uuid.UUID `json:"caused_by"`
	EndedBy  []uuid.UUID `json:"ended_by"`
}

// entityVersionJSON is a version of an entity as it is printed.
type entityVersionJSON struct {
	graph.EntityJSON
	CausedBy []uuid.UUID `json:"caused_by"`
	EndedBy  []uuid.UUID `json:"ended_by"`
}

func historyCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "history ID",
		Short: "Show every state a fact or an entity was in, the oldest first",
		Long: `Shows every state a fact or an entity was in, the oldest first, and the episode
that brought it about; none after an edit by hand or an undo. ID is the id of a
fact or an entity, also of one that is gone, or an entity's name.`,
		Example: `  annals history --group demo 63f4d958
  annals history --group demo "Nora Lind"`,
		Args: cobra.ExactArgs(1),
		RunE: a.withMemory(func(ctx context.Context, s *session, args []string) error {
			id, err := s.idOfHistory(ctx, args[0])
			if err != nil {
				return err
			}
			versions, err := s.History(ctx, s.group, id)
			if annals.CodeOf(err) == annals.CodeNotFound {
				return s.printEntityHistory(ctx, id)
			}
			if err != nil {
				return err
			}
			return s.printVersions(versions)
		}),
		ValidArgsFunction: a.completeIDs(graph.KindFact, graph.KindEntity),
	}
}

// idOfHistory finds a fact or an entity, including one that is gone: by its id, by the name of an
// entity, or by a part of an id.
func (s *session) idOfHistory(ctx context.Context, text string) (uuid.UUID, error) {
	if id, err := uuid.Parse(text); err == nil {
		return id, nil
	}
	entity, err := s.Entity(ctx, s.group, text)
	if annals.CodeOf(err) != annals.CodeNotFound {
		return entity.ID, err
	}
	id, found, ambiguous := s.idByPart(ctx, text, graph.KindFact, graph.KindEntity)
	if found || ambiguous != nil {
		return id, ambiguous
	}
	return uuid.Nil, err
}

func (p *printer) printVersions(versions []annals.FactVersion) error {
	if p.json {
		return p.printJSON(map[string][]factVersionJSON{
			"versions": each.Of(versions, func(v annals.FactVersion) factVersionJSON {
				return factVersionJSON{v.Fact.JSON(), some(v.CausedBy), some(v.EndedBy)}
			}),
		})
	}
	list := idLists(each.Of(versions, func(v annals.FactVersion) []uuid.UUID { return v.CausedBy }))
	return p.table("BELIEVED\tWHEN\tFACT\tBECAUSE OF", each.Of(versions, func(v annals.FactVersion) []string {
		return []string{believed(v.Recorded), v.When(time.Now()), v.Told(), list(v.CausedBy)}
	}))
}

func (s *session) printEntityHistory(ctx context.Context, id uuid.UUID) error {
	versions, err := s.EntityHistory(ctx, s.group, id)
	if annals.CodeOf(err) == annals.CodeNotFound {
		return &annals.Error{
			Code: annals.CodeNotFound, Field: "id", Message: "group " + s.group + " has neither a fact nor an entity " + id.String() +
				"; 'annals facts' and 'annals entities' list them",
		}
	}
	if err != nil {
		return err
	}
	if s.json {
		return s.printJSON(map[string][]entityVersionJSON{
			"versions": each.Of(versions, func(v annals.EntityVersion) entityVersionJSON {
				return entityVersionJSON{v.Entity.JSON(), some(v.CausedBy), some(v.EndedBy)}
			}),
		})
	}
	list := idLists(each.Of(versions, func(v annals.EntityVersion) []uuid.UUID { return v.CausedBy }))
	return s.table("BELIEVED\tNAME\tKIND\tSUMMARY\tBECAUSE OF", each.Of(versions, func(v annals.EntityVersion) []string {
		return []string{believed(v.Recorded), v.Name, strings.Join(v.Labels, ", "), brief(v.Summary, 80), list(v.CausedBy)}
	}))
}

func believed(i temporal.Interval) string { return moment(i.Start) + " to " + moment(i.End) }

// idLists returns a function that lists the shortened ids of a version's episodes.
func idLists(all [][]uuid.UUID) func([]uuid.UUID) string {
	short := shorten(slices.Concat(all...))
	return func(ids []uuid.UUID) string {
		if len(ids) == 0 {
			return "edit or undo"
		}
		return strings.Join(each.Of(ids, short), ", ")
	}
}

func some(ids []uuid.UUID) []uuid.UUID { return append([]uuid.UUID{}, ids...) }
