package annals

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/upkeep"
	"github.com/annalsdb/annals/model"
)

// Reembedded counts what re-embedding changed.
type Reembedded = upkeep.Reembedded

// Reembed makes all vectors of the database anew with another embedder, possibly of another
// dimension, while reads and writes go on. The new vectors are stored beside the old ones. When all
// exist, searches switch to them at one moment, and the old ones are removed. After an interruption
// or a crash, call it again to continue. report, if not nil, is called by several goroutines, after
// each batch, with the number of vectors made in it.
//
// From then on clients with the old embedder, including this one, search by words and by the graph
// only, and their processing fails with [CodeConflict]. Its episodes stay and wait. Open new
// clients with the new embedder. Reembed fails with [CodeConflict] while another process re-embeds
// the database.
func (c *Client) Reembed(ctx context.Context, to model.Embedder, report func(made int)) (Reembedded, error) {
	if err := c.unbound(); err != nil {
		return Reembedded{}, err
	}
	defer c.wrote()
	return upkeep.Reembed(ctx, c.pool, model.EmbedderWith(to, c.ledger()), report)
}

// embedderWatch warns operators if the database's vectors are not of the client's embedder.
// Searches then work by words and by the graph only, which nothing else would show.
type embedderWatch struct {
	pool db.Pool
	name string
	log  *slog.Logger // nil: no warnings
	next atomic.Int64 // time of the next check, in nanoseconds since 1970
}

const betweenLooks = time.Minute

// look checks the embedder, at most once a minute.
func (w *embedderWatch) look(ctx context.Context) {
	now, next := time.Now(), w.next.Load()
	if w.log == nil || now.UnixNano() < next || !w.next.CompareAndSwap(next, now.Add(betweenLooks).UnixNano()) {
		return
	}
	known, err := db.New(w.pool).Embedders(ctx)
	switch {
	case err != nil:
		w.log.WarnContext(ctx, "cannot tell whose vectors the database has", "error", err)
	case known.Embedder != "" && known.Embedder != w.name:
		w.log.WarnContext(ctx, "the vectors are made by another embedder: searches find by words and by the graph only; start again with that one",
			"embedder", w.name, "vectors", known.Embedder)
	}
}
