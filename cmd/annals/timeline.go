package main

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/lanes"
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

// laneWidth is the width of the bars in characters.
const laneWidth = 40

// lanes draws what can change about entities, and what was believed of it at a time.
func (s *session) lanes(ctx context.Context, in *timelineInput) error {
	at, err := input.Read(&in.Timeline, annals.TimelineFilter{})
	if err != nil {
		return err
	}
	found, err := s.service().Lanes(ctx, service.LaneQuery{GroupID: s.group, Entities: in.Entity, Relation: in.Relation, MaxFacts: in.MaxFacts})
	if err != nil {
		return err
	}
	for i := range found.Lanes {
		lane := &found.Lanes[i]
		lane.Bars = begun(lane.At(at.KnownAt), at.AsOf)
		each.Sort(lane.Bars, func(a, b lanes.Bar) int {
			if in.LatestFirst {
				a, b = b, a
			}
			return start(a).Compare(start(b))
		})
	}
	found.Lanes = slices.DeleteFunc(found.Lanes, func(l lanes.Lane) bool { return len(l.Bars) == 0 })
	if s.json {
		return s.printJSON(found)
	}
	return s.printLanes(found)
}

// begun returns the bars that had begun at a time in the world, in their state at that time; zero:
// all.
func begun(bars []lanes.Bar, asOf time.Time) []lanes.Bar {
	if asOf.IsZero() {
		return bars
	}
	bars = slices.DeleteFunc(bars, func(b lanes.Bar) bool { return b.ValidAt != nil && b.ValidAt.After(asOf) })
	for i, b := range bars {
		if b.State == lanes.Ended && b.InvalidAt.After(asOf) {
			bars[i].State = lanes.Holds
		}
	}
	return bars
}

func (p *printer) printLanes(found service.Lanes) error {
	whole := span(found.Lanes)
	var rows [][]string
	var past []bool
	entity := ""
	for _, lane := range found.Lanes {
		if lane.Entity != entity {
			rows, past = append(rows, []string{lane.Entity, ruler(whole), ""}), append(past, true)
		}
		entity = lane.Entity
		name := lane.Name
		if lane.Inverse {
			name = "← " + name
		}
		for _, bar := range lane.Bars {
			rows, past = append(rows, []string{"  " + name, drawn(bar, whole), inWords(bar)}), append(past, bar.State == lanes.Ended)
			name = ""
		}
	}
	if found.Partial {
		p.say("There are more facts: these are the newest. --entity, --relation and --max-facts choose others.")
	}
	return p.tableWith("", rows, func(row int) bool { return past[row] })
}

// inWords describes a bar.
func inWords(b lanes.Bar) string {
	words := brief(b.Label, 60)
	switch {
	case b.Kind != graph.FactEvent:
		words += " " + b.When
	case b.State == lanes.Planned:
		words += " – planned"
	}
	if b.State.Past() {
		words += " – " + string(b.State) + " on " + day(b.Since())
	}
	return words
}

// span returns the period that contains all bars, at least a day.
func span(all []lanes.Lane) (whole [2]time.Time) {
	for _, lane := range all {
		for _, bar := range lane.Bars {
			first, last := start(bar), start(bar)
			if bar.InvalidAt != nil {
				last = *bar.InvalidAt
			}
			if whole[0].IsZero() || first.Before(whole[0]) {
				whole[0] = first
			}
			if last.After(whole[1]) {
				whole[1] = last
			}
		}
	}
	if day := whole[0].AddDate(0, 0, 1); whole[1].Before(day) {
		whole[1] = day
	}
	whole[0] = whole[0].Add(-whole[1].Sub(whole[0]) / laneWidth) // space for bars whose start is not known
	return whole
}

// ruler returns the dates of both ends of the period.
func ruler(whole [2]time.Time) string {
	first, last := whole[0].Format(time.DateOnly), whole[1].Format(time.DateOnly)
	return first + strings.Repeat(" ", laneWidth-len(first)-len(last)) + last
}

func start(b lanes.Bar) time.Time { return *cmp.Or(b.ValidAt, b.InvalidAt, &b.ShownFrom) }

// drawn returns a bar in characters. It is light where it is not known whether the fact held
// already, or still.
func drawn(b lanes.Bar, whole [2]time.Time) string {
	place := func(at time.Time) int {
		all := max(whole[1].Sub(whole[0]), time.Second)
		return min(max(int(float64(laneWidth)*float64(at.Sub(whole[0]))/float64(all)), 0), laneWidth-1)
	}
	line := []rune(strings.Repeat(" ", laneWidth))
	full := map[lanes.State]rune{lanes.Planned: '□', lanes.Corrected: '╳', lanes.TakenBack: '╳', lanes.Withheld: '┄'}[b.State]
	if full == 0 {
		full = '█'
	}
	from, until := place(start(b)), laneWidth-1
	if b.InvalidAt != nil {
		until = max(place(b.InvalidAt.Add(-1)), from)
	}
	if b.Kind == graph.FactEvent {
		line[from] = '◆'
		if b.State == lanes.Planned {
			line[from] = '◇'
		}
		return string(line)
	}
	for i := from; i <= until; i++ {
		line[i] = full
	}
	if b.Begun != nil {
		for i := from; i < place(*b.Begun) && i < until; i++ {
			line[i] = '▒'
		}
	}
	if b.Lasts != nil {
		for i := max(place(*b.Lasts), from+1); i <= until; i++ {
			line[i] = '▒'
		}
	}
	if (b.ValidAt == nil || b.ValidFrom.Basis == "said") && from > 0 {
		line[from-1] = '░'
	}
	return string(line)
}
