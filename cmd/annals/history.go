package main

import (
	"context"
	"strings"

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
		Example: `  annals history --group demo 0199d1c0-0000-7000-8000-000000000000
  annals history --group demo "Nora Lind"`,
		Args: cobra.ExactArgs(1),
		RunE: a.withClient(func(ctx context.Context, client *annals.Client, args []string) error {
			id, err := uuid.Parse(args[0])
			if err != nil {
				entity, err := client.Entity(ctx, a.group, args[0])
				if err != nil {
					return err
				}
				return a.printEntityHistory(ctx, client, entity.ID)
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
	}
}

func (a *app) printVersions(versions []annals.FactVersion) error {
	if a.json {
		return a.printJSON(map[string][]factVersionJSON{
			"versions": views(versions, func(v annals.FactVersion) factVersionJSON {
				return factVersionJSON{v.Fact.JSON(), some(v.CausedBy), some(v.EndedBy)}
			}),
		})
	}
	return a.table("BELIEVED\tHELD\tFACT\tBECAUSE OF", views(versions, func(v annals.FactVersion) []string {
		return []string{believed(v.Recorded), span(v.Valid), v.Fact.Fact, idList(v.CausedBy)}
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
	return a.table("BELIEVED\tNAME\tKIND\tSUMMARY\tBECAUSE OF", views(versions, func(v annals.EntityVersion) []string {
		return []string{believed(v.Recorded), v.Name, strings.Join(v.Labels, ", "), brief(v.Summary, 80), idList(v.CausedBy)}
	}))
}

func believed(i temporal.Interval) string { return moment(i.Start) + " to " + moment(i.End) }

// idList names the episodes behind a version.
func idList(ids []uuid.UUID) string {
	if len(ids) == 0 {
		return "by hand"
	}
	return strings.Join(views(ids, uuid.UUID.String), ", ")
}

func some(ids []uuid.UUID) []uuid.UUID { return append([]uuid.UUID{}, ids...) }
