package service

import (
	"context"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/engine/edit"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/telemetry"
)

// FactChange is a change of one fact.
type FactChange = edit.FactEdit

// EditEach is [annals.Client.EditFacts] with a change of its own for each fact: all of them are
// made, or none.
func (s *Service) EditEach(ctx context.Context, groupID string, changes []FactChange) ([]annals.Fact, error) {
	if err := s.someFacts(groupID, len(changes)); err != nil {
		return nil, err
	}
	return edited(ctx, s, telemetry.UpdateMemory, groupID, telemetry.Several, func(ctx context.Context) ([]annals.Fact, error) {
		return s.engine.EditEach(ctx, groupID, changes)
	})
}

// WithdrawFacts is [annals.Client.WithdrawFact] for several facts, such as all of one statement:
// all are withdrawn, or none.
func (s *Service) WithdrawFacts(ctx context.Context, groupID string, ids []uuid.UUID) error {
	if err := s.someFacts(groupID, len(ids)); err != nil {
		return err
	}
	_, err := edited(ctx, s, telemetry.DeleteMemory, groupID, telemetry.Counted, func(ctx context.Context) (int, error) {
		return len(ids), s.engine.WithdrawFacts(ctx, groupID, ids)
	})
	return err
}

// someFacts checks that a call names 1 to annals.MaxRows facts.
func (s *Service) someFacts(groupID string, n int) error {
	if err := s.admit(groupID); err != nil {
		return err
	}
	if n == 0 || n > annals.MaxRows {
		return graph.Invalid("ids", "are %d; name 1 to %d facts", n, annals.MaxRows)
	}
	return nil
}
