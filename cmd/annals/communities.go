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
	cmd := calling(a.withMemory, &cobra.Command{
		Use:   "communities",
		Short: "List communities: clusters of entities, the biggest first",
		Long: `Lists the communities that 'annals communities build' found: entities that many
current facts connect, with a summary and a name of key terms.`,
		Example: `  annals communities build --group demo
  annals communities --group demo --limit 5`,
	}, func(ctx context.Context, s *session, _ *input.ListCommunities, f annals.CommunityFilter) ([]annals.Membership, error) {
		f.GroupID = s.group
		return s.Communities(ctx, f)
	}, listing[annals.Membership]{
		key: "communities", view: as(annals.Membership.JSON), header: "ID\tNAME\tMEMBERS\tSUMMARY",
		ids: func(m annals.Membership) []uuid.UUID { return []uuid.UUID{m.ID} },
		cells: func(m annals.Membership, short string) []string {
			return []string{short, brief(m.Name, 60), memberNames(m.Members), brief(m.Summary, 80)}
		},
	}.show)
	cmd.AddCommand(communitiesBuildCommand(a))
	return cmd
}

func memberNames(members []annals.Member) string {
	names := each.Of(members, func(m annals.Member) string { return m.Name })
	return fmt.Sprintf("%d: %s", len(members), brief(strings.Join(names, ", "), 60))
}

func communitiesBuildCommand(a *app) *cobra.Command {
	return showing(a.withMemory, &cobra.Command{
		Use:   "build",
		Short: "Find the communities anew",
		Long: `Finds the communities of a group anew. Those that did not change keep their
name and summary and cost nothing; the others are summarised and named again.`,
		Example: `  annals communities build --group demo`,
	}, func(ctx context.Context, s *session, _ *none) (annals.Built, error) {
		return s.BuildCommunities(ctx, s.group)
	}, func(s *session, built annals.Built) error {
		said := ""
		if built.New+built.Changed > 0 && s.Analyst() == offline {
			said = "Summaries are extracts and names are key terms, made by offline rules, not by a language model.\n"
		}
		return s.tell(map[string]annals.Built{"built": built}, "Communities: %d, of %s; %d new, %d changed, %d as before, %d removed\n%s",
			built.Communities, each.Count(built.Entities, "entity"), built.New, built.Changed, built.Kept, built.Removed, said)
	})
}
