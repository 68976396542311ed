package main

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/service"
)

func markCommand(a *app) *cobra.Command {
	cmd := taking(a.withMemory, &cobra.Command{
		Use:   "mark MARK ID…",
		Short: "Let facts and episodes expire, pin them, or say how they or skills were found",
		Long: `Notes something about facts, episodes, entities and skills, on record:

  expires   facts and episodes are hidden from --at on, with what only they
            support, and taken out soon after; keeps ends that
  pinned    facts, episodes and entities come first in contexts, up to a quarter
            of the budget, and stay however long the group keeps episodes;
            unpinned ends that
  useful, wrong, outdated
            moves the scores of facts, episodes and skills by a fifth at the most. Each
            who judges has one word on each; unjudged takes it back

What was found wrong stays believed until 'annals facts withdraw' takes it out.`,
		Example: `  annals mark pinned 63f4d958 --group chat
  annals mark expires 63f4d958 --at 2030-01-01 --group chat
  annals mark wrong 63f4d958 --group chat`,
		Args: cobra.MinimumNArgs(2),
	}, func(ctx context.Context, s *session, in *input.MarkChange) error {
		in.Mark = graph.Mark(s.args[0])
		change, err := input.Read(in, service.MarkChange{})
		if err != nil {
			return err
		}
		for _, text := range s.args[1:] {
			id, err := s.markable(ctx, text)
			if err != nil {
				return err
			}
			change.IDs = append(change.IDs, id)
		}
		marked, err := s.service().Mark(ctx, s.group, change)
		if err != nil {
			return err
		}
		return s.printMarked(change.Mark, marked)
	})
	for _, f := range input.Fields(reflect.TypeFor[input.MarkChange]()) {
		if f.Name == "mark" {
			cmd.ValidArgs = f.Enum()
		}
	}
	cmd.AddCommand(markListCommand(a))
	return cmd
}

// markable returns the id of what to mark, by an id, a part of one, or the name of an entity.
func (s *session) markable(ctx context.Context, text string) (uuid.UUID, error) {
	id, err := s.anyID(ctx, text, graph.KindFact, graph.KindEpisode, graph.KindEntity, graph.KindSkill)
	if annals.CodeOf(err) == annals.CodeNotFound {
		return uuid.Nil, graph.Invalid("id", "%q is no id of a fact, an episode, an entity or a skill, and no name of an entity; 'annals facts', 'annals episodes' and 'annals skills' list them", text)
	}
	return id, err
}

func (p *printer) printMarked(mark graph.Mark, marked []service.MarkedJSON) error {
	if p.json {
		return p.printJSON(map[string][]service.MarkedJSON{"marked": marked})
	}
	for _, m := range marked {
		line := fmt.Sprintf("%s %s: %s", m.Kind, tail(m.ID, shownPart), mark)
		if m.Offer != "" {
			line += fmt.Sprintf("; it is believed all the same: 'annals facts withdraw %s' takes it out", tail(m.ID, shownPart))
		}
		if _, err := fmt.Fprintln(p.stdout, line); err != nil {
			return err
		}
	}
	return nil
}

func markListCommand(a *app) *cobra.Command {
	return calling(a.withMemory, &cobra.Command{
		Use:     "list [ID]",
		Short:   "List marks, also those that were ended, the latest first",
		Example: `  annals mark list --group chat`,
		Args:    cobra.MaximumNArgs(1),
	}, func(ctx context.Context, s *session, _ *input.ListMarks, f service.MarkFilter) (marks []service.NotedMark, err error) {
		f.GroupID = s.group
		for _, text := range s.args {
			if f.SubjectID, err = s.markable(ctx, text); err != nil {
				return nil, err
			}
		}
		return s.service().Marks(ctx, f)
	}, listing[service.NotedMark]{
		key: "marks", header: "OF\tID\tMARK\tSINCE\tUNTIL\tBY",
		ids: func(m service.NotedMark) []uuid.UUID { return []uuid.UUID{m.SubjectID} },
		cells: func(m service.NotedMark, short string) []string {
			return []string{string(m.Kind), short, markWords(m), m.Since.Format(time.DateTime), dateOr(m.Until), strings.TrimSpace(m.Door + " " + m.WrittenBy)}
		},
		past: func(m service.NotedMark) bool { return !m.Until.IsZero() },
	}.show)
}

func markWords(m service.NotedMark) string {
	if m.Mark == graph.MarkExpires {
		return "expires " + m.ExpiresAt.Format(time.DateTime)
	}
	return string(m.Mark)
}

func dateOr(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateTime)
}
