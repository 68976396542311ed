package engine

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// DeleteFact has a fact believed no more. The history keeps it.
func (e *Engine) DeleteFact(ctx context.Context, groupID string, id uuid.UUID) error {
	err := e.edit(ctx, groupID, func(q *db.Queries) error {
		deleted, err := q.FactDelete(ctx, db.FactDeleteParams{GroupID: groupID, ID: id})
		if err == nil && deleted == 0 {
			return &graph.Error{
				Code: graph.CodeNotFound, Field: "fact",
				Message: fmt.Sprintf("group %s has no current fact %s; 'annals facts' lists them", groupID, id),
			}
		}
		return err
	})
	return wrapFailed(err, "delete fact %s", id)
}

// wrapFailed is wrapEdit for what may have gone well.
func wrapFailed(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return wrapEdit(err, format, args...)
}

// changeObject merges an object into another; null takes a key away.
func changeObject(field string, old, change json.RawMessage) (json.RawMessage, error) {
	if len(change) == 0 {
		return old, nil
	}
	if err := graph.ValidateObject(field, change); err != nil {
		return nil, err
	}
	merged, err := graph.PatchObject(old, change)
	if err != nil {
		return nil, graph.Invalid(field, "cannot be merged: %v", err)
	}
	return merged, graph.ValidateObject(field, merged)
}
