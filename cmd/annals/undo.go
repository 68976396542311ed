package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/service"
)

const undoHelp = `Undoes episodes: the group believes what it would without them. What only they
support goes, what they ended holds again, and later episodes are placed again.
The history keeps what was believed until now; 'annals erase' removes that too.
Name episodes, or what brought them: a source (the name of a file), a thread, a
door, a key, a run of an agent, or when they were taken in. --dry-run shows first.`

func undoCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "undo [EPISODE…]",
		Short: "Undo episodes: what only they support goes, what they ended holds again",
		Long:  undoHelp,
		Example: `  annals undo e7daca67 --group chat
  annals undo --source mails.jsonl --dry-run --group chat    # all that a file brought`,
	}
	cmd.Args, cmd.ValidArgsFunction = cobra.ArbitraryArgs, a.completeWithheld(graph.KindEpisode)
	return taking(a.withMemory, cmd, func(ctx context.Context, s *session, in *input.TakeBack, args []string) error {
		if len(args) == 0 {
			return s.takeBack(ctx, in)
		}
		if in.Brought != (input.Brought{}) {
			return graph.Invalid("episodes", "are named; name either them or what brought them")
		}
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

// takeBack undoes all episodes of one origin, or shows what that would do.
func (s *session) takeBack(ctx context.Context, in *input.TakeBack) error {
	what, err := input.Read(in, service.TakingBack{GroupID: s.group, DryRun: in.DryRun})
	if err != nil {
		return err
	}
	p, err := service.New(s.Client).TakeBack(ctx, what)
	if err != nil {
		return err
	}
	if in.DryRun {
		return s.printPreview(p)
	}
	return s.printUndone(p.Undone)
}
