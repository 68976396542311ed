package upkeep

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/db/embeddings"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/model"
)

// Reembedded reports what happened to the vectors of a database.
type Reembedded struct {
	Embedder   string                   `json:"embedder"`
	Dimensions int                      `json:"dimensions"`
	Made       int64                    `json:"made"`    // rows whose vectors were made
	Dropped    int64                    `json:"dropped"` // rows whose vectors of other embedders were removed
	Indexes    []embeddings.IndexChange `json:"indexes"`
}

// Reembed remakes all vectors with another embedder while reading and writing go on. When the new
// vectors are complete, it switches to them and removes the old ones. If interrupted, it can be
// called again and continues. With the present embedder it makes only missing vectors. It calls
// report, if not nil, with the number made, from several goroutines. It returns a
// [graph.CodeConflict] while another process does the same.
func Reembed(ctx context.Context, pool db.Pool, to model.Embedder, report func(made int)) (Reembedded, error) {
	r := &reembedding{filling: newFilling(pool, to, report)}
	r.done = Reembedded{Embedder: to.Name(), Dimensions: to.Dimensions(), Indexes: []embeddings.IndexChange{}}
	if d := to.Dimensions(); d < 1 || d > embeddings.MaxDimensions {
		return r.done, graph.Invalid("embedder", "%s makes vectors of %s; they may have 1 to %d", to.Name(), each.Count(d, "dimension"), embeddings.MaxDimensions)
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

type reembedding struct {
	*filling
	work *pgx.Conn // for statements that must run outside of transactions
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

// begin announces the embedder, so that its vectors are accepted and kept current. It removes the
// vectors of an abandoned run with another embedder.
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

// catchUp fills in vectors until few are missing.
func (r *reembedding) catchUp(ctx context.Context) error {
	const few = 200
	for {
		found, _, err := r.pass(ctx)
		if err != nil {
			return err
		}
		if found < few {
			return embeddings.Vacuum(ctx, r.pool)
		}
	}
}

// index builds the indexes of the new vectors before they are searched.
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

func (r *reembedding) takeOver(ctx context.Context) error {
	return embeddings.SwitchEmbedder(ctx, r.work, r.embedder.Name(), r.embedder.Dimensions())
}

// finishFilling makes the vectors of rows that were written just before the switch.
func (r *reembedding) finishFilling(ctx context.Context) error {
	for {
		found, made, err := r.pass(ctx)
		if err != nil || found == made {
			return err
		}
		select { // until somebody unlocks the remaining rows
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// removeOthers removes the vectors of other embedders and their indexes.
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

// drop removes the vectors of a model if own, else those of all other models.
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

// dropPast removes the vectors of former versions. They are not remade: former versions are found
// by words and the graph.
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
