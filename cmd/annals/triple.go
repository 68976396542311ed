package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/input"
)

func tripleCommand(a *app) *cobra.Command {
	return taking(a.withClient, &cobra.Command{
		Use:   "triple SOURCE PREDICATE TARGET",
		Short: "Add one fact that is known as such",
		Long: `Adds one fact without a text to read it from. Both its ends are recognised among
the known entities and the fact among the known facts, and what it contradicts
is closed, as with the facts of an episode.`,
		Example: `  annals triple Alice WORKS_AT "Acme Corp" --fact "Alice works at Acme Corp as a designer." --valid-at 2024-02-01`,
		Args:    cobra.ExactArgs(3),
	}, func(ctx context.Context, s *session, in *input.NewTriple) error {
		in.Source, in.Predicate, in.Target = s.args[0], s.args[1], s.args[2]
		t, err := input.Read(in, annals.Triple{GroupID: s.group})
		if err != nil {
			return err
		}
		added, err := s.AddTriple(ctx, t)
		if err != nil {
			return err
		}
		words := "Added"
		if added.Repeated {
			words = "Known already"
		}
		return s.tell(added, "%s: fact %s\n", words, added.FactID)
	})
}
