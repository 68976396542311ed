package main

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
)

func answersCommand(a *app) *cobra.Command {
	cmd := calling(a.withMemory, &cobra.Command{
		Use:   "answers",
		Short: "List the questions that the group keeps answered",
		Long: `Lists the questions that the group keeps answered, with their answers. 'annals ask
--keep' adds one. An answer is hidden as soon as what it was made from changes or goes,
and asked again by a worker, by 'annals add', or by 'annals answers refresh'.`,
		Example: `  annals ask --group demo --keep "What does Nora like to eat?"
  annals answers --group demo
  annals answers --group demo --as-of 2024-02-01 --known-at 2024-05-03`,
	}, func(ctx context.Context, s *session, _ *input.Times, f annals.StandingFilter) ([]annals.StandingAnswer, error) {
		f.GroupID = s.group
		return s.StandingAnswers(ctx, f)
	}, listing[annals.StandingAnswer]{
		key: "answers", header: "ID\tQUESTION\tANSWER\tASKED",
		ids: func(s annals.StandingAnswer) []uuid.UUID { return []uuid.UUID{s.ID} },
		cells: func(s annals.StandingAnswer, short string) []string {
			return []string{short, brief(s.Question, 60), brief(standingText(s), 80), ended(s.AnsweredAt, moment)}
		},
	}.show)
	cmd.AddCommand(answersShowCommand(a), answersHistoryCommand(a), answersDropCommand(a), answersRefreshCommand(a))
	return cmd
}

// standingText returns the text of a standing answer, or why it has none.
func standingText(s annals.StandingAnswer) string {
	if s.Answer == nil {
		return "(to be asked again)"
	}
	return s.Text()
}

// keepAnswer keeps a question answered. Other flags of a search are refused.
func (s *session) keepAnswer(ctx context.Context, asked annals.Question) error {
	other := ""
	s.cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.Changed && f.Name != "keep" && f.Name != "tokens" && f.Name != "schema" {
			other = f.Name
		}
	})
	if other != "" {
		return graph.Invalid(other, "does not go with --keep: a question that is kept answered is asked of one group, as things are then")
	}
	kept, err := s.KeepAnswer(ctx, asked)
	if err != nil {
		return err
	}
	return s.printStanding(kept)
}

// printStanding prints a standing answer as 'annals ask' does.
func (p *printer) printStanding(s annals.StandingAnswer) error {
	if p.json {
		return p.printJSON(s)
	}
	p.say("%s is kept answered as %s.", quoteBrief(s.Question), s.ID)
	if s.Answer == nil {
		p.say("It waits to be asked again: 'annals answers refresh' does so, and a worker.")
		return nil
	}
	return p.printAnswer(*s.Answer)
}

func quoteBrief(text string) string { return fmt.Sprintf("%q", brief(text, 80)) }

func (s *session) answerID(ctx context.Context, text string) (uuid.UUID, error) {
	ids, err := s.ids(ctx, kindAnswer, "answer", text)
	switch {
	case err != nil:
		return uuid.Nil, err
	case ids[0] == uuid.Nil: // the zero id would select all
		return uuid.Nil, graph.Invalid("answer", "%q is no id; 'annals answers' lists them", text)
	}
	return ids[0], nil
}

// standing returns the versions of an answer that a filter selects, or an error if there are none.
func (s *session) standing(ctx context.Context, id string, f annals.StandingFilter) ([]annals.StandingAnswer, error) {
	var err error
	if f.ID, err = s.answerID(ctx, id); err != nil {
		return nil, err
	}
	f.GroupID = s.group
	list, err := s.StandingAnswers(ctx, f)
	if err == nil && len(list) == 0 {
		err = &graph.Error{Code: graph.CodeNotFound, Field: "answer", Message: fmt.Sprintf("group %s keeps none with the id %s; 'annals answers' lists them", s.group, id)}
	}
	return list, err
}

func answersShowCommand(a *app) *cobra.Command {
	return calling(a.withMemory, &cobra.Command{
		Use:     "show ID",
		Short:   "Show a standing answer with what each sentence cites",
		Example: `  annals answers show --group demo 3f8a61d2 --as-of 2024-02-01`,
		Args:    cobra.ExactArgs(1),
	}, func(ctx context.Context, s *session, _ *input.Times, f annals.StandingFilter) ([]annals.StandingAnswer, error) {
		return s.standing(ctx, s.args[0], f)
	}, func(s *session, list []annals.StandingAnswer) error { return s.printStanding(list[0]) })
}

func answersHistoryCommand(a *app) *cobra.Command {
	return showing(a.withMemory, &cobra.Command{
		Use:     "history ID",
		Short:   "List every version of a standing answer",
		Example: `  annals answers history --group demo 3f8a61d2`,
		Args:    cobra.ExactArgs(1),
	}, func(ctx context.Context, s *session, _ *none) ([]annals.StandingAnswer, error) {
		return s.standing(ctx, s.args[0], annals.StandingFilter{EveryVersion: true})
	}, listing[annals.StandingAnswer]{
		key: "versions", header: "KNOWN FROM\tUNTIL\tANSWER",
		cells: func(s annals.StandingAnswer, _ string) []string {
			return []string{moment(s.KnownFrom), ended(s.KnownUntil, moment), brief(standingText(s), 100)}
		},
	}.show)
}

func answersDropCommand(a *app) *cobra.Command {
	return taking(a.withMemory, &cobra.Command{
		Use:     "drop ID",
		Short:   "Keep a question answered no longer",
		Long:    `Drops a question. Its history stays, for who asks what was known (--known-at).`,
		Example: `  annals answers drop --group demo 3f8a61d2`,
		Args:    cobra.ExactArgs(1),
	}, func(ctx context.Context, s *session, _ *none) error {
		id, err := s.answerID(ctx, s.args[0])
		if err != nil {
			return err
		}
		if err := s.DropAnswer(ctx, s.group, id); err != nil {
			return err
		}
		if s.json {
			return s.printJSON(map[string]string{"dropped": id.String()})
		}
		s.say("Dropped. What it said stays readable with --known-at.")
		return nil
	})
}

func answersRefreshCommand(a *app) *cobra.Command {
	return taking(a.withMemory, &cobra.Command{
		Use:   "refresh",
		Short: "Ask again what something bears on, as workers do",
		Long: `Reads what waits in the group, and asks those questions again on which something
bears that was added or changed since. Where nothing does, no model is called.`,
		Example: `  annals answers refresh --group demo`,
	}, func(ctx context.Context, s *session, _ *none) error {
		if err := s.Process(ctx, s.group, nil); err != nil {
			return err
		}
		list, err := s.StandingAnswers(ctx, annals.StandingFilter{GroupID: s.group})
		if err != nil {
			return err
		}
		waiting := 0
		for _, s := range list {
			if s.Answer == nil {
				waiting++
			}
		}
		return s.tell(map[string]int{"answers": len(list), "waiting": waiting}, "Standing answers: %d, of which %d wait to be asked\n", len(list), waiting)
	})
}
