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
	return bounded(s, f.GroupID, &f.Limit, func() ([]Rejection, error) { return s.engine.Rejections(ctx, f) })
}
