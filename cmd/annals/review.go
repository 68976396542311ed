package main

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/service"
)

// listedReview holds the flags of review.
type listedReview struct {
	atMost
	input.Waiting
}

func reviewCommand(a *app) *cobra.Command {
	cmd := taking(a.withMemory, &cobra.Command{
		Use:   "review",
		Short: "List the facts that wait for a decision; approve, reject, edit or leave them",
		Long: `Lists the facts that wait for a decision, with the messages: candidates, what is
disputed, what only assistants and documents say (low_trust), and what is told of
others (second_hand). What was approved does not wait. 'annals trust set' says what
a group withholds until then.`,
		Example: `  annals review --group chat
  annals review --kind candidate --source mails.jsonl --group chat
  annals review approve 63f4d958 --group chat
  annals review reject --all --kind low_trust --door mcp --group chat
  annals review edit 63f4d958 --fact "Alice lives in Paris." --group chat
  annals review added --source mails.jsonl --group chat     # what the file changed
  annals undo --source mails.jsonl --dry-run --group chat   # and what taking it back would`,
	}, func(ctx context.Context, s *session, in *listedReview) error {
		filter, err := input.Read(in, service.ReviewFilter{GroupID: s.group})
		if err != nil {
			return err
		}
		list, err := s.service().Review(ctx, filter)
		if err != nil {
			return err
		}
		if err := reviewList.show(s, list); err != nil || s.json || in.Waiting != (input.Waiting{}) {
			return err
		}
		return s.saySkillsWait(ctx)
	})
	cmd.AddCommand(
		decideCommand(a, "approve", "Approve facts: they are believed, as the word of who approves them"),
		decideCommand(a, "reject", "Reject facts: they go, and stay rejected when they are told again"),
		reviewEditCommand(a),
		decideCommand(a, "leave", "Take the approval of facts back: they wait again"),
		reviewAddedCommand(a))
	return cmd
}

// saySkillsWait says how many skills are not confirmed. They are no facts, so review does not list
// them.
func (s *session) saySkillsWait(ctx context.Context) error {
	waiting, err := s.Skills(ctx, annals.SkillFilter{GroupID: s.group, State: "candidate", Limit: graph.MaxRows})
	if err == nil && len(waiting) > 0 {
		s.say("%s not confirmed: annals skills --state candidate --group %s", each.Count(len(waiting), "skill"), s.group)
	}
	return err
}

// decided holds the flags of a decision.
type decided struct {
	All bool `json:"all" doc:"All that wait and that the other flags choose"`
	input.Waiting
}

func decideCommand(a *app, do, short string) *cobra.Command {
	return showing(a.withMemory, &cobra.Command{
		Use:               do + " [FACT…]",
		Short:             short,
		Example:           "  annals review " + do + " 63f4d958 --group chat",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: a.completeWithheld(graph.KindFact),
	}, func(ctx context.Context, s *session, in *decided) (n int, err error) {
		if in.Waiting != (input.Waiting{}) && !in.All {
			return 0, graph.Invalid("all", "is missing: the other flags choose among all that waits")
		}
		d := service.ReviewDecision{GroupID: s.group, Do: do, All: in.All}
		if d.Filter, err = input.Read(in.Waiting, service.ReviewFilter{}); err == nil {
			d.FactIDs, err = s.reviewedIDs(ctx, s.args)
		}
		if err != nil {
			return 0, err
		}
		return s.service().Decide(ctx, d)
	}, printDecided(do))
}

// reviewedIDs parses ids of facts. Whole ids may also be of facts that are rejected already.
func (s *session) reviewedIDs(ctx context.Context, args []string) ([]uuid.UUID, error) {
	if ids, err := input.IDs("facts", args); err == nil {
		return ids, nil
	}
	return s.ids(ctx, graph.KindFact, "fact", args...)
}

func reviewEditCommand(a *app) *cobra.Command {
	return calling(a.withMemory, &cobra.Command{
		Use:               "edit FACT",
		Short:             "Correct a fact and approve it",
		Example:           `  annals review edit 63f4d958 --fact "Alice lives in Paris." --group chat`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeWithheld(graph.KindFact),
	}, func(ctx context.Context, s *session, _ *input.FactChange, edit annals.FactEdit) (int, error) {
		ids, err := s.reviewedIDs(ctx, s.args)
		if err != nil {
			return 0, err
		}
		return s.service().Decide(ctx, service.ReviewDecision{GroupID: s.group, Do: "edit", Edit: edit, FactIDs: ids})
	}, printDecided("edit"))
}

// printDecided makes what prints of how many facts something was decided.
func printDecided(do string) func(*session, int) error {
	done := map[string]string{"approve": "Approved", "reject": "Rejected", "edit": "Edited and approved", "leave": "Left"}[do]
	return func(s *session, n int) error {
		return s.tell(map[string]int{"decided": n}, "%s: %s\n", done, each.Count(n, "fact"))
	}
}

// listedAdded holds the flags of review added.
type listedAdded struct {
	atMost
	input.Added
}

func reviewAddedCommand(a *app) *cobra.Command {
	return taking(a.withMemory, &cobra.Command{
		Use:   "added",
		Short: "List what a source, a thread, a door, a key, a run or a time brought",
		Long: `Lists what something brought, as the difference to the memory before it: facts
that were added, ended, changed or withdrawn by it, with the messages. Where nothing
is named, it lists the sources, runs and days that there are, the latest first.`,
		Example: `  annals review added --group chat                          # sources, runs and days
  annals review added --source mails.jsonl --group chat
  annals review added --door mcp --since 2024-03-15 --until 2024-03-16 --group chat`,
	}, func(ctx context.Context, s *session, in *listedAdded) error {
		filter, err := input.Read(in, service.ReviewFilter{GroupID: s.group})
		if err != nil {
			return err
		}
		if filter.Brought.IsZero() {
			brought, err := s.service().Bringers(ctx, s.group, in.Limit)
			if err != nil {
				return err
			}
			return bringers.show(s, brought)
		}
		list, err := s.service().Added(ctx, filter)
		if err != nil {
			return err
		}
		return reviewList.show(s, list)
	})
}

var bringers = listing[service.Bringer]{
	key: "brought", header: "BY\tNAME\tEPISODES\tLAST",
	cells: func(b service.Bringer, _ string) []string {
		return []string{b.By, brief(b.Name, 100), strconv.Itoa(b.Episodes), moment(b.LastAt)}
	},
}

var reviewList = listing[service.Reviewed]{
	key: "review", view: as(service.Reviewed.JSON), header: "ID\tKIND\tRELATION\tFACT\tSAID",
	ids: func(r service.Reviewed) []uuid.UUID { return []uuid.UUID{r.ID()} },
	cells: func(r service.Reviewed, short string) []string {
		return []string{short, r.Kind, brief(relatedWords(r), 60), brief(reviewedWords(r), 100), brief(saidWords(r), 100)}
	},
	none: "There is nothing.",
}

// reviewedWords returns the text of a fact under review, with its former text, what it would end,
// or what disputes it.
func reviewedWords(r service.Reviewed) string {
	switch {
	case r.Fact == nil:
		return r.Before.Told()
	case r.Before != nil && r.Before.Told() != r.Fact.Told():
		return r.Fact.Told() + " (was: " + r.Before.Told() + ")"
	case len(r.Ends) > 0:
		return r.Fact.Told() + " (approved, it ends: " + strings.Join(each.Of(r.Ends, func(e service.Ending) string { return e.Before.Told() }), " ") + ")"
	case len(r.Against) > 0:
		return r.Fact.Told() + " (against: " + r.Against[0].Told() + ")"
	}
	return r.Fact.Told()
}

// relatedWords returns a fact under review by its relation, which distinguishes facts with the same
// sentence.
func relatedWords(r service.Reviewed) string {
	f := cmp.Or(r.Fact, r.Before)
	return f.Source + " " + strings.ToLower(strings.ReplaceAll(f.Predicate, "_", " ")) + " " + f.Target
}

// saidWords returns the first message of a fact under review: when, by whom, through which door,
// and what.
func saidWords(r service.Reviewed) string {
	if len(r.Said) == 0 {
		return "by hand"
	}
	e := r.Said[0]
	more := ""
	if n := len(r.Said) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	return day(e.OccurredAt) + " " + e.Speaker() + " (" + e.Door + "): " + e.Content + more
}
