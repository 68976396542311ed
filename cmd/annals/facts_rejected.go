package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/service"
)

func (a *app) factsRejectedCommand() *cobra.Command {
	filter := service.RejectionFilter{}
	cmd := &cobra.Command{
		Use:     "rejected",
		Short:   "List facts that were withdrawn or taken back, and by whom",
		Example: `  annals facts rejected --group chat`,
		Args:    cobra.NoArgs,
		RunE: a.withMemory(func(ctx context.Context, client *annals.Client, _ []string) error {
			filter.GroupID = a.group
			rejected, err := service.New(client).Rejections(ctx, filter)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(map[string][]service.RejectionJSON{"rejected": views(rejected, service.RejectionOf)})
			}
			short := shorten(views(rejected, func(r service.Rejection) uuid.UUID { return r.FactID }))
			return a.tableWith("FACT\tREJECTED\tBY\tSENTENCE", views(rejected, func(r service.Rejection) []string {
				return []string{short(r.FactID), r.RejectedAt.Format(time.DateOnly), rejectedBy(r), brief(r.Fact, 90)}
			}), func(i int) bool { return !rejected[i].LiftedAt.IsZero() })
		}),
	}
	cmd.Flags().BoolVar(&filter.Lifted, "all", false, "also those that were readmitted since")
	cmd.Flags().IntVar(&filter.Limit, "limit", annals.DefaultRows, "rejections at the most")
	return cmd
}

// rejectedBy says who rejected a fact: an episode, or the key or role at a door.
func rejectedBy(r service.Rejection) string {
	if r.EpisodeID != uuid.Nil {
		return "episode " + r.EpisodeID.String()[:8]
	}
	return cmp.Or(strings.TrimSpace(r.Door+" "+r.WrittenBy), string(r.Authority))
}

func (a *app) factsRestoreCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "restore FACT",
		Short: "Readmit a fact that was withdrawn or taken back",
		Long: `Readmits a fact that was withdrawn or taken back, on record, and brings it back
as it was then. It is named by its id or by that of its rejection; 'annals facts
rejected' lists them.`,
		Example: `  annals facts restore 63f4d958 --group chat`,
		Args:    cobra.ExactArgs(1),
		RunE: a.withMemory(func(ctx context.Context, client *annals.Client, args []string) error {
			id, err := a.rejectedID(ctx, client, args[0])
			if err != nil {
				return err
			}
			fact, err := client.RestoreFact(ctx, a.group, id)
			if err != nil {
				return err
			}
			switch {
			case a.json && fact.ID == uuid.Nil:
				return a.printJSON(map[string]*graph.FactJSON{"restored": nil})
			case a.json:
				return a.printJSON(map[string]graph.FactJSON{"restored": fact.JSON()})
			case fact.ID == uuid.Nil:
				_, err := fmt.Fprintln(a.stdout, "It may be told again; nothing of it is left to bring back.")
				return err
			}
			return a.printFacts([]annals.Fact{fact})
		}),
	}
}

// rejectedID finds a rejected fact by the beginning of its id or of that of its
// rejection.
func (a *app) rejectedID(ctx context.Context, client *annals.Client, text string) (uuid.UUID, error) {
	if id, err := uuid.Parse(text); err == nil {
		return id, nil
	}
	filter := service.RejectionFilter{GroupID: a.group, Limit: graph.MaxRows}
	found := map[uuid.UUID]bool{}
	for {
		page, err := service.New(client).Rejections(ctx, filter)
		if err != nil {
			return uuid.Nil, err
		}
		for _, r := range page {
			for _, id := range []uuid.UUID{r.FactID, r.ID} {
				if strings.HasPrefix(id.String(), strings.ToLower(text)) {
					found[id] = true
				}
			}
		}
		if len(page) < graph.MaxRows {
			break
		}
		filter.After = &page[len(page)-1]
	}
	if len(found) != 1 {
		return uuid.Nil, graph.Invalid("fact", "%q is the beginning of %d ids of rejected facts; 'annals facts rejected' lists them", text, len(found))
	}
	for id := range found {
		return id, nil
	}
	return uuid.Nil, nil
}
