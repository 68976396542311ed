package engine

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// Look sees the graph as undoing or erasing would leave it, within a transaction
// that is then rolled back. Before is a time just before, on the recorded axis.
type Look func(ctx context.Context, tx pgx.Tx, before time.Time) error

// errPreviewed ends the transaction of a preview, so that nothing of it stays.
var errPreviewed = errors.New("this was a preview")

// PreviewUndo does what [Engine.Undo] does, lets look see it, and takes it back. It
// costs as much, and other writes to the group wait for it. What a model is asked
// meanwhile is kept, and not asked again when it is done.
func (e *Engine) PreviewUndo(ctx context.Context, deletion Deletion, look Look) (Undone, error) {
	if err := graph.ValidateGroupID(deletion.GroupID); err != nil {
		return Undone{}, err
	}
	var done Undone
	err := e.preview(ctx, deletion.GroupID, func(tx pgx.Tx) error {
		var err error
		if done, err = e.undo(ctx, tx, deletion, func([]db.UndoneEpisodesRow) error { return nil }); err != nil {
			return err
		}
		return look(ctx, tx, justBefore(done.began))
	})
	if err != nil {
		return Undone{}, wrapEdit(err, "rehearse undoing episodes of %s", deletion.GroupID)
	}
	return done, nil
}

// PreviewErase does the same for erasing episodes or an entity. Look sees the graph
// after the episodes were undone, and before the rest goes. The certificate counts
// what would be removed; nothing is certified by it. Of a group all would go: its
// rows are counted, nothing is rehearsed, and look sees nothing.
func (e *Engine) PreviewErase(ctx context.Context, what Erasure, look Look) (Certificate, Undone, error) {
	scope, err := e.scopeOf(ctx, &what)
	if err != nil {
		return Certificate{}, Undone{}, err
	}
	if scope != "episode" && scope != "entity" {
		whole, err := e.holds(ctx, what, scope)
		return whole, Undone{}, err
	}
	var x *eraser
	err = e.preview(ctx, what.GroupID, func(tx pgx.Tx) error {
		x = e.eraser(what, scope)
		x.look = look
		return x.erase(ctx, tx)
	})
	if err != nil {
		return Certificate{}, Undone{}, wrapEdit(err, "rehearse erasing the %s", scope)
	}
	return x.done(), x.undone, nil
}

// holds counts all that there is of a group.
func (e *Engine) holds(ctx context.Context, what Erasure, scope string) (Certificate, error) {
	rows, err := db.New(e.pool).GroupHolds(ctx, what.GroupID)
	if err != nil {
		return Certificate{}, wrapEdit(err, "count what the %s holds", scope)
	}
	x := e.eraser(what, scope)
	x.countBoth(rows)
	x.certificate.Episodes = int(x.removed["episodes"])
	return x.done(), nil
}

// preview runs work on a group as a write would, and rolls it back.
func (e *Engine) preview(ctx context.Context, groupID string, work func(tx pgx.Tx) error) error {
	err := e.lockGroup(ctx, groupID, Portion{}, func(func() error) error {
		return db.Retrying(ctx, func() error {
			return pgx.BeginFunc(ctx, e.pool, func(tx pgx.Tx) error {
				if err := work(tx); err != nil {
					return err
				}
				return errPreviewed
			})
		})
	})
	if errors.Is(err, errPreviewed) {
		return nil
	}
	return err
}

// justBefore is the last time on the recorded axis before a write.
func justBefore(began time.Time) time.Time {
	if began.IsZero() {
		began = time.Now()
	}
	return began.Add(-time.Microsecond)
}
