// Package change writes to the graph of a group. When facts and entities are ended, edited or
// removed, it updates trust, summaries and communities in the same transaction.
package change

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
)

// Writer writes to the graphs of a database.
type Writer struct {
	Pool     db.Pool
	Embedder model.Embedder
}

// Tx is a transaction that changes the graph of one group.
type Tx struct {
	*Writer
	Queries *db.Queries
	GroupID string

	causes []uuid.UUID // the causing episodes, see Because
}

// In returns the transaction of q, which has begun, for a group.
func (w *Writer) In(q *db.Queries, groupID string) *Tx {
	return &Tx{Writer: w, Queries: q, GroupID: groupID}
}

// ByHand runs a change by hand in one transaction under the group's lock. action is its name in the
// audit.
func (w *Writer) ByHand(ctx context.Context, groupID, action string, change func(*Tx) error) error {
	if err := graph.ValidateGroupID(groupID); err != nil {
		return err
	}
	return Locked(ctx, w.Pool, groupID, func(q *db.Queries) error {
		judged := action != "edit" && action != "add" // moving or restoring facts states nothing new
		if _, err := q.EditBegin(ctx, db.EditBeginParams{GroupID: groupID, Origin: graph.OriginOf(ctx).Doing(action), Judged: judged}); err != nil {
			return err
		}
		if err := change(w.In(q, groupID)); err != nil {
			return err
		}
		return q.NoteDone(ctx)
	})
}

// Locked runs work in a transaction under the group's lock.
func Locked(ctx context.Context, store db.Store, groupID string, work func(*db.Queries) error) error {
	return db.InTx(ctx, store, func(q *db.Queries) error {
		if err := q.GroupLock(ctx, groupID); err != nil {
			return err
		}
		return work(q)
	})
}

// Embed makes the vectors of texts, and charges the group for them.
func (w *Writer) Embed(ctx context.Context, groupID string, texts ...string) ([][]float32, error) {
	vectors, err := model.Vectors(model.WithSubject(ctx, model.Subject{GroupID: groupID}), w.Embedder, texts)
	return vectors, analyst.Failed(ctx, "embed", err)
}

// HideCommunities hides the communities of entities until they have new descriptions.
func (t *Tx) HideCommunities(ctx context.Context, entities ...uuid.UUID) error {
	return t.Queries.CommunitiesOfHide(ctx, db.CommunitiesOfHideParams{GroupID: t.GroupID, EntityIds: append([]uuid.UUID{}, entities...)})
}

// InTx runs work in a transaction, and retries it after a serialisation failure.
func (w *Writer) InTx(ctx context.Context, work func(pgx.Tx) error) error {
	return db.Retrying(ctx, func() error { return pgx.BeginFunc(ctx, w.Pool, work) })
}
