package service

import (
	"context"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/engine/edit"
	"github.com/annalsdb/annals/internal/telemetry"
)

type (
	// Brought selects episodes by their origin: a source, a thread, a door, a key or a run.
	Brought = edit.Brought
	// Bringer is a source, a run or a day with the number of its episodes.
	Bringer = edit.Bringer
	// ReviewFilter selects facts that wait for a decision, or facts by their origin.
	ReviewFilter = edit.ReviewFilter
	// Reviewed is a fact under review.
	Reviewed = edit.Reviewed
	// Ending is a fact that would end if another one were approved.
	Ending = edit.Ending
	// ReviewedJSON is the JSON form of a fact under review.
	ReviewedJSON = edit.ReviewedJSON
	// ReviewDecision is a decision about facts under review.
	ReviewDecision = edit.Decision
	// TakingBack asks to undo all episodes of one origin.
	TakingBack = edit.TakingBack
)

// Review lists the facts that wait for a decision: candidates, disputed facts, facts that only
// assistants and documents state, and hearsay. Facts that were confirmed by hand are left out.
func (s *Service) Review(ctx context.Context, f ReviewFilter) ([]Reviewed, error) {
	return bounded(s, f.GroupID, &f.Limit, func() ([]Reviewed, error) { return s.engine.Review(ctx, f) })
}

// Added lists the changes that episodes of one origin made to the memory: facts that were added,
// ended, changed or withdrawn, with the messages.
func (s *Service) Added(ctx context.Context, f ReviewFilter) ([]Reviewed, error) {
	return bounded(s, f.GroupID, &f.Limit, func() ([]Reviewed, error) { return s.engine.Added(ctx, f) })
}

// Bringers lists the sources, runs of agents and days of the latest 10,000 episodes, the latest
// first.
func (s *Service) Bringers(ctx context.Context, groupID string, limit int) ([]Bringer, error) {
	return bounded(s, groupID, &limit, func() ([]Bringer, error) { return s.engine.Bringers(ctx, groupID, limit) })
}

// Decide approves, rejects or edits facts under review, or takes an approval back. It does so with
// all named facts or with none, or with all waiting facts that a filter selects. Decisions are
// recorded. A rejected fact stays rejected until [annals.Client.RestoreFact]. Decide returns the
// number of decided facts. It fails with [annals.CodeForbidden] if the caller has the authority of
// an assistant or a document.
func (s *Service) Decide(ctx context.Context, d ReviewDecision) (int, error) {
	return edited(ctx, s, telemetry.UpdateMemory, d.GroupID, telemetry.Counted, func(ctx context.Context) (int, error) { return s.engine.Decide(ctx, d) })
}

// TakeBack undoes all episodes of one origin, such as a file, as [annals.Client.UndoAll] does, and
// returns counts of the changes. With DryRun it only returns what would change, as
// [annals.Client.PreviewUndo] does.
func (s *Service) TakeBack(ctx context.Context, t TakingBack) (annals.Preview, error) {
	if err := s.admit(t.GroupID); err != nil {
		return annals.Preview{}, err
	}
	ids, err := s.engine.EpisodesBrought(ctx, t.GroupID, t.Brought)
	if err != nil || len(ids) == 0 {
		return annals.Preview{}, err
	}
	undoing := annals.Undoing{GroupID: t.GroupID, EpisodeIDs: ids, AnyReader: t.AnyReader}
	if t.DryRun {
		return s.client.PreviewUndo(ctx, undoing)
	}
	done, err := s.client.UndoAll(ctx, undoing)
	return annals.Preview{Undone: done}, err
}
