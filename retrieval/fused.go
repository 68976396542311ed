package retrieval

import (
	"context"
	"math"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
)

// fused makes one ranking of a scope's. What contains a phrase of the query
// stands before what does not: each phrase adds 1 to a score, and what fusion
// alone gives is always less.
func (v *view) fused(ctx context.Context, kind graph.Kind, found rankings) ([]scored, error) {
	hits := fuse(math.MaxInt, found.lists()...)
	if kind == graph.KindFact && len(v.times) > 0 && len(hits) > 0 {
		var err error
		if hits, err = v.timely(ctx, hits, found); err != nil {
			return nil, err
		}
	}
	if said := found[MethodPhrase]; len(said) > 0 {
		phrases := make(map[uuid.UUID]float64, len(said))
		for _, s := range said {
			phrases[s.ID] = s.Score
		}
		hits = reordered(hits, func(h scored) float64 { return h.Score + phrases[h.ID] })
	}
	return hits[:min(v.candidates(), len(hits))], nil
}
