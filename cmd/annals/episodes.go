package main

import (
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

func (a *app) episodesCommand() *cobra.Command {
	var state, thread string
	var limit int
	cmd := &cobra.Command{
		Use:     "episodes",
		Short:   "List what was taken in, the latest first",
		Example: `  annals episodes --group demo --state failed`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch graph.State(state) {
			case "", graph.StatePending, graph.StateProcessing, graph.StateDone, graph.StateFailed:
			default:
				return graph.Invalid("state", "%q is not one of pending, processing, done, failed", state)
			}
			client, err := a.open(cmd.Context())
			if err != nil {
				return err
			}
			defer client.Close()
			episodes, err := client.Episodes(cmd.Context(), annals.EpisodeFilter{
				GroupID: a.group, State: graph.State(state), ThreadID: thread, Limit: limit,
			})
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(map[string][]graph.EpisodeJSON{"episodes": views(episodes, annals.Episode.JSON)})
			}
			return a.table("ID\tSAID\tSTATE\tBY\tCONTENT", views(episodes, func(e annals.Episode) []string {
				return []string{e.ID.String(), day(e.OccurredAt), string(e.State), e.Speaker(), brief(e.Content, 80)}
			}))
		},
	}
	cmd.Flags().StringVar(&state, "state", "", "only those that are pending, processing, done or failed")
	cmd.Flags().StringVar(&thread, "thread-id", "", "only those of this conversation")
	cmd.Flags().IntVar(&limit, "limit", annals.DefaultRows, "episodes at the most")
	return cmd
}
