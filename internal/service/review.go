package service

import (
	"context"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/engine/edit"
	"github.com/annalsdb/annals/internal/telemetry"
)

type (
	// Brought says what brought something: a source, a conversation, a door, a key, a run.
	Brought = edit.Brought
	// Bringer is a source, a run or a day that brought something.
	Bringer = edit.Bringer
	// ReviewFilter chooses what waits for a decision, or what something brought.
	ReviewFilter = edit.ReviewFilter
	// Reviewed is a fact under review.
	Reviewed = edit.Reviewed
	// Ending is a fact that approving another one ends.
	Ending = edit.Ending
	// ReviewedJSON is a fact under review as every door shows it.
	ReviewedJSON = edit.ReviewedJSON
	// ReviewDecision is what is decided of facts under review.
	ReviewDecision = edit.Decision
	// TakingBack is all that something brought, to be undone.
	TakingBack = edit.TakingBack
)

// Review lists the facts that wait for a decision: candidates, what is disputed, what
// only assistants and documents say, and what is told at second hand. What was confirmed
// by hand does not wait.
func (s *Service) Review(ctx context.Context, f ReviewFilter) ([]Reviewed, error) {
	return s.reviewed(ctx, f, s.engine.Review)
}

// Added lists what something brought, as the difference to the memory before it: facts
// that were added, ended, changed or withdrawn, with the messages.
func (s *Service) Added(ctx context.Context, f ReviewFilter) ([]Reviewed, error) {
	return s.reviewed(ctx, f, s.engine.Added)
}

// Bringers lists the sources, the runs of agents and the days that brought something, the
// latest first, among the latest 10,000 episodes.
func (s *Service) Bringers(ctx context.Context, groupID string, limit int) ([]Bringer, error) {
	bound, err := s.listBounds(groupID, limit)
	if err != nil {
		return nil, err
	}
	return s.engine.Bringers(ctx, groupID, int(bound))
}

func (s *Service) reviewed(ctx context.Context, f ReviewFilter, list func(context.Context, ReviewFilter) ([]Reviewed, error)) ([]Reviewed, error) {
	limit, err := s.listBounds(f.GroupID, f.Limit)
	if err != nil {
		return nil, err
	}
	f.Limit = int(limit)
	return list(ctx, f)
}

// Decide approves, rejects, edits or leaves facts under review: named ones, all of them or
// none, or all that a filter chooses among those that wait. It is on record, and what is
// rejected stays so until [annals.Client.RestoreFact]. It returns of how many facts that was.
// It fails with [annals.CodeForbidden] for the word of an assistant or a document.
func (s *Service) Decide(ctx context.Context, d ReviewDecision) (int, error) {
	if err := s.admit(d.GroupID); err != nil {
		return 0, err
	}
	defer s.wrote(d.GroupID)
	return telemetry.Memory(ctx, telemetry.UpdateMemory, d.GroupID, telemetry.Counted, func(ctx context.Context) (int, error) { return s.engine.Decide(ctx, d) })
}

// TakeBack undoes all episodes that something brought, such as a file, as
// [annals.Client.UndoAll] does, and returns what that did, in numbers; a dry run also what
// would be believed otherwise, as [annals.Client.PreviewUndo] does.
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
