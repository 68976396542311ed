package db

import (
	"context"

	"github.com/annalsdb/annals/graph"
)

// VectorKinds are the kinds of rows that have vectors, in the order in which
// the engine writes them.
var VectorKinds = []graph.Kind{graph.KindEpisode, graph.KindEntity, graph.KindFact, graph.KindCommunity}

// FillVectors adds vectors to rows whose texts are still those they were made
// from, and returns how many. Rows that somebody is changing are left out.
func (q *Queries) FillVectors(ctx context.Context, kind graph.Kind, groupID, model string, rows []VectorsPageRow, vectors [][]float32) (int64, error) {
	fill := VectorsFillParams{GroupID: groupID, Kind: kind, Model: model}
	for i, row := range rows {
		fill.Ids = append(fill.Ids, row.ID)
		fill.Texts = append(fill.Texts, row.Text)
		fill.Predicates = append(fill.Predicates, row.Predicate)
		fill.Embeddings = append(fill.Embeddings, Vector(vectors[i]).String())
	}
	added, err := q.VectorsFill(ctx, fill)
	return added, explainEmbedder(err)
}
