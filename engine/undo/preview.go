package undo

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
)

// Look sees the graph as undoing or erasing would leave it, in a transaction that is
// rolled back. before is a recorded time just before it.
type Look func(ctx context.Context, tx pgx.Tx, before time.Time) error

// errPreviewed rolls the transaction of a preview back.
var errPreviewed = errors.New("this was a preview")

// PreviewUndo undoes episodes, lets look see the graph, and rolls back. It costs as much
// as undoing, and other writes wait. Answers of models are kept for the real undo.
func (u *Undoer) PreviewUndo(ctx context.Context, deletion Deletion, look Look) (Undone, error) {
	if err := graph.ValidateGroupID(deletion.GroupID); err != nil {
		return Undone{}, err
	}
	var done Undone
	err := u.Preview(ctx, deletion.GroupID, func(tx pgx.Tx) (err error) {
		var traces Traces
		if done, traces, err = u.Within(ctx, tx, deletion, nil); err != nil {
			return err
		}
		return look(ctx, tx, traces.Before())
	})
	if err != nil {
		return Undone{}, change.Failed(err, "rehearse undoing episodes of %s", deletion.GroupID)
	}
	return done, nil
}

// Preview runs work on a group as a write would, and rolls it back.
func (u *Undoer) Preview(ctx context.Context, groupID string, work func(tx pgx.Tx) error) error {
	err := u.Locks.Hold(ctx, groupID, func() error {
		return u.InTx(ctx, func(tx pgx.Tx) error {
			if err := work(tx); err != nil {
				return err
			}
			return errPreviewed
		})
	})
	if errors.Is(err, errPreviewed) {
		return nil
	}
	return err
}

// Before is the last time on the recorded axis before the undo.
func (tr Traces) Before() time.Time {
	began := tr.Began
	if began.IsZero() {
		began = time.Now()
	}
	return began.Add(-time.Microsecond)
}
