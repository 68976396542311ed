package retrieval

import (
	"context"
	"errors"
	"sync"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// besideFound is what was found beside everything else.
type besideFound struct {
	cancel  context.CancelFunc
	vectors chan struct{} // closed when what they rank is there
	done    chan struct{} // closed when the rest is there too
	ranked  map[graph.Kind][]scored
	said    []scored // episodes by their words
	heard   bool     // said is there
	err     error    // once all is done
}

// startBeside has the vectors compared, and then the words of episodes looked
// up, on a second connection while the words of all others are looked up on
// the first: both take about as long. It sees the same state of the database.
// Where no connection is to spare, nothing is started, and one comes after the
// other.
func (v *view) startBeside(ctx context.Context) error {
	if !v.uses(MethodVector) || !v.uses(MethodTerms) {
		return nil
	}
	beside, err := v.queries.Beside(ctx, v.searcher.pool)
	if err != nil || beside == nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	found := &besideFound{
		cancel: cancel, vectors: make(chan struct{}), done: make(chan struct{}), ranked: map[graph.Kind][]scored{},
	}
	other := *v
	v.beside = found
	go func() {
		defer close(found.done)
		vectorsThere := sync.OnceFunc(func() { close(found.vectors) })
		defer vectorsThere()
		err := beside.Read(ctx, func(queries *db.Queries) error {
			other.queries = queries
			if err := other.rankVectors(ctx, found.ranked); err != nil {
				return err
			}
			vectorsThere()
			return other.hear(ctx, found)
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

// hear looks up the words of episodes, where that is not all there is to do.
func (v *view) hear(ctx context.Context, found *besideFound) error {
	if !v.wants(graph.KindEpisode) || len(v.kinds()) == 1 {
		return nil
	}
	var err error
	found.said, err = v.timedByTerms(ctx, graph.KindEpisode)
	found.heard = err == nil
	return err
}

// stopBeside waits until the second connection is free again.
func (v *view) stopBeside() {
	if v.beside != nil {
		v.beside.cancel()
		<-v.beside.done
	}
}

// terms are a scope's rows by their words, from the second connection where
// they come from there.
func (v *view) terms(ctx context.Context, kind graph.Kind) ([]scored, error) {
	if v.beside != nil && kind == graph.KindEpisode {
		<-v.beside.done
		if v.beside.heard || v.beside.err != nil {
			return v.beside.said, v.beside.err
		}
	}
	return v.timedByTerms(ctx, kind)
}

func (v *view) timedByTerms(ctx context.Context, kind graph.Kind) ([]scored, error) {
	defer v.explanation.timed(string(kind) + " " + string(MethodTerms))()
	return v.byTerms(ctx, kind)
}

// vectors are a scope's rows by their vectors, from the second connection
// where they come from there.
func (v *view) vectors(ctx context.Context, kind graph.Kind) ([]scored, error) {
	if v.beside != nil {
		<-v.beside.vectors
		if ranked, there := v.beside.ranked[kind]; there {
			return ranked, nil
		}
		<-v.beside.done
		if v.beside.err != nil {
			return nil, v.beside.err
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
