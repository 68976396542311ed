package main

import (
	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

func (a *app) historyCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "history FACT_ID",
		Short:   "Show every state a fact was in, the oldest first",
		Example: `  annals history --group demo 0199d1c0-0000-7000-8000-000000000000`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := uuid.Parse(args[0])
			if err != nil {
				return graph.Invalid("fact", "%q is no fact id; 'annals facts' lists them", args[0])
			}
			client, err := a.open(cmd.Context())
			if err != nil {
				return err
			}
			defer client.Close()
			versions, err := client.History(cmd.Context(), a.group, id)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(map[string][]graph.FactJSON{
					"versions": views(versions, func(v annals.FactVersion) graph.FactJSON { return v.Fact.JSON() }),
				})
			}
			return a.printVersions(versions)
		},
	}
}

func (a *app) printVersions(versions []annals.FactVersion) error {
	return a.table("BELIEVED\tHELD\tFACT", views(versions, func(v annals.FactVersion) []string {
		return []string{moment(v.Recorded.Start) + " to " + moment(v.Recorded.End), span(v.Valid), v.Fact.Fact}
	}))
}
