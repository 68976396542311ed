package main

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

func factsCommand(a *app) *cobra.Command {
	var at asOf
	var entity string
	var limit int
	var trust string
	var toldBy []string
	cmd := &cobra.Command{
		Use:   "facts",
		Short: "List facts, in the order in which they began to hold; edit, end, withdraw, confirm, restore them",
		Example: `  annals facts --group demo
  annals facts --group demo --as-of 2024-03-01                          # what held or was planned on that day
  annals facts --group demo --as-of 2024-03-01 --known-at 2024-03-05    # as we believed it then
  annals facts --group demo --entity Nora --told-by Sam                 # what Sam believes about Nora`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			filter := annals.FactFilter{GroupID: a.group, Trust: graph.Trust(trust), ToldBy: toldBy, Limit: limit}
			var err error
			if filter.ValidAt, filter.KnownAt, err = at.parse(); err != nil {
				return err
			}
			return a.withMemory(func(ctx context.Context, s *session, _ []string) error {
				return s.listFacts(ctx, filter, entity)
			})(cmd, args)
		},
	}
	at.flags(cmd, "only facts that held or were planned at this time")
	cmd.Flags().StringVar(&entity, "entity", "", "only facts about this entity, by id or name")
	cmd.Flags().StringVar(&trust, "trust", "", "believed, candidate, disputed or all; left out: believed, with those that are disputed")
	cmd.Flags().StringSliceVar(&toldBy, "told-by", nil, "only what one of these speakers told: what they believe")
	cmd.Flags().IntVar(&limit, "limit", annals.DefaultRows, "facts at the most")
	cmd.AddCommand(factsEditCommand(a), factsEndCommand(a), factsWithdrawCommand(a), factsConfirmCommand(a), factsRejectedCommand(a), factsRestoreCommand(a))
	return cmd
}

// listFacts prints facts, of one entity where it is named.
func (s *session) listFacts(ctx context.Context, filter annals.FactFilter, entity string) error {
	if entity != "" {
		about, err := s.entity(ctx, entity, filter.KnownAt)
		if err != nil {
			return err
		}
		filter.EntityID = about.ID
	}
	facts, err := s.Facts(ctx, filter)
	if err != nil {
		return err
	}
	if s.json {
		return s.printJSON(map[string][]graph.FactJSON{"facts": views(facts, func(f annals.Fact) graph.FactJSON { return f.JSONAt(filter.ValidAt) })})
	}
	return s.printFacts(facts, filter.ValidAt)
}

// printFacts lists facts for who reads them as of a time, zero: now; those that have ended
// are set off.
func (p *printer) printFacts(facts []annals.Fact, reading time.Time) error {
	short := shorten(views(facts, func(f annals.Fact) uuid.UUID { return f.ID }))
	return p.tableWith("ID\tWHEN\tPREDICATE\tFACT", views(facts, func(f annals.Fact) []string {
		return []string{short(f.ID), f.When(cmp.Or(reading, time.Now())), f.Predicate, brief(f.Told(), 90)}
	}), func(i int) bool { return facts[i].Ended(time.Now()) })
}
