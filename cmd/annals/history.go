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
	"github.com/annalsdb/annals/temporal"
)

// factVersionJSON is a state of a fact as it is printed.
type factVersionJSON struct {
	graph.FactJSON
	CausedBy []uuid.UUID `json:"caused_by"`
	EndedBy  []uuid.UUID `json:"ended_by"`
}

// entityVersionJSON is a state of an entity as it is printed.
type entityVersionJSON struct {
	graph.EntityJSON
	CausedBy []uuid.UUID `json:"caused_by"`
	EndedBy  []uuid.UUID `json:"ended_by"`
}

func (a *app) historyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "history ID",
		Short: "Show every state a fact or an entity was in, the oldest first",
		Long: `Shows every state a fact or an entity was in, the oldest first, and the episode
that brought it about; none where it was changed by hand. ID is the id of a
fact or an entity, also of one that is gone, or an entity's name.`,
		Example: `  annals history --group demo 63f4d958
  annals history --group demo "Nora Lind"`,
		Args: cobra.ExactArgs(1),
		RunE: a.withMemory(func(ctx context.Context, client *annals.Client, args []string) error {
			id, err := a.idOfHistory(ctx, client, args[0])
			if err != nil {
				return err
			}
			versions, err := client.History(ctx, a.group, id)
			if annals.CodeOf(err) == annals.CodeNotFound {
				return a.printEntityHistory(ctx, client, id)
			}
			if err != nil {
				return err
			}
			return a.printVersions(versions)
		}),
		ValidArgsFunction: a.completeIDs(graph.KindFact, graph.KindEntity),
	}
}

// idOfHistory finds the fact or entity that is meant, also one that is gone: by
// its id, by the name of an entity, or by a part of an id.
func (a *app) idOfHistory(ctx context.Context, client *annals.Client, text string) (uuid.UUID, error) {
	if id, err := uuid.Parse(text); err == nil {
		return id, nil
	}
	entity, err := client.Entity(ctx, a.group, text)
	if annals.CodeOf(err) != annals.CodeNotFound {
		return entity.ID, err
	}
	id, found, ambiguous := a.idByPart(ctx, client, text, graph.KindFact, graph.KindEntity)
	if found || ambiguous != nil {
		return id, ambiguous
	}
	return uuid.Nil, err
}

func (a *app) printVersions(versions []annals.FactVersion) error {
	if a.json {
		return a.printJSON(map[string][]factVersionJSON{
			"versions": views(versions, func(v annals.FactVersion) factVersionJSON {
				return factVersionJSON{v.Fact.JSON(), some(v.CausedBy), some(v.EndedBy)}
			}),
		})
	}
	list := idLists(views(versions, func(v annals.FactVersion) []uuid.UUID { return v.CausedBy }))
	return a.table("BELIEVED\tWHEN\tFACT\tBECAUSE OF", views(versions, func(v annals.FactVersion) []string {
		return []string{believed(v.Recorded), v.When(time.Now()), v.Told(), list(v.CausedBy)}
	}))
}

func (a *app) printEntityHistory(ctx context.Context, client *annals.Client, id uuid.UUID) error {
	versions, err := client.EntityHistory(ctx, a.group, id)
	if annals.CodeOf(err) == annals.CodeNotFound {
		return &annals.Error{
			Code: annals.CodeNotFound, Field: "id", Message: "group " + a.group + " has neither a fact nor an entity " + id.String() +
				"; 'annals facts' and 'annals entities' list them",
		}
	}
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string][]entityVersionJSON{
			"versions": views(versions, func(v annals.EntityVersion) entityVersionJSON {
				return entityVersionJSON{v.Entity.JSON(), some(v.CausedBy), some(v.EndedBy)}
			}),
		})
	}
	list := idLists(views(versions, func(v annals.EntityVersion) []uuid.UUID { return v.CausedBy }))
	return a.table("BELIEVED\tNAME\tKIND\tSUMMARY\tBECAUSE OF", views(versions, func(v annals.EntityVersion) []string {
		return []string{believed(v.Recorded), v.Name, strings.Join(v.Labels, ", "), brief(v.Summary, 80), list(v.CausedBy)}
	}))
}

func believed(i temporal.Interval) string { return moment(i.Start) + " to " + moment(i.End) }

// idLists names the episodes behind each of several versions.
func idLists(all [][]uuid.UUID) func([]uuid.UUID) string {
	short := shorten(slices.Concat(all...))
	return func(ids []uuid.UUID) string {
		if len(ids) == 0 {
			return "by hand"
		}
		return strings.Join(views(ids, short), ", ")
	}
}

func some(ids []uuid.UUID) []uuid.UUID { return append([]uuid.UUID{}, ids...) }
