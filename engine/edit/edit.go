// Package edit changes the graph by hand: entities and facts, marks, and the trust of facts. The
// history keeps every earlier version.
package edit

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// Editor edits the graphs of a database.
type Editor struct{ *change.Writer }

// SetMetadata merges an object into the metadata of an episode; null removes a key.
func (e *Editor) SetMetadata(ctx context.Context, groupID string, id uuid.UUID, edit json.RawMessage) error {
	err := db.InTx(ctx, e.Pool, func(q *db.Queries) error {
		rows, err := q.EpisodesByIDs(ctx, db.EpisodesByIDsParams{GroupID: groupID, Ids: []uuid.UUID{id}})
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return change.NotFound("episode", "there is none with the id %s", id)
		}
		if _, err := e.In(q, groupID).MayChangeEpisodes(ctx, id); err != nil {
			return err
		}
		merged, err := changeObject("metadata", rows[0].Metadata, edit)
		if err != nil {
			return err
		}
		_, err = q.EpisodeSetMetadata(ctx, db.EpisodeSetMetadataParams{GroupID: groupID, ID: id, Metadata: merged})
		return change.Refused(err)
	})
	return change.Failed(err, "change the metadata of episode %s", id)
}

func changeObject(field string, old, edit json.RawMessage) (json.RawMessage, error) {
	if len(edit) == 0 {
		return old, nil
	}
	if err := graph.ValidateObject(field, edit); err != nil {
		return nil, err
	}
	merged, err := graph.PatchObject(old, edit)
	if err != nil {
		return nil, graph.Invalid(field, "cannot be merged: %v", err)
	}
	return merged, graph.ValidateObject(field, merged)
}

// FindEntity returns the entity with an id, or the only one with a name. The id of a merged entity
// stands for the entity that it was merged into.
func (e *Editor) FindEntity(ctx context.Context, groupID, idOrName string) (graph.Entity, error) {
	if err := cmp.Or(graph.ValidateGroupID(groupID), graph.ValidateText("entity", idOrName, math.MaxInt)); err != nil {
		return graph.Entity{}, err
	}
	q := db.New(e.Pool)
	ids, err := idsOf(ctx, q, groupID, idOrName)
	if err != nil {
		return graph.Entity{}, fmt.Errorf("find entity %q: %w", idOrName, err)
	}
	rows, err := q.EntitiesByIDs(ctx, db.EntitiesByIDsParams{GroupID: groupID, Ids: ids})
	switch {
	case err != nil:
		return graph.Entity{}, fmt.Errorf("find entity %q: %w", idOrName, err)
	case len(rows) == 0:
		return graph.Entity{}, change.NotFound("entity", "group %s has none called %q; 'annals entities' lists them", groupID, idOrName)
	case len(rows) > 1:
		return graph.Entity{}, change.Conflict("entity", "%s of group %s go by the name %q; use the id of one",
			each.Count(len(rows), "entity"), groupID, idOrName)
	}
	return db.Entity(rows[0]), nil
}

func idsOf(ctx context.Context, q *db.Queries, groupID, idOrName string) ([]uuid.UUID, error) {
	if id, err := uuid.Parse(idOrName); err == nil {
		now, err := q.EntityMergedInto(ctx, db.EntityMergedIntoParams{GroupID: groupID, ID: id})
		return []uuid.UUID{now}, err
	}
	rows, err := q.EntitiesByNames(ctx, db.EntitiesByNamesParams{GroupID: groupID, Names: []string{idOrName}})
	found := each.Where(rows, func(row db.EntitiesByNamesRow) bool { return row.EntityID != uuid.Nil })
	return each.Of(found, func(row db.EntitiesByNamesRow) uuid.UUID { return row.EntityID }), err
}
