package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
)

func entitiesCommand(a *app) *cobra.Command {
	cmd := calling(a.withMemory, &cobra.Command{
		Use:   "entities",
		Short: "List entities, the most mentioned first; merge, split, rename them",
		Example: `  annals entities --group demo --limit 20
  annals entities --group demo --known-at 2024-03-05    # by the names and summaries they had`,
	}, func(ctx context.Context, s *session, _ *input.ListEntities, f annals.EntityFilter) ([]annals.Entity, error) {
		f.GroupID = s.group
		return s.Entities(ctx, f)
	}, listing[annals.Entity]{
		key: "entities", view: as(annals.Entity.JSON), header: "ID\tNAME\tKIND\tSUMMARY",
		ids: func(e annals.Entity) []uuid.UUID { return []uuid.UUID{e.ID} },
		cells: func(e annals.Entity, short string) []string {
			return []string{short, e.Name, strings.Join(e.Labels, ", "), brief(e.Summary, 80)}
		},
	}.show)
	cmd.AddCommand(entitiesMergeCommand(a), entitiesSplitCommand(a), entitiesRenameCommand(a))
	return cmd
}

func entitiesMergeCommand(a *app) *cobra.Command {
	return taking(a.withMemory, &cobra.Command{
		Use:   "merge FROM INTO",
		Short: "Make two entities one",
		Long: `Makes two entities one: INTO takes over the names, types, attributes, facts and
mentions of FROM, whose id goes on standing for it. Each is an id, or a name
that only one entity goes by. The history keeps all as it was.`,
		Example:           `  annals entities merge "Bob S." "Robert Smith" --group chat`,
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: a.completeIDs(graph.KindEntity),
	}, func(ctx context.Context, s *session, _ *none) error {
		from, err := s.entity(ctx, s.args[0], time.Time{})
		if err != nil {
			return err
		}
		into, err := s.entity(ctx, s.args[1], time.Time{})
		if err != nil {
			return err
		}
		merged, err := s.MergeEntities(ctx, s.group, from.ID, into.ID)
		return s.printEntity(merged, err, "%s is now part of %s.", from.Name, merged.Name)
	})
}

func entitiesSplitCommand(a *app) *cobra.Command {
	return taking(a.withMemory, &cobra.Command{
		Use:   "split ENTITY --name NAME --facts ID,…",
		Short: "Make a new entity of some facts of one that was two",
		Long: `Makes a new entity that takes the listed facts of ENTITY, which is an id or a
name that only one entity goes by. 'annals facts --entity ENTITY' lists its
facts. The history keeps all as it was.`,
		Example:           `  annals entities split "Alex" --name "Alex Chen" --facts 198358e2 --group chat`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeIDs(graph.KindEntity),
	}, func(ctx context.Context, s *session, in *input.SplitOff) error {
		ids, err := s.ids(ctx, graph.KindFact, "facts", in.Facts...)
		if err != nil {
			return err
		}
		whole, err := s.entity(ctx, s.args[0], time.Time{})
		if err != nil {
			return err
		}
		part, err := s.SplitEntity(ctx, s.group, whole.ID, in.Name, ids)
		return s.printEntity(part, err, "%s was split off %s. Facts moved: %d.", part.Name, whole.Name, len(ids))
	})
}

func entitiesRenameCommand(a *app) *cobra.Command {
	return taking(a.withMemory, &cobra.Command{
		Use:               "rename ENTITY NAME",
		Short:             "Give an entity another name; the old one stays as an alias",
		Example:           `  annals entities rename "Bob" "Robert Smith" --group chat`,
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: a.completeIDs(graph.KindEntity),
	}, func(ctx context.Context, s *session, _ *none) error {
		old, err := s.entity(ctx, s.args[0], time.Time{})
		if err != nil {
			return err
		}
		renamed, err := s.RenameEntity(ctx, s.group, old.ID, s.args[1])
		return s.printEntity(renamed, err, "%s is now called %s.", old.Name, renamed.Name)
	})
}

// printEntity prints an entity, and in words what became of it.
func (p *printer) printEntity(e annals.Entity, err error, format string, words ...any) error {
	if err != nil {
		return err
	}
	return p.tell(map[string]graph.EntityJSON{"entity": e.JSON()}, "%s\n%s\n", fmt.Sprintf(format, words...), e.ID)
}
