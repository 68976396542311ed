package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
)

const undoHelp = `Undoes episodes: the group believes what it would without them. What only they
support goes, what they ended holds again, and later episodes are placed again.
The history keeps what was believed until now; 'annals erase' removes that too.`

func undoCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "undo EPISODE…",
		Short:   "Undo episodes: what only they support goes, what they ended holds again",
		Long:    undoHelp,
		Example: `  annals undo e7daca67 --group chat`,
	}
	cmd.Args, cmd.ValidArgsFunction = cobra.MinimumNArgs(1), a.completeWithheld(graph.KindEpisode)
	return taking(a.withMemory, cmd, func(ctx context.Context, s *session, in *input.Removal, args []string) error {
		ids, err := s.ids(ctx, graph.KindEpisode, "episode", args...)
		if err != nil {
			return err
		}
		undoing := annals.Undoing{GroupID: s.group, EpisodeIDs: ids, AnyReader: in.AnyReader}
		if in.DryRun {
			preview, err := s.PreviewUndo(ctx, undoing)
			if err != nil {
				return err
			}
			return s.printPreview(preview)
		}
		done, err := s.UndoAll(ctx, undoing)
		if err != nil {
			return err
		}
		return s.printUndone(done)
	})
}
