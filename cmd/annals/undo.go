package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

const undoHelp = `Undoes episodes: the group believes what it would without them. What only they
support goes, what they ended holds again, and later episodes are placed again.
The history keeps what was believed until now; 'annals erase' removes that too.`

const undoShort = "Undo episodes: what only they support goes, what they ended holds again"

func undoCommand(a *app) *cobra.Command {
	return a.undoing(&cobra.Command{
		Use:     "undo EPISODE…",
		Short:   undoShort,
		Long:    undoHelp,
		Example: `  annals undo e7daca67 --group chat`,
	})
}

// episodesDeleteCommand is the former name of undo.
func episodesDeleteCommand(a *app) *cobra.Command {
	return a.undoing(&cobra.Command{
		Use:     "delete EPISODE…",
		Short:   "Undo episodes; the same as 'annals undo'",
		Long:    undoHelp,
		Example: `  annals episodes delete e7daca67 --group chat`,
	})
}

// undoing makes a command undo the episodes that are its arguments.
func (a *app) undoing(cmd *cobra.Command) *cobra.Command {
	var anyReader, dryRun bool
	cmd.Args = cobra.MinimumNArgs(1)
	cmd.RunE = a.withMemory(func(ctx context.Context, s *session, args []string) error {
		ids, err := s.ids(ctx, graph.KindEpisode, "episode", args...)
		if err != nil {
			return err
		}
		deletion := annals.Deletion{GroupID: s.group, EpisodeIDs: ids, AnyReader: anyReader}
		if dryRun {
			preview, err := s.PreviewUndo(ctx, deletion)
			if err != nil {
				return err
			}
			return s.printPreview(preview)
		}
		done, err := s.DeleteEpisodes(ctx, deletion)
		if err != nil {
			return err
		}
		return s.printUndone(done)
	})
	cmd.Flags().BoolVar(&anyReader, "any-reader", false, anyReaderHelp)
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, dryRunHelp)
	cmd.ValidArgsFunction = a.completeWithheld(graph.KindEpisode)
	return cmd
}
