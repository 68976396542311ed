package main

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
)

func diffCommand(a *app) *cobra.Command {
	return taking(a.withMemory, &cobra.Command{
		Use:   "diff --from TIME [--to TIME]",
		Short: "Compare what was believed at two times",
		Long: `Compares what was believed at two times: facts that were added, ended, changed,
withdrawn or expired (by their mark, or the group's retention), and entities that
came, were renamed, changed or went. The times are times of belief, not times in
the world.`,
		Example: `  annals diff --group demo --from 2024-03-01 --to 2024-04-01
  annals diff --group demo --from 2024-03-01    # until now`,
	}, func(ctx context.Context, s *session, in *input.Diff, _ []string) error {
		filter, err := input.Read(in, annals.DiffFilter{GroupID: s.group})
		if err != nil {
			return err
		}
		diff, err := s.Diff(ctx, filter)
		if err != nil {
			return err
		}
		if s.json {
			return s.printJSON(diff.JSON())
		}
		return s.printDiff(diff)
	})
}

func (a *app) printDiff(d annals.Diff) error {
	if len(d.Facts)+len(d.Entities) == 0 {
		a.say("Nothing is believed otherwise in the group %s.", a.group)
		return nil
	}
	if err := a.table("", each.Of(d.Facts, factChangeLine)); err != nil {
		return err
	}
	if len(d.Facts) > 0 && len(d.Entities) > 0 {
		fmt.Fprintln(a.stdout)
	}
	short := shorten(each.Of(d.Entities, func(c annals.EntityChange) uuid.UUID { return c.MergedInto }))
	return a.table("", each.Of(d.Entities, func(c annals.EntityChange) []string { return entityChangeLine(c, short) }))
}

// factChangeLine describes how a fact changed, with both wordings if they differ.
func factChangeLine(c annals.FactChange) []string {
	shown, note := c.After, ""
	switch {
	case c.After == nil:
		shown = c.Before
	case c.Before != nil && c.Before.Told() != c.After.Told() && !c.Before.Valid.Equal(c.After.Valid):
		note = "; was: " + c.Before.When(time.Now()) + ": " + brief(c.Before.Told(), 90)
	case c.Before != nil && c.Before.Told() != c.After.Told():
		note = "; was: " + brief(c.Before.Told(), 90)
	case c.Before != nil && !c.Before.Valid.Equal(c.After.Valid):
		note = "; was: " + c.Before.When(time.Now())
	}
	return []string{"fact", c.Change, brief(shown.Told(), 90) + note, shown.When(time.Now())}
}

func entityChangeLine(c annals.EntityChange, short func(uuid.UUID) string) []string {
	switch c.Change {
	case "added":
		return []string{"entity", c.Change, c.After.Name}
	case "merged":
		return []string{"entity", c.Change, c.Before.Name + ", into " + short(c.MergedInto)}
	case "removed":
		return []string{"entity", c.Change, c.Before.Name}
	case "renamed":
		return []string{"entity", c.Change, c.Before.Name + ", now " + c.After.Name}
	case "summary":
		return []string{"entity", c.Change, c.After.Name + ": " + brief(c.After.Summary, 90)}
	}
	return []string{"entity", c.Change, c.After.Name}
}
