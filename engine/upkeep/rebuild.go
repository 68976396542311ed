package upkeep

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/undo"
	"github.com/annalsdb/annals/internal/each"
)

// Rebuilt reports what a rebuild of a group did.
type Rebuilt struct {
	undo.Rebuilt
	Vectors     int // made where they were missing
	Threads     int // conversations summarised
	Communities int
}

// Rebuild remakes everything derived in a group from its episodes and the edits by hand. An
// interrupted rebuild can be started again.
func (v *Verifier) Rebuild(ctx context.Context, groupID string, anyReader bool) (done Rebuilt, err error) {
	q := db.New(v.pool)
	threads, err := q.RebuildThreads(ctx, groupID)
	if err != nil {
		return done, fmt.Errorf("list the conversations of %s: %w", groupID, err)
	}
	society, err := q.RebuildCommunities(ctx, groupID)
	if err != nil {
		return done, fmt.Errorf("look for communities of %s: %w", groupID, err)
	}
	if err := v.reindex(ctx, groupID); err != nil { // entities are found by their indexed names
		return done, fmt.Errorf("index what was said in %s: %w", groupID, err)
	}
	if done.Rebuilt, err = v.engine.Rebuild(ctx, groupID, anyReader); err != nil {
		return done, err
	}
	if err := v.reindex(ctx, groupID); err != nil {
		return done, fmt.Errorf("index the graph of %s: %w", groupID, err)
	}
	if _, err := v.check(ctx, invariantNamed("vector owners"), groupID, true); err != nil { // the vectors of facts that came back under another id
		return done, fmt.Errorf("drop vectors of %s: %w", groupID, err)
	}
	if done.Vectors, err = FillVectors(ctx, v.pool, v.embedder, groupID, nil); err != nil {
		return done, err
	}
	for _, id := range threads {
		if err := q.RebuildThread(ctx, db.RebuildThreadParams{GroupID: groupID, ID: id}); err != nil {
			return done, fmt.Errorf("forget the summary of %s: %w", id, err)
		}
		if _, err := v.engine.SummariseThread(ctx, groupID, id); err != nil {
			return done, err
		}
		done.Threads++
	}
	if society {
		built, err := v.engine.BuildCommunities(ctx, groupID)
		if err != nil {
			return done, err
		}
		done.Communities = built.Communities
	}
	return done, db.RefreshStatistics(ctx, v.pool, groupID)
}

// reindex remakes terms, postings, names and counts, and blocks writers meanwhile.
func (v *Verifier) reindex(ctx context.Context, groupID string) error {
	err := db.InTx(ctx, v.pool, func(q *db.Queries) error {
		if err := errors.Join(q.MendLockTimeout(ctx), q.VerifyLock(ctx), q.RebuildEmpty(ctx, groupID)); err != nil {
			return err
		}
		rows, err := q.RebuildRows(ctx, groupID)
		if err != nil {
			return err
		}
		ids := each.Groups(rows, func(row db.RebuildRowsRow) (string, uuid.UUID) { return row.Kind, row.ID })
		for kind, of := range ids {
			if err := q.MendPostingsMake(ctx, db.MendPostingsMakeParams{GroupID: groupID, Kind: kind, Ids: of}); err != nil {
				return err
			}
		}
		return q.MendNamesMake(ctx, db.MendNamesMakeParams{GroupID: groupID, Ids: append([]uuid.UUID{}, ids["entity"]...)})
	})
	if err != nil {
		return err
	}
	if _, err := v.check(ctx, invariantNamed("words"), groupID, true); err != nil {
		return err
	}
	_, err = db.MendCounts(ctx, v.pool)
	return err
}
