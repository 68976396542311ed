package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/temporal"
)

// timelineInput holds the flags of timeline.
type timelineInput struct {
	input.Timeline
	input.Lanes

	InLanes bool `query:"lanes" doc:"Draw what can change of entities in lanes, with a bar for all that was believed of it. With as-of those of what had begun by then; latest-first puts the last bar of a lane first"`
}

func timelineCommand(a *app) *cobra.Command {
	cmd := taking(a.withMemory, &cobra.Command{
		Use:   "timeline",
		Short: "List what changed when, in words",
		Example: `  annals timeline --group demo
  annals timeline --group demo --as-of 2024-03-01 --known-at 2024-03-05    # the changes until then, as believed then
  annals timeline --group demo --lanes --entity Nora    # what can change of her, in lanes`,
	}, func(ctx context.Context, s *session, in *timelineInput) error {
		if in.InLanes {
			return s.lanes(ctx, in)
		}
		filter, err := input.Read(&in.Timeline, annals.TimelineFilter{GroupID: s.group})
		if err != nil {
			return err
		}
		changes, err := s.Timeline(ctx, filter)
		if err != nil {
			return err
		}
		return changeList.show(s, changes)
	})
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		for _, name := range []string{"entity", "relation", "max-facts"} {
			if !cmd.Flags().Changed("lanes") && cmd.Flags().Changed(name) {
				return graph.Invalid(name, "is of lanes, which are not asked for: add --lanes")
			}
		}
		if cmd.Flags().Changed("lanes") && cmd.Flags().Changed("limit") {
			return graph.Invalid("limit", "counts changes, and lanes show none: --max-facts says how many facts they have at the most")
		}
		return nil
	}
	return cmd
}

var changeList = listing[annals.Change]{
	key: "changes", view: as(service.ChangeOf),
	cells: func(c annals.Change, _ string) []string { return []string{roughly(c), what(c), brief(c.Words, 100)} },
}

// what names a change. A fact that was only said to hold, or to be over, did not begin or end at
// that time.
func what(c annals.Change) string {
	switch said := c.Known.Basis == temporal.Said; {
	case said && c.Event == "began":
		return "known since"
	case said && c.Event == "ended":
		return "over by"
	}
	return c.Event
}

// roughly formats the time of a change as exactly as it is known.
func roughly(c annals.Change) string {
	at := c.At.UTC()
	if c.Event == "ended" && c.Known.Basis == temporal.Stated && c.Known.Precision != temporal.ToInstant {
		at = at.Add(-1) // the last day, month, year … of the period
	}
	switch c.Known.Precision {
	case temporal.ToTheDay:
		return at.Format(time.DateOnly)
	case temporal.ToTheWeek:
		return "week of " + calendar.StartOf(at, calendar.Week).Format(time.DateOnly)
	case temporal.ToTheMonth:
		return at.Format("2006-01")
	case temporal.ToTheSeason, temporal.ToTheYear, temporal.ToTheDecade:
		return c.Known.Name(at)
	}
	return day(at)
}
