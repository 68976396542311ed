package engine

import (
	"context"

	"github.com/annalsdb/annals/db/embeddings"
	"github.com/annalsdb/annals/model"
)

// indexVectors gives a group that has grown large the vector indexes that are
// due, which may take minutes; others read and write meanwhile. Where that is
// not possible, as for a role that may not create an index, searches go on
// comparing every vector.
func (e *Engine) indexVectors(ctx context.Context, groupID string) error {
	if e.options.IndexedVectors < 0 {
		return nil
	}
	due, err := embeddings.IndexesDue(ctx, e.pool, groupID, e.options.IndexedVectors, !model.Lexical(e.embedder))
	if err != nil || !due {
		return err
	}
	changes, err := embeddings.BuildIndexes(ctx, e.pool, groupID, e.options.IndexedVectors)
	for _, c := range changes {
		e.log.InfoContext(ctx, "vector index changed", "change", c.Change, "group", c.GroupID, "kind", c.Kind, "vectors", c.Vectors, "took", c.Took)
	}
	if err != nil && ctx.Err() == nil {
		e.log.WarnContext(ctx, "large group is searched without a vector index", "group", groupID, "error", err)
		return nil
	}
	return err
}
