package annals

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/upkeep"
	"github.com/annalsdb/annals/model"
)

// Reembedded says what re-embedding a database did.
type Reembedded = upkeep.Reembedded

// Reembed makes the vectors of the whole database with another embedder, of
// another dimension perhaps, while reading and writing go on here and
// elsewhere. The new vectors are filled in beside those in force, become the
// ones in force at one moment when all are there, and the old ones are removed.
// After an interruption, by a crash too, calling it again goes on where it
// stopped. report, if not nil, is told how many vectors were made, each time
// some were, from several goroutines.
//
// From then on clients that were opened with the old embedder, this one
// included, find by words and by the graph only, and fail with [CodeConflict]
// when they process: open new ones, with the new embedder. What they were
// processing is kept and waits. While another process re-embeds the database,
// Reembed fails with [CodeConflict].
func (c *Client) Reembed(ctx context.Context, to model.Embedder, report func(made int)) (Reembedded, error) {
	if err := c.unbound(); err != nil {
		return Reembedded{}, err
	}
	defer c.wrote()
	return upkeep.Reembed(ctx, c.pool, model.EmbedderWith(to, analyst.NewLedger(c.pool)), report)
}

// embedderWatch warns an operator when the database's vectors are not of the
// client's embedder: searches then find by words and by the graph only, which
// nothing else would show.
type embedderWatch struct {
	pool db.Pool
	name string
	log  *slog.Logger // nil: none
	next atomic.Int64 // time of the next look, in nanoseconds since 1970
}

const betweenLooks = time.Minute

// look looks at most once a minute.
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
