package upkeep

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/db/embeddings"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
)

// Reembedded says what became of the vectors of a database.
type Reembedded struct {
	Embedder   string                   `json:"embedder"`
	Dimensions int                      `json:"dimensions"`
	Made       int64                    `json:"made"`    // rows whose vectors were made
	Dropped    int64                    `json:"dropped"` // rows whose vectors, by other embedders, were removed
	Indexes    []embeddings.IndexChange `json:"indexes"`
}

// Reembed makes the vectors of the whole database anew with another embedder,
// while reading and writing go on. The new vectors are filled in beside those in
// force; once all are there, they are the ones in force from one moment to the
// next, and the others are removed. Called again after it was interrupted, it
// goes on where it stopped: vectors that are there are not made again. The
// embedder may be the one in force: then only what is missing is made.
//
// report, if not nil, is told how many vectors were made, each time some were,
// from several goroutines. While another process is at it, it is a
// [graph.CodeConflict].
func Reembed(ctx context.Context, pool db.Pool, to model.Embedder, report func(made int)) (Reembedded, error) {
	r := &reembedding{filling: newFilling(pool, to, report)}
	r.done = Reembedded{Embedder: to.Name(), Dimensions: to.Dimensions(), Indexes: []embeddings.IndexChange{}}
	if d := to.Dimensions(); d < 1 || d > embeddings.MaxDimensions {
		return r.done, graph.Invalid("embedder", "%s makes vectors of %d dimensions; they may have 1 to %d", to.Name(), d, embeddings.MaxDimensions)
	}
	err := embeddings.WithEmbedderLock(ctx, pool, func(work *pgx.Conn) error {
		r.work = work
		return r.run(ctx)
	})
	r.done.Made, r.done.Dropped = r.made.Load(), r.dropped.Load()
	if err != nil {
		return r.done, fmt.Errorf("re-embed with %s: %w", to.Name(), err)
	}
	return r.done, nil
}

// reembedding is a run, alone in the database.
type reembedding struct {
	*filling
	work *pgx.Conn // for what must run outside of transactions
	done Reembedded
}

func (r *reembedding) run(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		r.begin, r.catchUp, r.index, r.takeOver, r.finishFilling, r.removeOthers,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// begin announces the embedder, so that its vectors are let in and those of
// texts that change meanwhile are forgotten. What an abandoned run with
// another embedder left is out of date by now, and is removed.
func (r *reembedding) begin(ctx context.Context) error {
	q := db.New(r.pool)
	known, err := q.Embedders(ctx)
	if err != nil {
		return fmt.Errorf("ask which embedder is in force: %w", err)
	}
	name := r.embedder.Name()
	if left := known.NextEmbedder; left != "" && left != name && left != known.Embedder {
		if err := r.drop(ctx, left, true); err != nil {
			return err
		}
	}
	if known.Embedder == name && known.NextEmbedder == "" {
		return nil
	}
	return q.EmbedderBegin(ctx, name)
}

// catchUp fills in until hardly anything came in meanwhile.
func (r *reembedding) catchUp(ctx context.Context) error {
	const few = 200
	for {
		passed, err := r.pass(ctx)
		if err != nil {
			return err
		}
		if passed.found < few {
			return embeddings.Vacuum(ctx, r.pool)
		}
	}
}

// index gives the new vectors of large groups their indexes before they are
// searched.
func (r *reembedding) index(ctx context.Context) error {
	if err := db.New(r.pool).VectorIndexesRecheck(ctx, r.embedder.Name()); err != nil {
		return fmt.Errorf("look at the vector indexes: %w", err)
	}
	return r.buildIndexes(ctx)
}

func (r *reembedding) buildIndexes(ctx context.Context) error {
	changes, err := embeddings.BuildIndexes(ctx, r.pool, "", 0)
	r.done.Indexes = append(r.done.Indexes, changes...)
	return err
}

// takeOver is the moment of the change.
func (r *reembedding) takeOver(ctx context.Context) error {
	return embeddings.SwitchEmbedder(ctx, r.work, r.embedder.Name(), r.embedder.Dimensions())
}

// finishFilling makes the vectors of what was written between the last look
// and the change. From the change on nobody writes others.
func (r *reembedding) finishFilling(ctx context.Context) error {
	for {
		passed, err := r.pass(ctx)
		if err != nil || passed.found == passed.made {
			return err
		}
		select { // for somebody to let go of the rows that are left
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// removeOthers removes what other embedders made, and their indexes first from
// use, then from the disk.
func (r *reembedding) removeOthers(ctx context.Context) error {
	name := r.embedder.Name()
	if err := db.New(r.pool).VectorIndexesRetire(ctx, name); err != nil {
		return fmt.Errorf("let go of the old vector indexes: %w", err)
	}
	if err := r.drop(ctx, name, false); err != nil {
		return err
	}
	return r.buildIndexes(ctx)
}

// drop removes the vectors of a model where own, else those of all others. Of
// what is no more they are not made anew: its words and its place in the graph
// find it.
func (r *reembedding) drop(ctx context.Context, name string, own bool) error {
	const some = 5000
	q := db.New(r.pool)
	return r.eachGroup(ctx, func(ctx context.Context, groupID string) error {
		for _, kind := range db.VectorKinds {
			for {
				n, err := q.VectorsDrop(ctx, db.VectorsDropParams{GroupID: groupID, Kind: kind, Model: name, Own: own, MaxRows: some})
				if err != nil {
					return fmt.Errorf("remove old vectors of %s: %w", groupID, err)
				}
				r.dropped.Add(n)
				if n == 0 {
					break
				}
			}
		}
		return r.dropPast(ctx, groupID, name, own)
	})
}

// dropPast does so with the vectors of what is no more, while nobody adds to
// them.
func (r *reembedding) dropPast(ctx context.Context, groupID, name string, own bool) error {
	err := db.InTx(ctx, r.pool, func(q *db.Queries) error {
		if err := q.GroupLock(ctx, groupID); err != nil {
			return err
		}
		n, err := q.PastVectorsDrop(ctx, db.PastVectorsDropParams{GroupID: groupID, Model: name, Own: own})
		r.dropped.Add(n)
		return err
	})
	if err != nil {
		return fmt.Errorf("remove old vectors of the past of %s: %w", groupID, err)
	}
	return nil
}
