package main

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/temporal"
)

// versionJSON is a version of a fact or an entity as it is printed.
type (
	factVersionJSON struct {
		graph.FactJSON
		causes
	}
	entityVersionJSON struct {
		graph.EntityJSON
		causes
	}
)

// causes are the episodes that made a version and that ended it.
type causes struct {
	CausedBy []uuid.UUID `json:"caused_by"`
	EndedBy  []uuid.UUID `json:"ended_by"`
}

func historyCommand(a *app) *cobra.Command {
	return taking(a.withMemory, &cobra.Command{
		Use:   "history ID",
		Short: "Show every state a fact or an entity was in, the oldest first",
		Long: `Shows every state a fact or an entity was in, the oldest first, and the episode
that brought it about; none after an edit by hand or an undo. ID is the id of a
fact or an entity, also of one that is gone, or an entity's name.`,
		Example: `  annals history --group demo 63f4d958
  annals history --group demo "Nora Lind"`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeIDs(graph.KindFact, graph.KindEntity),
	}, func(ctx context.Context, s *session, _ *none) error {
		id, err := s.anyID(ctx, s.args[0], graph.KindFact, graph.KindEntity)
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
		return factHistory.show(s, versions)
	})
}

// The histories of facts and of entities.
var (
	factHistory = listing[annals.FactVersion]{
		key: "versions", header: "BELIEVED\tWHEN\tFACT\tBECAUSE OF",
		view: func(v annals.FactVersion) any {
			return factVersionJSON{v.Fact.JSON(), causes{some(v.CausedBy), some(v.EndedBy)}}
		},
		ids: func(v annals.FactVersion) []uuid.UUID { return v.CausedBy },
		cells: func(v annals.FactVersion, by string) []string {
			return []string{believed(v.Recorded), v.When(time.Now()), v.Told(), cmp.Or(by, "edit or undo")}
		},
	}
	entityHistory = listing[annals.EntityVersion]{
		key: "versions", header: "BELIEVED\tNAME\tKIND\tSUMMARY\tBECAUSE OF",
		view: func(v annals.EntityVersion) any {
			return entityVersionJSON{v.Entity.JSON(), causes{some(v.CausedBy), some(v.EndedBy)}}
		},
		ids: func(v annals.EntityVersion) []uuid.UUID { return v.CausedBy },
		cells: func(v annals.EntityVersion, by string) []string {
			return []string{believed(v.Recorded), v.Name, strings.Join(v.Labels, ", "), brief(v.Summary, 80), cmp.Or(by, "edit or undo")}
		},
	}
)

func believed(i temporal.Interval) string { return moment(i.Start) + " to " + moment(i.End) }

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
	return entityHistory.show(s, versions)
}

// some returns a list that is never null in JSON.
func some[T any](list []T) []T { return append([]T{}, list...) }
