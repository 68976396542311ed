package db

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals/graph"
)

// VectorKinds are the kinds of rows that have vectors, in the order in which
// the engine writes them.
var VectorKinds = []graph.Kind{graph.KindEpisode, graph.KindEntity, graph.KindFact, graph.KindCommunity}

// EpisodeVectors are rows for the vectors of an episode: first that of the whole, then those of its
// passages.
func EpisodeVectors(groupID, model string, id uuid.UUID, vectors [][]float32) []EpisodeEmbeddingUpsertParams {
	rows := make([]EpisodeEmbeddingUpsertParams, len(vectors))
	for part, vector := range vectors {
		rows[part] = EpisodeEmbeddingUpsertParams{
			GroupID: groupID, Model: model, EpisodeID: id, Part: int16(part), LastPart: int16(len(vectors) - 1), Embedding: Vector(vector), //nolint:gosec // some dozen
		}
	}
	return rows
}

// FillVectors adds vectors to rows whose texts are still those that the vectors were made from, and
// returns to how many. A row has one vector; an episode also has those of its passages. Rows that
// another transaction is changing are left out.
func (q *Queries) FillVectors(ctx context.Context, kind graph.Kind, groupID, model string, rows []VectorsPageRow, vectors [][][]float32) (int64, error) {
	fill := VectorsFillParams{GroupID: groupID, Kind: kind, Model: model}
	for i, row := range rows {
		fill.Ids = append(fill.Ids, row.ID)
		fill.Texts = append(fill.Texts, row.Text)
		fill.Predicates = append(fill.Predicates, row.Predicate)
		fill.Embeddings = append(fill.Embeddings, written(vectors[i]))
	}
	added, err := q.VectorsFill(ctx, fill)
	return added, explainEmbedder(err)
}

// written writes vectors as annals_internal.fill_vectors reads them.
func written(vectors [][]float32) string {
	texts := make([]string, len(vectors))
	for i, vector := range vectors {
		texts[i] = Vector(vector).String()
	}
	return strings.Join(texts, " ")
}

// explainEmbedder explains the refusal of annals_internal.check_embedder.
func explainEmbedder(err error) error {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.Code != codeReplaced {
		return err
	}
	return &graph.Error{
		Code: graph.CodeConflict, Field: "embedder",
		Message: pg.Message + "; set ANNALS_EMBEDDER (and ANNALS_EMBEDDING_DIM) to that one and start again", Err: nil,
	}
}
