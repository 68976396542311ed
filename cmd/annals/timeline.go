package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/service"
)

func (a *app) timelineCommand() *cobra.Command {
	var at asOf
	filter := annals.TimelineFilter{}
	cmd := &cobra.Command{
		Use:   "timeline",
		Short: "List what changed when, in words",
		Example: `  annals timeline --group demo
  annals timeline --group demo --as-of 2024-03-01 --known-at 2024-03-05    # the changes until then, as believed then`,
		Args: cobra.NoArgs,
		RunE: a.withMemory(func(ctx context.Context, client *annals.Client, _ []string) error {
			var err error
			if filter.AsOf, filter.KnownAt, err = at.parse(); err != nil {
				return err
			}
			filter.GroupID = a.group
			changes, err := client.Timeline(ctx, filter)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(map[string][]service.ChangeJSON{
					"changes": views(changes, func(c annals.Change) service.ChangeJSON { return service.ChangeJSON(c) }),
				})
			}
			return a.printTimeline(changes)
		}),
	}
	at.flags(cmd, "only changes in the world until this time")
	cmd.Flags().IntVar(&filter.Limit, "limit", annals.DefaultRows, "changes at the most")
	return cmd
}

func (a *app) printTimeline(changes []annals.Change) error {
	return a.table("", views(changes, func(c annals.Change) []string {
		return []string{day(c.At), c.Event, brief(c.Words, 100)}
	}))
}
