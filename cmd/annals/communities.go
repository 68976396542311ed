package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
)

func communitiesCommand(a *app) *cobra.Command {
	cmd := taking(a.withMemory, &cobra.Command{
		Use:   "communities",
		Short: "List communities: clusters of entities, the biggest first",
		Long: `Lists the communities that 'annals communities build' found: entities that many
current facts connect, with a summary and a name of key terms.`,
		Example: `  annals communities build --group demo
  annals communities --group demo --limit 5`,
	}, func(ctx context.Context, s *session, in *input.ListCommunities, _ []string) error {
		filter, err := input.Read(in, annals.CommunityFilter{GroupID: s.group})
		if err != nil {
			return err
		}
		communities, err := s.Communities(ctx, filter)
		if err != nil {
			return err
		}
		short := shorten(each.Of(communities, func(m annals.Membership) uuid.UUID { return m.ID }))
		return printList(&s.printer, "communities", communities, annals.Membership.JSON, "ID\tNAME\tMEMBERS\tSUMMARY", func(m annals.Membership) []string {
			return []string{short(m.ID), brief(m.Name, 60), memberNames(m.Members), brief(m.Summary, 80)}
		})
	})
	cmd.AddCommand(communitiesBuildCommand(a))
	return cmd
}

func memberNames(members []annals.Member) string {
	names := each.Of(members, func(m annals.Member) string { return m.Name })
	return fmt.Sprintf("%d: %s", len(members), brief(strings.Join(names, ", "), 60))
}

func communitiesBuildCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "build",
		Short: "Find the communities anew",
		Long: `Finds the communities of a group anew. Those that did not change keep their
name and summary and cost nothing; the others are summarised and named again.`,
		Example: `  annals communities build --group demo`,
		Args:    cobra.NoArgs,
		RunE: a.withMemory(func(ctx context.Context, s *session, _ []string) error {
			built, err := s.BuildCommunities(ctx, s.group)
			if err != nil {
				return err
			}
			if s.json {
				return s.printJSON(map[string]annals.Built{"built": built})
			}
			fmt.Fprintf(s.stdout, "Communities: %d, of %s; %d new, %d changed, %d as before, %d removed\n",
				built.Communities, each.Count(built.Entities, "entity"), built.New, built.Changed, built.Kept, built.Removed)
			if built.New+built.Changed > 0 && s.Analyst() == "offline" {
				fmt.Fprintln(s.stdout, "Summaries are extracts and names are key terms, made by offline rules, not by a language model.")
			}
			return nil
		}),
	}
}
