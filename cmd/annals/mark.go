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
	"github.com/annalsdb/annals/internal/each"
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
	}, func(ctx context.Context, s *session, in *input.MarkChange, args []string) error {
		in.Mark = graph.Mark(args[0])
		change, err := input.Read(in, service.MarkChange{})
		if err != nil {
			return err
		}
		for _, text := range args[1:] {
			id, err := s.markable(ctx, text)
			if err != nil {
				return err
			}
			change.IDs = append(change.IDs, id)
		}
		marked, err := service.New(s.Client).Mark(ctx, s.group, change)
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
	if id, err := uuid.Parse(text); err == nil {
		return id, nil
	}
	id, found, err := s.idByPart(ctx, text, graph.KindFact, graph.KindEpisode, graph.KindEntity, graph.KindSkill)
	if err != nil || found {
		return id, err
	}
	entity, err := s.EntityAt(ctx, s.group, text, time.Time{})
	if annals.CodeOf(err) == annals.CodeNotFound {
		return uuid.Nil, graph.Invalid("id", "%q is no id of a fact, an episode, an entity or a skill, and no name of an entity; 'annals facts', 'annals episodes' and 'annals skills' list them", text)
	}
	return entity.ID, err
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
	return taking(a.withMemory, &cobra.Command{
		Use:     "list [ID]",
		Short:   "List marks, also those that were ended, the latest first",
		Example: `  annals mark list --group chat`,
		Args:    cobra.MaximumNArgs(1),
	}, func(ctx context.Context, s *session, in *input.ListMarks, args []string) error {
		filter, err := input.Read(in, service.MarkFilter{GroupID: s.group})
		if err == nil && len(args) > 0 {
			filter.SubjectID, err = s.markable(ctx, args[0])
		}
		if err != nil {
			return err
		}
		marks, err := service.New(s.Client).Marks(ctx, filter)
		if err != nil {
			return err
		}
		if s.json {
			return s.printJSON(map[string][]service.NotedMarkJSON{"marks": each.Of(marks, service.NotedMarkOf)})
		}
		short := shorten(each.Of(marks, func(m service.NotedMark) uuid.UUID { return m.SubjectID }))
		return s.tableWith("OF\tID\tMARK\tSINCE\tUNTIL\tBY", each.Of(marks, func(m service.NotedMark) []string {
			return []string{string(m.Kind), short(m.SubjectID), markWords(m), m.Since.Format(time.DateTime), dateOr(m.Until), strings.TrimSpace(m.Door + " " + m.WrittenBy)}
		}), func(i int) bool { return !marks[i].Until.IsZero() })
	})
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
