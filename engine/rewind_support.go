package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
)

// drop takes out what was there before and rests on nothing any more: what only
// the imported episodes among those gone supported, and what came back although
// the imported ones that it rests on were undone since. What it had ended holds
// again. touched are the entities and facts to look at, told the entities whose
// summaries are made anew in any case.
func (r *rehearsal) drop(ctx context.Context, q *db.Queries, touched, told []uuid.UUID) error {
	rows, err := q.FactsUnsupported(ctx, db.FactsUnsupportedParams{GroupID: r.groupID, Ids: touched})
	if err != nil {
		return err
	}
	ends := slices.Clone(told)
	for _, row := range rows {
		r.droppedFacts = append(r.droppedFacts, row.ID)
		ends = append(ends, row.SourceID, row.TargetID)
	}
	reopened, err := q.FactsBoundedBy(ctx, db.FactsBoundedByParams{GroupID: r.groupID, Ids: append([]uuid.UUID{}, r.droppedFacts...)})
	if err != nil {
		return err
	}
	for _, row := range reopened {
		ends = append(ends, row.SourceID, row.TargetID)
	}
	if len(rows) > 0 {
		if _, err := q.FactsLetGo(ctx, db.FactsLetGoParams{GroupID: r.groupID, Ids: r.droppedFacts}); err != nil {
			return fmt.Errorf("let go of what nothing supports: %w", err)
		}
	}
	if _, err := r.engine.retell(ctx, q, r.groupID, ends, factsIn(rows)...); err != nil {
		return fmt.Errorf("make summaries anew: %w", err)
	}
	r.droppedEntities, err = dropUnsupported(ctx, q, r.groupID, slices.Concat(touched, ends))
	return err
}

// dropUnsupported removes the entities among these that nothing supports, and returns
// them.
func dropUnsupported(ctx context.Context, q *db.Queries, groupID string, ids []uuid.UUID) ([]uuid.UUID, error) {
	dropped, err := q.EntitiesUnsupported(ctx, db.EntitiesUnsupportedParams{GroupID: groupID, Ids: ids})
	if err != nil {
		return nil, err
	}
	_, err = q.EntitiesDelete(ctx, db.EntitiesDeleteParams{GroupID: groupID, Ids: dropped})
	return dropped, err
}

// toldByImported lists the entities whose summaries may tell in any words what is
// erased, as another program made them: those that the imported episodes mention.
func (r *rehearsal) toldByImported(ctx context.Context, q *db.Queries) ([]uuid.UUID, error) {
	if !r.erasing || len(r.imported) == 0 {
		return nil, nil
	}
	rows, err := q.MentionsOf(ctx, db.MentionsOfParams{GroupID: r.groupID, EpisodeIds: r.imported})
	var ids []uuid.UUID
	for _, row := range rows {
		ids = append(ids, row.EntityID)
	}
	return ids, err
}
