package undo

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
)

// Rebuilt reports what a rebuild did to a group's graph.
type Rebuilt struct {
	Replayed int // episodes that were placed again
	Kept     int // entities and facts without a reading, and edits by hand, which stay as they are

	FactsAdded, FactsChanged, FactsRemoved          int
	EntitiesAdded, EntitiesChanged, EntitiesRemoved int
}

// beginning is earlier than anything in any graph.
var beginning = time.Date(1, 1, 2, 0, 0, 0, 0, time.UTC)

// Rebuild rebuilds the entities and facts of a group, as an undo of nothing since the beginning.
// Every episode is placed by its reading; a model is asked only if its question changed. Edits by
// hand and imports without readings stay. Rows that do not change keep their ids and history. The
// rebuild is one transaction.
func (u *Undoer) Rebuild(ctx context.Context, groupID string, anyReader bool) (Rebuilt, error) {
	if err := graph.ValidateGroupID(groupID); err != nil {
		return Rebuilt{}, err
	}
	var done Rebuilt
	err := u.Locks.Hold(ctx, groupID, func() error {
		return u.InTx(ctx, func(tx pgx.Tx) (err error) {
			done, err = u.rebuild(ctx, tx, u.In(db.New(tx), groupID), anyReader)
			return err
		})
	})
	return done, change.Failed(err, "rebuild the graph of %s", groupID)
}

func (u *Undoer) rebuild(ctx context.Context, tx pgx.Tx, t *change.Tx, anyReader bool) (Rebuilt, error) {
	r := &rehearsal{Undoer: u, since: beginning, reread: map[uuid.UUID]bool{}}
	if err := r.begin(ctx, t); err != nil {
		return Rebuilt{}, err
	}
	if err := r.findLater(ctx, t, anyReader); err != nil {
		return Rebuilt{}, err
	}
	d, err := r.makeSo(ctx, tx, t)
	if err != nil {
		return Rebuilt{}, err
	}
	return Rebuilt{
		Replayed: len(r.later), Kept: len(d.edited),
		FactsAdded: len(d.newFacts), FactsChanged: len(d.changedFacts), FactsRemoved: len(d.goneFacts),
		EntitiesAdded: len(d.newEntities), EntitiesChanged: len(d.changedEntities) + len(d.retold), EntitiesRemoved: len(d.goneEntities),
	}, r.finish(ctx, t)
}
