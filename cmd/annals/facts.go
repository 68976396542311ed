package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/service"
)

func factsCommand(a *app) *cobra.Command {
	cmd := taking(a.withMemory, &cobra.Command{
		Use:   "facts",
		Short: "List facts, in the order in which they began to hold; edit, end, withdraw, confirm, restore them",
		Example: `  annals facts --group demo
  annals facts --group demo --as-of 2024-03-01                          # what held or was planned on that day
  annals facts --group demo --as-of 2024-03-01 --known-at 2024-03-05    # as we believed it then
  annals facts --group demo --entity Nora --told-by Sam                 # what Sam believes about Nora`,
	}, func(ctx context.Context, s *session, in *input.ListFacts) error {
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
		return factList(filter.ValidAt).show(s, facts)
	})
	cmd.AddCommand(factsEditCommand(a), factsEndCommand(a), factsWithdrawCommand(a), factsConfirmCommand(a), factsRejectedCommand(a), factsRestoreCommand(a))
	return cmd
}

// factList lists facts, with their times as of reading; zero: now. Facts that have ended are dimmed.
func factList(reading time.Time) listing[annals.Fact] {
	at := cmp.Or(reading, time.Now())
	return listing[annals.Fact]{
		key: "facts", view: func(f annals.Fact) any { return f.JSONAt(reading) }, header: "ID\tWHEN\tPREDICATE\tFACT",
		ids: func(f annals.Fact) []uuid.UUID { return []uuid.UUID{f.ID} },
		cells: func(f annals.Fact, short string) []string {
			return []string{short, f.When(at), f.Predicate, brief(f.Told(), 90)}
		},
		past: func(f annals.Fact) bool { return f.Ended(at) },
	}
}

// printFact prints a fact, as JSON under a key.
func (p *printer) printFact(key string, fact annals.Fact, err error) error {
	if err != nil {
		return err
	}
	if p.json {
		return p.printJSON(map[string]graph.FactJSON{key: fact.JSON()})
	}
	return factList(time.Time{}).print(p, []annals.Fact{fact})
}

func factsEditCommand(a *app) *cobra.Command {
	return calling(a.withMemory, &cobra.Command{
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
	}, func(ctx context.Context, s *session, in *input.FactChange, edit annals.FactEdit) (annals.Fact, error) {
		if *in == (input.FactChange{}) {
			return annals.Fact{}, graph.Invalid("fact", "is not told what is different: give --fact, --predicate, --attributes, --valid-at, --invalid-at or --as-known-at")
		}
		return s.editFact(ctx, edit)
	}, printEdited)
}

func printEdited(s *session, fact annals.Fact) error { return s.printFact("fact", fact, nil) }

// editFact edits the fact that the argument names.
func (s *session) editFact(ctx context.Context, edit annals.FactEdit) (annals.Fact, error) {
	ids, err := s.ids(ctx, graph.KindFact, "fact", s.args...)
	if err != nil {
		return annals.Fact{}, err
	}
	return s.EditFact(ctx, s.group, ids[0], edit)
}

// until holds the flags of facts end.
type until struct {
	At string `json:"at" to:"InvalidAt" default:"now" doc:"Until when it held"`
}

func factsEndCommand(a *app) *cobra.Command {
	return calling(a.withMemory, &cobra.Command{
		Use:   "end FACT [--at TIME]",
		Short: "Say that a fact holds no longer",
		Long: `Says until when a fact held, now where no time is given. It stays in the graph as
a fact of the past; what was never true is to be withdrawn instead.`,
		Example: `  annals facts end 63f4d958 --group chat
  annals facts end 63f4d958 --at 2024-03-08 --group chat`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeIDs(graph.KindFact),
	}, func(ctx context.Context, s *session, _ *until, edit annals.FactEdit) (annals.Fact, error) {
		return s.editFact(ctx, edit)
	}, printEdited)
}

func factsWithdrawCommand(a *app) *cobra.Command {
	return taking(a.withMemory, &cobra.Command{
		Use:   "withdraw FACT…",
		Short: "Withdraw facts that never were true",
		Long: `Takes facts out of the graph that never were true. The history keeps them, and
what was said stays. Told again, they make no fact, until 'annals facts restore'
readmits them, or a user states that they began after they were withdrawn.
'annals undo' takes back what an episode said, 'annals facts end' ends what was
true.`,
		Example:           `  annals facts withdraw 63f4d958 --group chat`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: a.completeIDs(graph.KindFact),
	}, func(ctx context.Context, s *session, _ *none) error {
		ids, err := s.ids(ctx, graph.KindFact, "fact", s.args...)
		if err != nil {
			return err
		}
		for i, id := range ids {
			if err := s.WithdrawFact(ctx, s.group, id); err != nil {
				return withdrawn(i, err)
			}
		}
		return s.tell(map[string][]uuid.UUID{"withdrawn": ids}, "%d withdrawn; 'annals history' still shows what was believed.\n", len(ids))
	})
}

// withdrawn adds to an error how many facts were withdrawn before it.
func withdrawn(before int, err error) error {
	if before == 0 {
		return err
	}
	return fmt.Errorf("%w (%d before it were withdrawn)", err, before)
}

// confirmation holds the flags of facts confirm.
type confirmation struct {
	Undo bool `json:"undo" doc:"Take the confirmation back"`
}

func factsConfirmCommand(a *app) *cobra.Command {
	return showing(a.withMemory, &cobra.Command{
		Use:   "confirm FACT…",
		Short: "Confirm facts by hand: they are believed, as the word of who confirms them",
		Example: `  annals facts --trust candidate --group chat
  annals facts confirm 63f4d958 --group chat
  annals facts confirm 63f4d958 --undo --group chat`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: a.completeWithheld(graph.KindFact),
	}, func(ctx context.Context, s *session, in *confirmation) ([]annals.Fact, error) {
		ids, err := s.ids(ctx, graph.KindFact, "fact", s.args...)
		if err != nil {
			return nil, err
		}
		return s.service().Confirm(ctx, s.group, ids, !in.Undo)
	}, factList(time.Time{}).show)
}

func factsRejectedCommand(a *app) *cobra.Command {
	return showing(a.withMemory, &cobra.Command{
		Use:     "rejected",
		Short:   "List facts that were withdrawn or taken back, and by whom",
		Example: `  annals facts rejected --group chat`,
	}, func(ctx context.Context, s *session, in *input.ListRejections) ([]service.Rejection, error) {
		return s.service().Rejections(ctx, service.RejectionFilter{GroupID: s.group, Lifted: in.All, Limit: in.Limit})
	}, listing[service.Rejection]{
		key: "rejected", header: "FACT\tREJECTED\tBY\tSENTENCE",
		ids: func(r service.Rejection) []uuid.UUID { return []uuid.UUID{r.FactID} },
		cells: func(r service.Rejection, short string) []string {
			return []string{short, r.RejectedAt.Format(time.DateOnly), rejectedBy(r), brief(r.Told, 90)}
		},
		past: func(r service.Rejection) bool { return !r.LiftedAt.IsZero() },
	}.show)
}

// rejectedBy returns who rejected a fact: an episode, or a key or role with its door.
func rejectedBy(r service.Rejection) string {
	if r.EpisodeID != uuid.Nil {
		return "episode " + tail(r.EpisodeID, shownPart)
	}
	return cmp.Or(strings.TrimSpace(r.Door+" "+r.WrittenBy), string(r.Authority))
}

func factsRestoreCommand(a *app) *cobra.Command {
	return taking(a.withMemory, &cobra.Command{
		Use:   "restore FACT",
		Short: "Readmit a fact that was withdrawn or taken back",
		Long: `Readmits a fact that was withdrawn or taken back, on record, and brings it back
as it was then. It is named by its id or by that of its rejection; 'annals facts
rejected' lists them.`,
		Example: `  annals facts restore 63f4d958 --group chat`,
		Args:    cobra.ExactArgs(1),
	}, func(ctx context.Context, s *session, _ *none) error {
		id, err := s.rejectedID(ctx, s.args[0])
		if err != nil {
			return err
		}
		fact, err := s.RestoreFact(ctx, s.group, id)
		if err == nil && fact.ID == uuid.Nil {
			return s.tell(map[string]*graph.FactJSON{"restored": nil}, "It may be told again; nothing of it is left to bring back.\n")
		}
		return s.printFact("restored", fact, err)
	})
}

// rejectedID finds a rejected fact by its id or the id of its rejection, either of which may be
// shortened to its beginning or end.
func (s *session) rejectedID(ctx context.Context, text string) (uuid.UUID, error) {
	if id, err := uuid.Parse(text); err == nil {
		return id, nil
	}
	part, ok := partOf(text)
	var found []uuid.UUID
	filter := service.RejectionFilter{GroupID: s.group, Limit: graph.MaxRows}
	for more := ok; more; {
		page, err := s.service().Rejections(ctx, filter)
		if err != nil {
			return uuid.Nil, err
		}
		for _, r := range page {
			for _, id := range []uuid.UUID{r.FactID, r.ID} {
				digits := strings.ReplaceAll(id.String(), "-", "")
				if (strings.HasPrefix(digits, part) || strings.HasSuffix(digits, part)) && !slices.Contains(found, id) {
					found = append(found, id)
				}
			}
		}
		if more = len(page) == graph.MaxRows; more {
			filter.After = &page[len(page)-1]
		}
	}
	switch len(found) {
	case 0:
		return uuid.Nil, graph.Invalid("fact", "%q is no id of a rejected fact; 'annals facts rejected' lists them", text)
	case 1:
		return found[0], nil
	}
	return uuid.Nil, graph.Invalid("fact", "%q stands for %s; write more of the one that is meant, or its last digits", text, each.Count(len(found), "rejected fact"))
}
