package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// markNames are the marks, each followed by what ends it.
var markNames = []graph.Mark{
	graph.MarkExpires, graph.MarkKeeps, graph.MarkPinned, graph.MarkUnpinned, graph.MarkUseful, graph.MarkWrong, graph.MarkOutdated, graph.MarkUnjudged,
}

func markCommand(a *app) *cobra.Command {
	var at string
	cmd := &cobra.Command{
		Use:   "mark MARK ID…",
		Short: "Let facts and episodes expire, pin them, or say how they were found",
		Long: `Notes something about facts, episodes and entities, on record:

  expires   facts and episodes are hidden from --at on, with what only they
            support, and taken out soon after; keeps ends that
  pinned    facts, episodes and entities come first in contexts, up to a quarter
            of the budget, and stay however long the group keeps episodes;
            unpinned ends that
  useful, wrong, outdated
            moves the scores of facts and episodes by a fifth at the most. Each
            who judges has one word on each; unjudged takes it back

What was found wrong stays believed until 'annals facts withdraw' takes it out.`,
		Example: `  annals mark pinned 63f4d958 --group chat
  annals mark expires 63f4d958 --at 2030-01-01 --group chat
  annals mark wrong 63f4d958 --group chat`,
		Args: cobra.MinimumNArgs(2),
		RunE: a.withMemory(func(ctx context.Context, s *session, args []string) error {
			change := service.MarkChange{Mark: graph.Mark(args[0])}
			if !slices.Contains(markNames, change.Mark) {
				return graph.Invalid("mark", "%q is not one of %s", args[0], strings.Join(views(markNames, func(m graph.Mark) string { return string(m) }), ", "))
			}
			var err error
			if change.ExpiresAt, err = graph.ParseTime("at", at); err != nil {
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
		}),
	}
	cmd.Flags().StringVar(&at, "at", "", "with expires: from when on it is hidden: 2030-01-01 or 2030-01-01T09:30:00Z")
	cmd.ValidArgs = views(markNames, func(m graph.Mark) string { return string(m) })
	cmd.AddCommand(markListCommand(a))
	return cmd
}

// markable finds what is meant by an id, a part of one, or the name of an entity.
func (s *session) markable(ctx context.Context, text string) (uuid.UUID, error) {
	if id, err := uuid.Parse(text); err == nil {
		return id, nil
	}
	id, found, err := s.idByPart(ctx, text, graph.KindFact, graph.KindEpisode, graph.KindEntity)
	if err != nil || found {
		return id, err
	}
	entity, err := s.EntityAt(ctx, s.group, text, time.Time{})
	if annals.CodeOf(err) == annals.CodeNotFound {
		return uuid.Nil, graph.Invalid("id", "%q is no id of a fact, an episode or an entity, and no name of one; 'annals facts' and 'annals episodes' list them", text)
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
	filter := service.MarkFilter{}
	cmd := &cobra.Command{
		Use:     "list [ID]",
		Short:   "List marks, also those that were ended, the latest first",
		Example: `  annals mark list --group chat`,
		Args:    cobra.MaximumNArgs(1),
		RunE: a.withMemory(func(ctx context.Context, s *session, args []string) error {
			filter.GroupID = s.group
			if len(args) > 0 {
				var err error
				if filter.SubjectID, err = s.markable(ctx, args[0]); err != nil {
					return err
				}
			}
			marks, err := service.New(s.Client).Marks(ctx, filter)
			if err != nil {
				return err
			}
			if s.json {
				return s.printJSON(map[string][]service.NotedMarkJSON{"marks": views(marks, service.NotedMarkOf)})
			}
			short := shorten(views(marks, func(m service.NotedMark) uuid.UUID { return m.SubjectID }))
			return s.tableWith("OF\tID\tMARK\tSINCE\tUNTIL\tBY", views(marks, func(m service.NotedMark) []string {
				return []string{string(m.Kind), short(m.SubjectID), markWords(m), m.Since.Format(time.DateTime), dateOr(m.Until), strings.TrimSpace(m.Door + " " + m.WrittenBy)}
			}), func(i int) bool { return !marks[i].Until.IsZero() })
		}),
	}
	cmd.Flags().IntVar(&filter.Limit, "limit", annals.DefaultRows, "marks at the most")
	return cmd
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
