package service

import (
	"context"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/telemetry"
)

type (
	// TrustPolicy is what a group does not believe until somebody confirms it.
	TrustPolicy = graph.TrustPolicy
	// Release names what is taken out of quarantine by hand, or put back.
	Release = graph.Release
)

// TrustPolicy returns what a group does not believe until somebody confirms it. It fails
// with [annals.CodeNotFound] where the group is not there.
func (s *Service) TrustPolicy(ctx context.Context, groupID string) (TrustPolicy, error) {
	if err := s.admit(groupID); err != nil {
		return TrustPolicy{}, err
	}
	return s.engine.TrustPolicy(ctx, groupID)
}

// SetTrustPolicy says what a group does not believe until somebody confirms it; the
// zero policy withholds nothing. A group that is missing is made, so that its first message
// can be withheld. All its facts follow at once: what is withheld from now
// on is a candidate, what no longer is, is believed. It is on record in annals.edits, and
// the history keeps what was believed before. It fails with [annals.CodeForbidden]
// for the word of an assistant or a document, as do the methods below.
func (s *Service) SetTrustPolicy(ctx context.Context, groupID string, p TrustPolicy) error {
	if err := s.admit(groupID); err != nil {
		return err
	}
	defer s.wrote(groupID)
	return s.engine.SetTrustPolicy(ctx, groupID, p)
}

// Confirm confirms facts by hand, 1 to annals.MaxRows: they are believed, as the word of
// who confirms them, and it is on record. Where so is false that is taken back: they are
// what they would be without it, unless a higher authority confirmed them. It returns the
// facts as they are then, without those to which others of them left no time. It does so
// with all, or with none; one that is not there is a [annals.CodeNotFound].
func (s *Service) Confirm(ctx context.Context, groupID string, ids []uuid.UUID, so bool) ([]annals.Fact, error) {
	if err := s.admit(groupID); err != nil {
		return nil, err
	}
	defer s.wrote(groupID)
	return telemetry.Memory(ctx, telemetry.UpdateMemory, groupID, telemetry.Several, func(ctx context.Context) ([]annals.Fact, error) {
		return s.engine.Confirm(ctx, groupID, ids, !so)
	})
}

// Release takes episodes out of quarantine, on record, or puts them back. What was read
// in them is believed then. It returns how many episodes changed; none is no error.
func (s *Service) Release(ctx context.Context, groupID string, r Release) (int, error) {
	if err := s.admit(groupID); err != nil {
		return 0, err
	}
	defer s.wrote(groupID)
	return telemetry.Memory(ctx, telemetry.UpdateMemory, groupID, telemetry.Counted, func(ctx context.Context) (int, error) { return s.engine.Release(ctx, groupID, r) })
}
