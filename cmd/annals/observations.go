package main

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
)

func observationsCommand(a *app) *cobra.Command {
	cmd := calling(a.withMemory, &cobra.Command{
		Use:   "observations",
		Short: "List observations: what several facts together show",
		Long: `Lists what several facts or messages together show of somebody or something, those
with most proof first. 'annals observations build' finds them; from then on the group
keeps them.`,
		Example: `  annals observations build --group demo
  annals observations --group demo --entity Nora
  annals observations --group demo --as-of 2024-02-01 --known-at 2024-05-03`,
	}, func(ctx context.Context, s *session, in *input.ListObservations, f annals.ObservationFilter) (list []annals.Observation, err error) {
		f.GroupID = s.group
		if f.EntityID, err = s.about(ctx, in.Entity, f.KnownAt); err != nil {
			return nil, err
		}
		return s.Observations(ctx, f)
	}, listing[annals.Observation]{
		key: "observations", view: as(graph.Observation.JSON), header: "ID\tOBSERVATION\tPROOF\tAGAINST\tFIRST\tLAST\tBY",
		ids: func(o annals.Observation) []uuid.UUID { return []uuid.UUID{o.ID} },
		cells: func(o annals.Observation, short string) []string {
			return []string{short, brief(o.Text, 80), fmt.Sprint(o.Proof), fmt.Sprint(o.Against), day(o.FirstSeen), day(o.LastSeen), o.Reader}
		},
	}.show)
	cmd.AddCommand(observationsBuildCommand(a), observationsHistoryCommand(a))
	return cmd
}

func observationsBuildCommand(a *app) *cobra.Command {
	return taking(a.withMemory, &cobra.Command{
		Use:   "build",
		Short: "Find what the facts show, and keep it up to date from now on",
		Long: `Counts what is said at least twice of the same two entities, has the model say what
else the facts show, and brings all observations up to date. Run again it adds nothing.`,
		Example: `  annals observations build --group demo`,
	}, func(ctx context.Context, s *session, _ *none) error {
		if err := s.Observe(ctx, s.group); err != nil {
			return err
		}
		list, err := s.Observations(ctx, annals.ObservationFilter{GroupID: s.group, Ended: true, Limit: annals.MaxRows})
		if err != nil {
			return err
		}
		said := ""
		if s.Analyst() == offline {
			said = "They were counted by offline rules, not seen by a language model.\n"
		}
		return s.tell(map[string]int{"observations": len(list)}, "Observations: %d\n%s", len(list), said)
	})
}

func observationsHistoryCommand(a *app) *cobra.Command {
	return showing(a.withMemory, &cobra.Command{
		Use:     "history ID",
		Short:   "List every version of an observation",
		Example: `  annals observations history --group demo 3f8a61d2`,
		Args:    cobra.ExactArgs(1),
	}, func(ctx context.Context, s *session, _ *none) ([]annals.Observation, error) {
		ids, err := s.ids(ctx, graph.KindObservation, "observation", s.args...)
		if err != nil {
			return nil, err
		}
		return s.ObservationHistory(ctx, s.group, ids[0])
	}, listing[annals.Observation]{
		key: "versions", view: as(graph.Observation.JSON), header: "KNOWN FROM\tUNTIL\tOBSERVATION",
		cells: func(o annals.Observation, _ string) []string {
			return []string{moment(o.Recorded.Start), moment(o.Recorded.End), o.Told()}
		},
	}.show)
}
