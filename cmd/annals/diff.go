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
	return calling(a.withMemory, &cobra.Command{
		Use:   "diff --from TIME [--to TIME]",
		Short: "Compare what was believed at two times",
		Long: `Compares what was believed at two times: facts that were added, ended, changed,
withdrawn or expired (by their mark, or the group's retention), and entities that
came, were renamed, changed or went. The times are times of belief, not times in
the world.`,
		Example: `  annals diff --group demo --from 2024-03-01 --to 2024-04-01
  annals diff --group demo --from 2024-03-01    # until now`,
	}, func(ctx context.Context, s *session, _ *input.Diff, f annals.DiffFilter) (annals.Diff, error) {
		f.GroupID = s.group
		return s.Diff(ctx, f)
	}, (*session).printDiff)
}

func (a *app) printDiff(d annals.Diff) error {
	if a.json {
		return a.printJSON(d.JSON())
	}
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
	if shown == nil {
		shown = c.Before
	} else if b := c.Before; b != nil {
		if !b.Valid.Equal(c.After.Valid) {
			note = ": " + b.When(time.Now())
		}
		if b.Told() != c.After.Told() {
			note += ": " + brief(b.Told(), 90)
		}
		if note != "" {
			note = "; was" + note
		}
	}
	return []string{"fact", c.Change, brief(shown.Told(), 90) + note, shown.When(time.Now())}
}

func entityChangeLine(c annals.EntityChange, short func(uuid.UUID) string) []string {
	words := ""
	switch c.Change {
	case "merged":
		words = c.Before.Name + ", into " + short(c.MergedInto)
	case "removed":
		words = c.Before.Name
	case "renamed":
		words = c.Before.Name + ", now " + c.After.Name
	case "summary":
		words = c.After.Name + ": " + brief(c.After.Summary, 90)
	default:
		words = c.After.Name
	}
	return []string{"entity", c.Change, words}
}
