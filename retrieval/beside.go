package retrieval

import (
	"context"
	"errors"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// vectorsFound is what vectors found beside everything else.
type vectorsFound struct {
	cancel context.CancelFunc
	done   chan struct{} // closed when the rest is there
	ranked map[graph.Kind][]scored
	err    error
}

// startVectors has the vectors compared on a second connection while words are
// looked up on the first: both take about as long. It sees the same state of
// the database. Where no connection is to spare, nothing is started, and the
// vectors come after the words.
func (v *view) startVectors(ctx context.Context) error {
	if !v.uses(MethodVector) || !v.uses(MethodTerms) {
		return nil
	}
	beside, err := v.queries.Beside(ctx, v.searcher.pool)
	if err != nil || beside == nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	found := &vectorsFound{cancel: cancel, done: make(chan struct{}), ranked: map[graph.Kind][]scored{}}
	other := *v
	v.beside = found
	go func() {
		defer close(found.done)
		err := beside.Read(ctx, func(queries *db.Queries) error {
			other.queries = queries
			return other.rankVectors(ctx, found.ranked)
		})
		if !errors.Is(err, db.ErrNoConnection) {
			found.err = err
		}
	}()
	return nil
}

func (v *view) rankVectors(ctx context.Context, ranked map[graph.Kind][]scored) error {
	if err := v.findIndexes(ctx); err != nil {
		return err
	}
	for _, kind := range v.kinds() {
		if kind == graph.KindEpisode && v.lexical() {
			continue // they count only where words find nothing
		}
		var err error
		if ranked[kind], err = v.timedByVector(ctx, kind); err != nil {
			return err
		}
	}
	return nil
}

// stopVectors waits until the second connection is free again.
func (v *view) stopVectors() {
	if v.beside != nil {
		v.beside.cancel()
		<-v.beside.done
	}
}

// vectors are a scope's rows by their vectors, from the second connection
// where they come from there.
func (v *view) vectors(ctx context.Context, kind graph.Kind) ([]scored, error) {
	if v.beside != nil {
		<-v.beside.done
		if ranked, there := v.beside.ranked[kind]; there || v.beside.err != nil {
			return ranked, v.beside.err
		}
	}
	if err := v.findIndexes(ctx); err != nil {
		return nil, err
	}
	return v.timedByVector(ctx, kind)
}

func (v *view) timedByVector(ctx context.Context, kind graph.Kind) ([]scored, error) {
	defer v.explanation.timed(string(kind) + " " + string(MethodVector))()
	return v.byVector(ctx, kind)
}

// findIndexes looks up once which of the group's vectors have an index.
func (v *view) findIndexes(ctx context.Context) error {
	if v.indexes != nil {
		return nil
	}
	indexes, err := v.queries.VectorIndexes(ctx, v.query.GroupID, v.model)
	v.indexes = &indexes
	return err
}
