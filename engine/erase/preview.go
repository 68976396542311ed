package erase

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/undo"
)

// PreviewErase erases episodes or an entity and rolls back. Look sees the graph after the
// episodes were undone. The certificate only counts. For a group it counts the rows, and
// look is not called.
func (e *Eraser) PreviewErase(ctx context.Context, what Erasure, look undo.Look) (Certificate, undo.Undone, error) {
	scope, err := e.scopeOf(ctx, &what)
	if err != nil {
		return Certificate{}, undo.Undone{}, err
	}
	x := e.erasure(what, scope, nil)
	if scope == "episode" || scope == "entity" {
		err = e.Preview(ctx, what.GroupID, func(tx pgx.Tx) error {
			x = e.erasure(what, scope, tx)
			x.look = look
			return x.erase(ctx)
		})
	} else {
		err = x.counts(db.New(e.Pool).GroupHolds(ctx, what.GroupID))
		x.certificate.Episodes = int(x.removed["episodes"])
	}
	if err != nil {
		return Certificate{}, undo.Undone{}, change.Failed(err, "rehearse erasing the %s", scope)
	}
	return x.done(), x.undone, nil
}
