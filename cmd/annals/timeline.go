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
	var limit int
	cmd := &cobra.Command{
		Use:     "timeline",
		Short:   "List what changed when, in words",
		Example: `  annals timeline --group demo`,
		Args:    cobra.NoArgs,
		RunE: a.withClient(func(ctx context.Context, client *annals.Client, _ []string) error {
			changes, err := client.Timeline(ctx, a.group, limit)
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
	cmd.Flags().IntVar(&limit, "limit", annals.DefaultRows, "changes at the most")
	return cmd
}

func (a *app) printTimeline(changes []annals.Change) error {
	return a.table("", views(changes, func(c annals.Change) []string {
		return []string{day(c.At), c.Event, brief(c.Words, 100)}
	}))
}
