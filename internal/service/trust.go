package service

import (
	"context"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/telemetry"
)

type (
	// TrustPolicy says what a group does not believe until somebody confirms it.
	TrustPolicy = graph.TrustPolicy
	// Release names episodes to take out of quarantine by hand, or to put back.
	Release = graph.Release
)

// TrustPolicy returns the policy of a group. It fails with [annals.CodeNotFound] if there is no
// such group.
func (s *Service) TrustPolicy(ctx context.Context, groupID string) (TrustPolicy, error) {
	if err := s.admit(groupID); err != nil {
		return TrustPolicy{}, err
	}
	return s.engine.TrustPolicy(ctx, groupID)
}

// SetTrustPolicy sets the policy of a group; the zero policy withholds nothing. It creates the
// group if it is missing, so that even its first message can be withheld. The policy applies to all
// existing facts at once: facts that it withholds become candidates, others become believed. The
// change is recorded in annals.edits, and the history keeps what was believed before. It fails with
// [annals.CodeForbidden] if the caller has the authority of an assistant or a document, as do the
// methods below.
func (s *Service) SetTrustPolicy(ctx context.Context, groupID string, p TrustPolicy) error {
	if err := s.admit(groupID); err != nil {
		return err
	}
	defer s.wrote(groupID)
	return s.engine.SetTrustPolicy(ctx, groupID, p)
}

// Confirm confirms 1 to annals.MaxRows facts by hand, all or none. They are then believed with the
// authority of the caller, and the confirmation is recorded. If so is false, it takes the
// confirmation back: the facts become what they would be without it, unless a higher authority
// confirmed them. It returns the facts as they are then, without those that others among them left
// no time to hold. It fails with [annals.CodeNotFound] if one does not exist.
func (s *Service) Confirm(ctx context.Context, groupID string, ids []uuid.UUID, so bool) ([]annals.Fact, error) {
	return edited(ctx, s, telemetry.UpdateMemory, groupID, telemetry.Several, func(ctx context.Context) ([]annals.Fact, error) {
		return s.engine.Confirm(ctx, groupID, ids, !so)
	})
}

// Release takes episodes out of quarantine or puts them back, which is recorded. Facts of released
// episodes are then believed. It returns how many episodes changed; none is no error.
func (s *Service) Release(ctx context.Context, groupID string, r Release) (int, error) {
	return edited(ctx, s, telemetry.UpdateMemory, groupID, telemetry.Counted, func(ctx context.Context) (int, error) { return s.engine.Release(ctx, groupID, r) })
}
