package main

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
)

func factsEditCommand(a *app) *cobra.Command {
	return taking(a.withMemory, &cobra.Command{
		Use:   "edit FACT",
		Short: "Correct what a fact says, and when it holds",
		Long: `Corrects what a fact says, and when it holds. What is not given stays, as do
its two ends: a fact between others is another one, which 'annals triple' adds.
Other facts stay as well: what ended when this one began keeps its end, unless you
edit it, too, or add the correction as a message, which moves both.
The history keeps it as it was, and --as-known-at puts back what was believed at
a time: words, relation, attributes and times, with how they are known.`,
		Example: `  annals facts edit 63f4d958 --fact "Alice lives in Paris, in the 11th." --group chat
  annals facts edit 63f4d958 --valid-at 2023-01-08 --invalid-at "" --group chat    # it still holds
  annals facts edit 63f4d958 --as-known-at 2024-03-15 --group chat`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeIDs(graph.KindFact),
	}, func(ctx context.Context, s *session, in *input.FactChange, args []string) error {
		if *in == (input.FactChange{}) {
			return graph.Invalid("fact", "is not told what is different: give --fact, --predicate, --attributes, --valid-at, --invalid-at or --as-known-at")
		}
		edit, err := input.Read(in, annals.FactEdit{})
		if err != nil {
			return err
		}
		return s.editFact(ctx, args[0], edit)
	})
}

// editFact edits the fact with an id, which may be shortened.
func (s *session) editFact(ctx context.Context, text string, edit annals.FactEdit) error {
	ids, err := s.ids(ctx, graph.KindFact, "fact", text)
	if err != nil {
		return err
	}
	fact, err := s.EditFact(ctx, s.group, ids[0], edit)
	if err != nil {
		return err
	}
	if s.json {
		return s.printJSON(map[string]graph.FactJSON{"fact": fact.JSON()})
	}
	return s.printFacts([]annals.Fact{fact}, time.Time{})
}

// until holds the flags of facts end.
type until struct {
	At string `json:"at" default:"now" doc:"Until when it held"`
}

func factsEndCommand(a *app) *cobra.Command {
	return taking(a.withMemory, &cobra.Command{
		Use:   "end FACT [--at TIME]",
		Short: "Say that a fact holds no longer",
		Long: `Says until when a fact held, now where no time is given. It stays in the graph as
a fact of the past; what was never true is to be withdrawn instead.`,
		Example: `  annals facts end 63f4d958 --group chat
  annals facts end 63f4d958 --at 2024-03-08 --group chat`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeIDs(graph.KindFact),
	}, func(ctx context.Context, s *session, in *until, args []string) error {
		at, err := parseTime("at", in.At)
		if err != nil {
			return err
		}
		return s.editFact(ctx, args[0], annals.FactEdit{InvalidAt: &at})
	})
}

func factsWithdrawCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "withdraw FACT…",
		Short: "Withdraw facts that never were true",
		Long: `Takes facts out of the graph that never were true. The history keeps them, and
what was said stays. Told again, they make no fact, until 'annals facts restore'
readmits them, or a user states that they began after they were withdrawn.
'annals undo' takes back what an episode said, 'annals facts end' ends what was
true.`,
		Example: `  annals facts withdraw 63f4d958 --group chat`,
		Args:    cobra.MinimumNArgs(1),
		RunE: a.withMemory(func(ctx context.Context, s *session, args []string) error {
			ids, err := s.ids(ctx, graph.KindFact, "fact", args...)
			if err != nil {
				return err
			}
			for i, id := range ids {
				if err := s.WithdrawFact(ctx, s.group, id); err != nil {
					return withdrawn(i, err)
				}
			}
			if s.json {
				return s.printJSON(map[string][]uuid.UUID{"withdrawn": ids})
			}
			_, err = fmt.Fprintf(s.stdout, "%d withdrawn; 'annals history' still shows what was believed.\n", len(ids))
			return err
		}),
		ValidArgsFunction: a.completeIDs(graph.KindFact),
	}
}

// withdrawn adds to an error how many facts were withdrawn before it.
func withdrawn(before int, err error) error {
	if before == 0 {
		return err
	}
	return fmt.Errorf("%w (%d before it were withdrawn)", err, before)
}
