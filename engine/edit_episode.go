package engine

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// SetMetadata merges an object into the metadata of an episode; null removes a key.
func (e *Engine) SetMetadata(ctx context.Context, groupID string, id uuid.UUID, change json.RawMessage) error {
	err := db.InTx(ctx, e.pool, func(q *db.Queries) error {
		rows, err := q.EpisodesByIDs(ctx, db.EpisodesByIDsParams{GroupID: groupID, Ids: []uuid.UUID{id}})
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return &graph.Error{Code: graph.CodeNotFound, Field: "episode", Message: "there is none with the id " + id.String()}
		}
		merged, err := changeObject("metadata", rows[0].Metadata, change)
		if err != nil {
			return err
		}
		_, err = q.EpisodeSetMetadata(ctx, db.EpisodeSetMetadataParams{GroupID: groupID, ID: id, Metadata: merged})
		if refused := refusal(err); refused != nil {
			return refused
		}
		return err
	})
	return wrapFailed(err, "change the metadata of episode %s", id)
}

// wrapFailed is wrapEdit, and nil where err is.
func wrapFailed(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return wrapEdit(err, format, args...)
}

// changeObject merges an object into another; null removes a key.
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
