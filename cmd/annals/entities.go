package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

func (a *app) entitiesCommand() *cobra.Command {
	var limit int
	cmd := &cobra.Command{
		Use:     "entities",
		Short:   "List entities, the most mentioned first",
		Example: `  annals entities --group demo --limit 20`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := a.open(cmd.Context())
			if err != nil {
				return err
			}
			defer client.Close()
			entities, err := client.Entities(cmd.Context(), a.group, limit)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(map[string][]graph.EntityJSON{"entities": views(entities, annals.Entity.JSON)})
			}
			return a.table("ID\tNAME\tKIND\tSUMMARY", views(entities, func(e annals.Entity) []string {
				return []string{e.ID.String(), e.Name, strings.Join(e.Labels, ", "), brief(e.Summary, 80)}
			}))
		},
	}
	cmd.Flags().IntVar(&limit, "limit", annals.DefaultRows, "entities at the most")
	return cmd
}
