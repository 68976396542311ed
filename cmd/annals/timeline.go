package main

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
)

// changeJSON is a line of the timeline as it is printed.
type changeJSON struct {
	At         time.Time `json:"at"`
	Event      string    `json:"event"`
	FactID     uuid.UUID `json:"fact_id"`
	Words      string    `json:"words"`
	RecordedAt time.Time `json:"recorded_at"`
}

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
				return a.printJSON(map[string][]changeJSON{
					"changes": views(changes, func(c annals.Change) changeJSON { return changeJSON(c) }),
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
