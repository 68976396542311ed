package annals

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/upkeep"
	"github.com/annalsdb/annals/model"
)

// Embed makes the vectors that a group's rows lack, with the client's
// embedder, and returns how many. Processing makes them by itself; this is for
// rows that came by another way. report, if not nil, is told how many were
// made, each time some were.
func (c *Client) Embed(ctx context.Context, groupID string, report func(made int)) (int, error) {
	return changed(c, groupID, func() (int, error) {
		return upkeep.FillVectors(ctx, c.pool, c.embedder, groupID, report)
	})
}

// EmbedTexts makes vectors of texts with the client's embedder, at the expense
// of a group.
func (c *Client) EmbedTexts(ctx context.Context, groupID string, texts []string) ([][]float32, error) {
	if err := c.admit(groupID); err != nil {
		return nil, err
	}
	return model.Vectors(model.WithSubject(ctx, model.Subject{GroupID: groupID}), c.embedder, texts)
}

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
	return upkeep.Reembed(ctx, c.pool, model.EmbedderWith(to, engine.NewLedger(c.pool)), report)
}

// Vectors says what makes the vectors of a database, and what a group lacks.
type Vectors struct {
	Embedder string `json:"embedder"` // since the database was re-embedded; empty: it never was
	Next     string `json:"next"`     // that is being filled in, or was when it was interrupted; empty: none

	// How many rows of the group lack a vector of the client's embedder.
	Missing MissingVectors `json:"missing"`
}

// MissingVectors counts rows without a vector. Episodes that wait to be read
// are not counted: they get theirs when they are.
type MissingVectors struct {
	Episodes    int64 `json:"episodes"`
	Entities    int64 `json:"entities"`
	Facts       int64 `json:"facts"`
	Communities int64 `json:"communities"`
}

// Total is how many rows lack a vector.
func (m MissingVectors) Total() int64 { return m.Episodes + m.Entities + m.Facts + m.Communities }

// Vectors looks at the vectors of a group. It reads all their keys.
func (c *Client) Vectors(ctx context.Context, groupID string) (Vectors, error) {
	if err := c.admit(groupID); err != nil {
		return Vectors{}, err
	}
	q := db.New(c.pool)
	embedders, err := q.Embedders(ctx)
	if err != nil {
		return Vectors{}, fmt.Errorf("ask which embedder is in force: %w", err)
	}
	missing, err := q.VectorsMissing(ctx, db.VectorsMissingParams{GroupID: groupID, Model: c.embedder.Name()})
	if err != nil {
		return Vectors{}, fmt.Errorf("count the vectors of %s: %w", groupID, err)
	}
	return Vectors{Embedder: embedders.Embedder, Next: embedders.NextEmbedder, Missing: MissingVectors(missing)}, nil
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
