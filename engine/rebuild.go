package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// Rebuilt says what rebuilding a group's graph did.
type Rebuilt struct {
	Replayed int // episodes that were placed again
	Kept     int // entities and facts that no reading tells, and edits by hand, which stay as they are

	FactsAdded, FactsChanged, FactsRemoved          int
	EntitiesAdded, EntitiesChanged, EntitiesRemoved int
}

// beginning is before anything came into any graph.
var beginning = time.Date(1, 1, 2, 0, 0, 0, 0, time.UTC)

// Rebuild makes the entities and facts of a group anew from what was said and
// told by hand: it is an [Engine.Undo] of nothing from the beginning. Every
// episode is placed again by what was read in it; a model is asked again only
// where its question has changed. What was made, changed or removed by hand stays
// as it is now, and so does what came by an import that kept no readings. What is
// as it should be keeps its id and its history. All of it is one transaction.
func (e *Engine) Rebuild(ctx context.Context, groupID string, anyReader bool) (Rebuilt, error) {
	if err := graph.ValidateGroupID(groupID); err != nil {
		return Rebuilt{}, err
	}
	var done Rebuilt
	err := e.lockGroup(ctx, groupID, Portion{}, func(func() error) error {
		return db.Retrying(ctx, func() error {
			return pgx.BeginFunc(ctx, e.pool, func(tx pgx.Tx) error {
				var err error
				done, err = e.rebuild(ctx, tx, groupID, anyReader)
				return err
			})
		})
	})
	return done, wrapFailed(err, "rebuild the graph of %s", groupID)
}

func (e *Engine) rebuild(ctx context.Context, tx pgx.Tx, groupID string, anyReader bool) (Rebuilt, error) {
	q := db.New(tx)
	if err := q.GroupLock(ctx, groupID); err != nil {
		return Rebuilt{}, err
	}
	began, err := q.EditBegin(ctx, db.EditBeginParams{
		Origin: graph.OriginOf(ctx).Doing("undo"), GroupID: groupID, Judged: true, // what is made anew was believed before
	})
	if err != nil {
		return Rebuilt{}, err
	}
	r := &rehearsal{groupID: groupID, since: beginning, reread: map[uuid.UUID]bool{}, traces: map[uuid.UUID][]db.TracesOfRow{}}
	if err := e.findLater(ctx, q, r, anyReader); err != nil {
		return Rebuilt{}, err
	}
	without, err := e.rehearse(ctx, tx, r, began)
	if err != nil {
		return Rebuilt{}, err
	}
	d, err := e.compare(ctx, q, r, without, began)
	if err != nil {
		return Rebuilt{}, err
	}
	if err := q.WeighLater(ctx, true); err != nil {
		return Rebuilt{}, err
	}
	if err := d.write(ctx, e, q); err != nil {
		return Rebuilt{}, fmt.Errorf("write what is different: %w", err)
	}
	if err := e.weighAtLast(ctx, q, groupID); err != nil {
		return Rebuilt{}, err
	}
	if err := q.ObservationsCount(ctx, db.ObservationsCountParams{GroupID: groupID, Anew: true}); err != nil {
		return Rebuilt{}, err
	}
	return Rebuilt{
		Replayed: len(r.later), Kept: len(d.edited),
		FactsAdded: len(d.newFacts), FactsChanged: len(d.changedFacts), FactsRemoved: len(d.goneFacts),
		EntitiesAdded: len(d.newEntities), EntitiesChanged: len(d.changedEntities) + len(d.retold), EntitiesRemoved: len(d.goneEntities),
	}, nil
}
