package main

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
)

func factsCommand(a *app) *cobra.Command {
	cmd := taking(a.withMemory, &cobra.Command{
		Use:   "facts",
		Short: "List facts, in the order in which they began to hold; edit, end, withdraw, confirm, restore them",
		Example: `  annals facts --group demo
  annals facts --group demo --as-of 2024-03-01                          # what held or was planned on that day
  annals facts --group demo --as-of 2024-03-01 --known-at 2024-03-05    # as we believed it then
  annals facts --group demo --entity Nora --told-by Sam                 # what Sam believes about Nora`,
	}, func(ctx context.Context, s *session, in *input.ListFacts, _ []string) error {
		filter, err := input.Read(in, annals.FactFilter{GroupID: s.group})
		if err == nil {
			filter.EntityID, err = s.about(ctx, in.Entity, filter.KnownAt)
		}
		if err != nil {
			return err
		}
		facts, err := s.Facts(ctx, filter)
		if err != nil {
			return err
		}
		if s.json {
			return s.printJSON(map[string][]graph.FactJSON{"facts": each.Of(facts, func(f annals.Fact) graph.FactJSON { return f.JSONAt(filter.ValidAt) })})
		}
		return s.printFacts(facts, filter.ValidAt)
	})
	cmd.AddCommand(factsEditCommand(a), factsEndCommand(a), factsWithdrawCommand(a), factsConfirmCommand(a), factsRejectedCommand(a), factsRestoreCommand(a))
	return cmd
}

// printFacts prints facts, with their times as of reading; zero: now. Facts that have ended are
// dimmed.
func (p *printer) printFacts(facts []annals.Fact, reading time.Time) error {
	short := shorten(each.Of(facts, func(f annals.Fact) uuid.UUID { return f.ID }))
	reading = cmp.Or(reading, time.Now())
	return p.tableWith("ID\tWHEN\tPREDICATE\tFACT", each.Of(facts, func(f annals.Fact) []string {
		return []string{short(f.ID), f.When(reading), f.Predicate, brief(f.Told(), 90)}
	}), func(i int) bool { return facts[i].Ended(reading) })
}
