package main

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

func factsEditCommand(a *app) *cobra.Command {
	var fact, predicate, attributes, validAt, invalidAt, asKnownAt string
	cmd := &cobra.Command{
		Use:   "edit FACT",
		Short: "Correct what a fact says, and when it holds",
		Long: `Corrects what a fact says, and when it holds. What is not given stays, as do
its two ends: a fact between others is another one, which 'annals triple' adds.
The history keeps it as it was, and --as-known-at puts back what was believed at
a time: words, relation, attributes and times, with how they are known.`,
		Example: `  annals facts edit 63f4d958 --fact "Alice lives in Paris, in the 11th." --group chat
  annals facts edit 63f4d958 --valid-at 2023-01-08 --invalid-at "" --group chat    # it still holds
  annals facts edit 63f4d958 --as-known-at yesterday --group chat`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			given := cmd.Flags().Changed
			edit := annals.FactEdit{Attributes: []byte(attributes)}
			if given("fact") {
				edit.Fact = &fact
			}
			if given("predicate") {
				edit.Predicate = &predicate
			}
			var err error
			if edit.ValidAt, err = timeGiven(given, "valid-at", validAt); err != nil {
				return err
			}
			if edit.InvalidAt, err = timeGiven(given, "invalid-at", invalidAt); err != nil {
				return err
			}
			if edit.AsKnownAt, err = parseTime("as-known-at", asKnownAt); err != nil {
				return err
			}
			if edit.Fact == nil && edit.Predicate == nil && edit.ValidAt == nil && edit.InvalidAt == nil && attributes == "" && asKnownAt == "" {
				return graph.Invalid("fact", "is not told what is different: give --fact, --predicate, --attributes, --valid-at, --invalid-at or --as-known-at")
			}
			return a.editFact(args[0], edit)(cmd, args)
		},
		ValidArgsFunction: a.completeIDs(graph.KindFact),
	}
	flags := cmd.Flags()
	flags.StringVar(&fact, "fact", "", "the fact as a sentence")
	flags.StringVar(&predicate, "predicate", "", "such as WORKS_AT")
	flags.StringVar(&attributes, "attributes", "", "a JSON object, in the place of what it has")
	flags.StringVar(&validAt, "valid-at", "", `since when it holds; "": it is not known`)
	flags.StringVar(&invalidAt, "invalid-at", "", `until when it held; "": it still holds`)
	flags.StringVar(&asKnownAt, "as-known-at", "", "put back what was believed at this time")
	return cmd
}

// timeGiven reads the time of a flag, nil where the flag is not given. An empty
// text is the zero time.
func timeGiven(given func(string) bool, flag, text string) (*time.Time, error) {
	if !given(flag) {
		return nil, nil
	}
	at, err := parseTime(flag, text)
	return &at, err
}

// editFact edits the fact that text names.
func (a *app) editFact(text string, edit annals.FactEdit) func(*cobra.Command, []string) error {
	return a.withMemory(func(ctx context.Context, s *session, _ []string) error {
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
	})
}

func factsEndCommand(a *app) *cobra.Command {
	var at string
	cmd := &cobra.Command{
		Use:   "end FACT [--at TIME]",
		Short: "Say that a fact holds no longer",
		Long: `Says until when a fact held, now where no time is given. It stays in the graph as
a fact of the past; what was never true is to be withdrawn instead.`,
		Example: `  annals facts end 63f4d958 --group chat
  annals facts end 63f4d958 --at 2024-03-08 --group chat`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			until, err := parseTime("at", at)
			if err != nil {
				return err
			}
			return a.editFact(args[0], annals.FactEdit{InvalidAt: &until})(cmd, args)
		},
		ValidArgsFunction: a.completeIDs(graph.KindFact),
	}
	cmd.Flags().StringVar(&at, "at", "now", "until when it held")
	return cmd
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
