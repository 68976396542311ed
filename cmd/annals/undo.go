package main

import (
	"context"
	"strconv"

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
	return taking(a.withMemory, &cobra.Command{
		Use:   "undo [EPISODE…]",
		Short: "Undo episodes: what only they support goes, what they ended holds again",
		Long:  undoHelp,
		Example: `  annals undo e7daca67 --group chat
  annals undo --source mails.jsonl --dry-run --group chat    # all that a file brought`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: a.completeWithheld(graph.KindEpisode),
	}, func(ctx context.Context, s *session, in *input.TakeBack) error {
		if len(s.args) == 0 {
			return s.takeBack(ctx, in)
		}
		if in.Brought != (input.Brought{}) {
			return graph.Invalid("episodes", "are named; name either them or what brought them")
		}
		ids, err := s.ids(ctx, graph.KindEpisode, "episode", s.args...)
		if err != nil {
			return err
		}
		undoing := annals.Undoing{GroupID: s.group, EpisodeIDs: ids, AnyReader: in.AnyReader}
		if in.DryRun {
			return s.printPreview(s.PreviewUndo(ctx, undoing))
		}
		return s.printUndone(s.UndoAll(ctx, undoing))
	})
}

// takeBack undoes all episodes of one origin, or shows what that would do.
func (s *session) takeBack(ctx context.Context, in *input.TakeBack) error {
	what, err := input.Read(in, service.TakingBack{GroupID: s.group, DryRun: in.DryRun})
	if err != nil {
		return err
	}
	p, err := s.service().TakeBack(ctx, what)
	if in.DryRun {
		return s.printPreview(p, err)
	}
	return s.printUndone(p.Undone, err)
}

func (p *printer) printUndone(u annals.Undone, err error) error {
	if err != nil {
		return err
	}
	return p.tell(map[string]annals.Undone{"undone": u}, "%d taken back, %d later ones placed again; facts: %d removed, %d open again, %d changed, %d added; entities: %d removed, %d changed\n",
		u.Episodes, u.Replayed, u.FactsRemoved, u.FactsReopened, u.FactsChanged, u.FactsAdded, u.EntitiesRemoved, u.EntitiesChanged)
}

// printPreview prints what undoing or erasing would do.
func (p *printer) printPreview(what annals.Preview, err error) error {
	if err != nil {
		return err
	}
	if p.json {
		return p.printJSON(struct {
			Undone  *annals.Undone     `json:"undone"`
			Preview annals.PreviewJSON `json:"preview"`
		}{&what.Undone, what.JSON()})
	}
	var rows [][]string
	for _, c := range what.Facts {
		rows = append(rows, []string{"fact " + c.Change, told(c.Before, annals.Fact.Told), told(c.After, annals.Fact.Told)})
	}
	name := func(e annals.Entity) string { return e.Name + ": " + brief(e.Summary, 60) }
	for _, c := range what.Entities {
		rows = append(rows, []string{"entity " + c.Change, told(c.Before, name), told(c.After, name)})
	}
	if len(rows) > 0 || len(what.Removed) == 0 {
		if err := p.table("CHANGE\tNOW\tTHEN", rows); err != nil {
			return err
		}
	}
	rows = nil
	for _, r := range what.Removed {
		rows = append(rows, []string{r.Table, strconv.FormatInt(r.Rows, 10)})
	}
	if len(rows) > 0 {
		if err := p.table("\nROWS THAT WOULD GO FROM\t", rows); err != nil {
			return err
		}
	}
	if what.Undone.Episodes == 0 {
		p.say("Nothing was done.")
		return nil
	}
	p.say("Nothing was done. It would be:")
	return p.printUndone(what.Undone, nil)
}

// told returns the words for a value, or a dash if it is nil.
func told[T any](what *T, words func(T) string) string {
	if what == nil {
		return "–"
	}
	return words(*what)
}
