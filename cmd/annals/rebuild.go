package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/service"
)

const rebuildHelp = `Makes all that is derived in a group anew from what was said and told by hand:
entities, facts, mentions, what searches read, vectors that are missing, summaries
of conversations, communities. Episodes are placed again by what was read in them;
a model is asked only where its question has changed.

What was made, changed or removed by hand stays as it is, and so does what an
import brought without readings. What is as it should be keeps its id and its
history. 'annals verify' says whether anything is wrong.`

func rebuildCommand(a *app) *cobra.Command {
	return showing(a.withMemory, &cobra.Command{
		Use:     "rebuild",
		Short:   "Make all that is derived anew from what was said and told by hand",
		Long:    rebuildHelp,
		Example: "  annals rebuild --group chat",
	}, func(ctx context.Context, s *session, in *input.Judged) (service.Rebuilt, error) {
		return s.service().Rebuild(ctx, s.group, in.AnyReader)
	}, func(s *session, done service.Rebuilt) error {
		return s.tell(map[string]service.Rebuilt{"rebuilt": done},
			"%s placed again: facts %d added, %d changed, %d removed; entities %d added, %d changed, %d removed; %d edited by hand or imported stay\n",
			each.Count(done.Replayed, "episode"), done.FactsAdded, done.FactsChanged, done.FactsRemoved, done.EntitiesAdded, done.EntitiesChanged, done.EntitiesRemoved, done.Kept)
	})
}
