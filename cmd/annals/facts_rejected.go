package main

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/service"
)

func factsRejectedCommand(a *app) *cobra.Command {
	return showing(a.withMemory, &cobra.Command{
		Use:     "rejected",
		Short:   "List facts that were withdrawn or taken back, and by whom",
		Example: `  annals facts rejected --group chat`,
	}, func(ctx context.Context, s *session, in *input.ListRejections) ([]service.Rejection, error) {
		return s.service().Rejections(ctx, service.RejectionFilter{GroupID: s.group, Lifted: in.All, Limit: in.Limit})
	}, listing[service.Rejection]{
		key: "rejected", view: as(service.RejectionOf), header: "FACT\tREJECTED\tBY\tSENTENCE",
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
