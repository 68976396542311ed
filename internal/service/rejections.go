package service

import (
	"context"

	"github.com/annalsdb/annals/engine/edit"
)

type (
	// Rejection is a fact that was withdrawn by hand or taken back by an episode.
	// [annals.Client.RestoreFact] lifts it.
	Rejection = edit.Rejection
	// RejectionFilter selects rejections of a group.
	RejectionFilter = edit.RejectionFilter
)

// Rejections lists rejected facts, the latest first.
func (s *Service) Rejections(ctx context.Context, f RejectionFilter) ([]Rejection, error) {
	limit, err := s.listBounds(f.GroupID, f.Limit)
	if err != nil {
		return nil, err
	}
	f.Limit = int(limit)
	return s.engine.Rejections(ctx, f)
}
