package retrieval

import (
	"context"
	"errors"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/guard"
)

// wordsFound is what words found beside everything else.
type wordsFound struct {
	cancel context.CancelFunc
	done   chan struct{} // closed when the rest is there
	ranked map[graph.Kind]rankings
	err    error
}

// startWords has words looked up on a second connection while vectors are
// compared on the first: both take about as long. It sees the same state of
// the database. Where no connection is to spare, nothing is started, and the
// words come after the vectors.
func (v *view) startWords(ctx context.Context) error {
	if !v.uses(MethodVector) || !v.uses(MethodTerms) {
		return nil
	}
	beside, err := v.queries.Beside(ctx, v.searcher.pool)
	if err != nil || beside == nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	found := &wordsFound{cancel: cancel, done: make(chan struct{}), ranked: map[graph.Kind]rankings{}}
	other := *v
	v.beside = found
	go func() {
		defer close(found.done)
		err := guard.Run(func() error {
			return beside.Read(ctx, func(queries *db.Queries) error {
				other.queries = queries
				return other.rankWords(ctx, found.ranked)
			})
		})
		if !errors.Is(err, db.ErrNoConnection) {
			found.err = err
		}
	}()
	return nil
}

func (v *view) rankWords(ctx context.Context, ranked map[graph.Kind]rankings) error {
	for _, kind := range v.kinds() {
		var err error
		if ranked[kind], err = v.byWords(ctx, kind); err != nil {
			return err
		}
	}
	return nil
}

// stopWords waits until the second connection is free again.
func (v *view) stopWords() {
	if v.beside != nil {
		v.beside.cancel()
		<-v.beside.done
	}
}

// words are a scope's rows by its words and phrases, from the second connection
// where they come from there.
func (v *view) words(ctx context.Context, kind graph.Kind) (rankings, error) {
	if v.beside != nil {
		<-v.beside.done
		if ranked, there := v.beside.ranked[kind]; there || v.beside.err != nil {
			return ranked, v.beside.err
		}
	}
	return v.byWords(ctx, kind)
}
