package annals

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/annalsdb/annals/db"
)

// embedderWatch tells an operator when the client's embedder is not, or no
// longer, the one whose vectors the database has: searches then find by words
// and by the graph only, which nothing else would show.
type embedderWatch struct {
	pool db.Pool
	name string
	log  *slog.Logger // nil: nobody listens
	next atomic.Int64 // time of the next look, in nanoseconds since 1970
}

const betweenLooks = time.Minute

// look looks once a minute, whoever asks.
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
