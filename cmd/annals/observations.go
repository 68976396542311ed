package main

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
)

func observationsCommand(a *app) *cobra.Command {
	cmd := taking(a.withMemory, &cobra.Command{
		Use:   "observations",
		Short: "List observations: what several facts together show",
		Long: `Lists what several facts or messages together show of somebody or something, those
with most proof first. 'annals observations build' finds them; from then on the group
keeps them.`,
		Example: `  annals observations build --group demo
  annals observations --group demo --entity Nora
  annals observations --group demo --as-of 2024-02-01 --known-at 2024-05-03`,
	}, func(ctx context.Context, s *session, in *input.ListObservations, _ []string) error {
		filter, err := input.Read(in, annals.ObservationFilter{GroupID: s.group})
		if err == nil {
			filter.EntityID, err = s.about(ctx, in.Entity, filter.KnownAt)
		}
		if err != nil {
			return err
		}
		list, err := s.Observations(ctx, filter)
		if err != nil {
			return err
		}
		return s.printObservations(list)
	})
	cmd.AddCommand(observationsBuildCommand(a), observationsHistoryCommand(a))
	return cmd
}

func (a *app) printObservations(list []annals.Observation) error {
	short := shorten(each.Of(list, func(o annals.Observation) uuid.UUID { return o.ID }))
	return printList(&a.printer, "observations", list, graph.Observation.JSON, "ID\tOBSERVATION\tPROOF\tAGAINST\tFIRST\tLAST\tBY", func(o annals.Observation) []string {
		return []string{short(o.ID), brief(o.Text, 80), fmt.Sprint(o.Proof), fmt.Sprint(o.Against), day(o.FirstSeen), day(o.LastSeen), o.Reader}
	})
}

func observationsBuildCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "build",
		Short: "Find what the facts show, and keep it up to date from now on",
		Long: `Counts what is said at least twice of the same two entities, has the model say what
else the facts show, and brings all observations up to date. Run again it adds nothing.`,
		Example: `  annals observations build --group demo`,
		Args:    cobra.NoArgs,
		RunE: a.withMemory(func(ctx context.Context, s *session, _ []string) error {
			if err := s.Observe(ctx, s.group); err != nil {
				return err
			}
			list, err := s.Observations(ctx, annals.ObservationFilter{GroupID: s.group, Ended: true, Limit: annals.MaxRows})
			if err != nil {
				return err
			}
			if s.json {
				return s.printJSON(map[string]int{"observations": len(list)})
			}
			fmt.Fprintf(s.stdout, "Observations: %d\n", len(list))
			if s.Analyst() == offline {
				fmt.Fprintln(s.stdout, "They were counted by offline rules, not seen by a language model.")
			}
			return nil
		}),
	}
}

func observationsHistoryCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "history ID",
		Short:   "List every version of an observation",
		Example: `  annals observations history --group demo 3f8a61d2`,
		Args:    cobra.ExactArgs(1),
		RunE: a.withMemory(func(ctx context.Context, s *session, args []string) error {
			ids, err := s.ids(ctx, graph.KindObservation, "observation", args...)
			if err != nil {
				return err
			}
			versions, err := s.ObservationHistory(ctx, s.group, ids[0])
			if err != nil {
				return err
			}
			return printList(&s.printer, "versions", versions, graph.Observation.JSON, "KNOWN FROM\tUNTIL\tOBSERVATION", func(o annals.Observation) []string {
				return []string{moment(o.Recorded.Start), moment(o.Recorded.End), o.Told()}
			})
		}),
	}
}
