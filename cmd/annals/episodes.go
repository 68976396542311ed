package main

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

func (a *app) episodesCommand() *cobra.Command {
	var state, thread string
	var limit int
	cmd := &cobra.Command{
		Use:     "episodes",
		Short:   "List what was taken in, the latest first; show one, and why it was read so",
		Example: `  annals episodes --group demo --state failed`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch graph.State(state) {
			case "", graph.StatePending, graph.StateProcessing, graph.StateDone, graph.StateFailed:
			default:
				return graph.Invalid("state", "%q is not one of pending, processing, done, failed", state)
			}
			filter := annals.EpisodeFilter{GroupID: a.group, State: graph.State(state), ThreadID: thread, Limit: limit}
			return a.withMemory(func(ctx context.Context, client *annals.Client, _ []string) error {
				return a.listEpisodes(ctx, client, filter)
			})(cmd, args)
		},
	}
	cmd.Flags().StringVar(&state, "state", "", "only those that are pending, processing, done or failed")
	cmd.Flags().StringVar(&thread, "thread-id", "", "only those of this conversation")
	cmd.Flags().IntVar(&limit, "limit", annals.DefaultRows, "episodes at the most")
	cmd.AddCommand(a.episodesShowCommand(), a.episodesDeleteCommand())
	return cmd
}

func (a *app) listEpisodes(ctx context.Context, client *annals.Client, filter annals.EpisodeFilter) error {
	episodes, err := client.Episodes(ctx, filter)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string][]graph.EpisodeJSON{"episodes": views(episodes, annals.Episode.JSON)})
	}
	short := shorten(views(episodes, func(e annals.Episode) uuid.UUID { return e.ID }))
	return a.table("ID\tSAID\tSTATE\tBY\tCONTENT", views(episodes, func(e annals.Episode) []string {
		return []string{short(e.ID), day(e.OccurredAt), string(e.State), e.Speaker(), brief(e.Content, 80)}
	}))
}

// episodeTraceJSON is an episode with the decisions taken about it.
type episodeTraceJSON struct {
	Episode graph.EpisodeJSON   `json:"episode"`
	Trace   []service.TraceJSON `json:"trace,omitempty"`
}

func (a *app) episodesShowCommand() *cobra.Command {
	var trace bool
	cmd := &cobra.Command{
		Use:   "show EPISODE",
		Short: "Show one episode, and why it was read as it was",
		Example: `  annals episodes --group demo
  annals episodes show e7daca67 --trace --group demo`,
		Args: cobra.ExactArgs(1),
		RunE: a.withMemory(func(ctx context.Context, client *annals.Client, args []string) error {
			ids, err := a.ids(ctx, client, graph.KindEpisode, "episode", args...)
			if err != nil {
				return err
			}
			return a.showEpisode(ctx, client, ids[0], trace)
		}),
		ValidArgsFunction: a.completeIDs(graph.KindEpisode),
	}
	cmd.Flags().BoolVar(&trace, "trace", false, "what was extracted, matched, dropped and closed, and why")
	return cmd
}

func (a *app) showEpisode(ctx context.Context, client *annals.Client, id uuid.UUID, trace bool) error {
	episode, err := client.Episode(ctx, a.group, id)
	if err != nil {
		return err
	}
	var entries []annals.TraceEntry
	if trace {
		if entries, err = client.Trace(ctx, a.group, id); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(episodeTraceJSON{Episode: episode.JSON(), Trace: views(entries, service.TraceOf)})
	}
	err = a.table("", [][]string{
		{"id", episode.ID.String()},
		{"said", day(episode.OccurredAt)},
		{"by", episode.Speaker()},
		{"state", string(episode.State)},
		{"error", episode.Error},
		{"content", brief(episode.Content, 500)},
	})
	if err != nil || !trace {
		return err
	}
	fmt.Fprintln(a.stdout)
	if len(entries) == 0 {
		a.say("Nothing was decided about it yet; 'annals retry' reads what waits.")
	}
	return a.table("STEP\tDECISION\tABOUT\tBECAUSE", views(entries, func(e annals.TraceEntry) []string {
		return []string{e.Step, e.Decision, brief(e.Subject, 70), brief(e.Reason, 120)}
	}))
}
