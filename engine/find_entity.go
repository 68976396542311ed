package engine

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// FindEntity returns the entity with this id, or the only one that goes by
// this name. An id that was merged away stands for the entity it went into.
func (e *Engine) FindEntity(ctx context.Context, groupID, idOrName string) (graph.Entity, error) {
	if err := graph.ValidateGroupID(groupID); err != nil {
		return graph.Entity{}, err
	}
	ids, err := e.idsOf(ctx, groupID, idOrName)
	if err != nil {
		return graph.Entity{}, err
	}
	rows, err := db.New(e.pool).EntitiesByIDs(ctx, db.EntitiesByIDsParams{GroupID: groupID, Ids: ids})
	switch {
	case err != nil:
		return graph.Entity{}, fmt.Errorf("find entity %q: %w", idOrName, err)
	case len(rows) == 0:
		return graph.Entity{}, &graph.Error{
			Code: graph.CodeNotFound, Field: "entity",
			Message: fmt.Sprintf("group %s has none called %q; 'annals entities' lists them", groupID, idOrName),
		}
	case len(rows) > 1:
		return graph.Entity{}, &graph.Error{
			Code: graph.CodeConflict, Field: "entity",
			Message: fmt.Sprintf("%d entities of group %s go by the name %q; use the id of one", len(rows), groupID, idOrName),
		}
	}
	return db.Entity(rows[0]), nil
}

func (e *Engine) idsOf(ctx context.Context, groupID, idOrName string) ([]uuid.UUID, error) {
	queries := db.New(e.pool)
	if id, err := uuid.Parse(idOrName); err == nil {
		now, err := queries.EntityMergedInto(ctx, db.EntityMergedIntoParams{GroupID: groupID, ID: id})
		if err != nil {
			return nil, fmt.Errorf("find entity %s: %w", id, err)
		}
		return []uuid.UUID{now}, nil
	}
	rows, err := queries.EntitiesByNames(ctx, db.EntitiesByNamesParams{GroupID: groupID, Names: []string{idOrName}})
	if err != nil {
		return nil, fmt.Errorf("find entity %q: %w", idOrName, err)
	}
	ids := []uuid.UUID{}
	for _, row := range rows {
		if row.EntityID != uuid.Nil {
			ids = append(ids, row.EntityID)
		}
	}
	return ids, nil
}
