package engine

import (
	"context"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
)

// eraseObservations brings observations to what is left of their facts, and removes
// those, and former versions, that may tell of the erased.
func (x *eraser) eraseObservations(ctx context.Context, t *traced) error {
	if err := x.q.ObservationsCount(ctx, db.ObservationsCountParams{GroupID: x.GroupID, Anew: true}); err != nil {
		return err
	}
	words := append([]string{}, t.words...)
	named, err := x.q.ObservationsNamingDelete(ctx, db.ObservationsNamingDeleteParams{GroupID: x.GroupID, Words: words})
	if err != nil {
		return err
	}
	x.count("observations", named)
	versions, err := x.q.ObservationVersionsDelete(ctx, db.ObservationVersionsDeleteParams{
		GroupID: x.GroupID, SubjectIds: append([]uuid.UUID{}, t.entities...), FactIds: append([]uuid.UUID{}, t.facts...), Since: t.since, Words: words,
	})
	x.count("observations_history", versions)
	return err
}
