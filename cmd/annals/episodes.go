package main

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/service"
)

func episodesCommand(a *app) *cobra.Command {
	cmd := calling(a.withMemory, &cobra.Command{
		Use:     "episodes",
		Short:   "List what was taken in, the latest first; show one, and why it was read so",
		Example: `  annals episodes --group demo --state failed`,
	}, func(ctx context.Context, s *session, _ *input.ListEpisodes, f annals.EpisodeFilter) ([]annals.Episode, error) {
		f.GroupID = s.group
		return s.Episodes(ctx, f)
	}, listing[annals.Episode]{
		key: "episodes", view: as(annals.Episode.JSON), header: "ID\tSAID\tSTATE\tBY\tCONTENT",
		ids: func(e annals.Episode) []uuid.UUID { return []uuid.UUID{e.ID} },
		cells: func(e annals.Episode, short string) []string {
			return []string{short, day(e.OccurredAt), string(e.State), e.Speaker(), brief(e.Content, 80)}
		},
	}.show)
	cmd.AddCommand(episodesShowCommand(a))
	return cmd
}

// episodeTraceJSON is an episode with its trace.
type episodeTraceJSON struct {
	Episode graph.EpisodeJSON   `json:"episode"`
	Trace   []service.TraceJSON `json:"trace,omitempty"`
}

func episodesShowCommand(a *app) *cobra.Command {
	var trace bool
	cmd := taking(a.withMemory, &cobra.Command{
		Use:   "show EPISODE",
		Short: "Show one episode, and why it was read as it was",
		Example: `  annals episodes --group demo
  annals episodes show e7daca67 --trace --group demo`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeIDs(graph.KindEpisode),
	}, func(ctx context.Context, s *session, _ *none) error {
		ids, err := s.ids(ctx, graph.KindEpisode, "episode", s.args...)
		if err != nil {
			return err
		}
		return s.showEpisode(ctx, ids[0], trace)
	})
	cmd.Flags().BoolVar(&trace, "trace", false, "what was extracted, matched, dropped and closed, and why")
	return cmd
}

func (s *session) showEpisode(ctx context.Context, id uuid.UUID, trace bool) error {
	episode, err := s.Episode(ctx, s.group, id)
	if err != nil {
		return err
	}
	var entries []annals.TraceEntry
	if trace {
		if entries, err = s.Trace(ctx, s.group, id); err != nil {
			return err
		}
	}
	if s.json {
		return s.printJSON(episodeTraceJSON{Episode: episode.JSON(), Trace: each.Of(entries, service.TraceOf)})
	}
	err = s.table("", [][]string{
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
	fmt.Fprintln(s.stdout)
	if len(entries) == 0 {
		s.say("Nothing was decided about it yet; 'annals retry' reads what waits.")
	}
	return s.table("STEP\tDECISION\tABOUT\tBECAUSE", each.Of(entries, func(e annals.TraceEntry) []string {
		return []string{e.Step, e.Decision, brief(e.Subject, 70), brief(e.Reason, 120)}
	}))
}
