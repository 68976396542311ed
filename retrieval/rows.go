package retrieval

import (
	"context"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// Rows are read in the version that the query asks for.

func (v *view) readFacts(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]graph.Fact, error) {
	rows, err := v.rowsOf(ctx, graph.KindFact, ids)
	return factsOf(rows), err
}

func (v *view) readEpisodes(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]graph.Episode, error) {
	rows, err := v.rowsOf(ctx, graph.KindEpisode, ids)
	return episodesOf(rows), err
}

func (v *view) rowsOf(ctx context.Context, kind graph.Kind, ids []uuid.UUID) (found db.Found, err error) {
	together := v.queries.Together()
	together.Rows(v.query.GroupID, v.query.Text, v.knownAt(), map[graph.Kind][]uuid.UUID{kind: ids}, &found)
	err = together.Send(ctx)
	return found, err
}

func factsOf(rows db.Found) map[uuid.UUID]graph.Fact {
	return each.Map(rows.Facts, func(row db.FactRow) (uuid.UUID, graph.Fact) { return row.ID, db.Fact(row) })
}

func entitiesOf(rows db.Found) map[uuid.UUID]graph.Entity {
	return each.Map(rows.Entities, func(row db.EntityRow) (uuid.UUID, graph.Entity) { return row.ID, db.Entity(row) })
}

func episodesOf(rows db.Found) map[uuid.UUID]graph.Episode {
	return each.Map(rows.Episodes, func(row db.EpisodesFoundRow) (uuid.UUID, graph.Episode) { return row.ID, db.FoundEpisode(row) })
}

// passagesOf returns the episodes that were read as a passage, not as a whole.
func passagesOf(rows db.Found) map[uuid.UUID]bool {
	return each.Map(rows.Episodes, func(row db.EpisodesFoundRow) (uuid.UUID, bool) { return row.ID, row.IsPassage })
}

func communitiesOf(rows db.Found) map[uuid.UUID]graph.Community {
	return each.Map(rows.Communities, func(row db.CommunityRow) (uuid.UUID, graph.Community) { return row.ID, db.Community(row) })
}

func (o ordering) readVectors(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID][]float32, error) {
	var rows []db.VectorRow
	var err error
	if o.asKnown(o.kind) {
		rows, err = o.queries.VectorsKnown(ctx, db.VectorsKnownParams{
			GroupID: o.query.GroupID, Kind: o.kind, Model: o.model, KnownAt: o.query.KnownAt, Ids: ids,
		})
	} else {
		rows, err = o.queries.Vectors(ctx, db.VectorsParams{GroupID: o.query.GroupID, Kind: o.kind, Model: o.model, Ids: ids})
	}
	return each.Map(rows, func(row db.VectorRow) (uuid.UUID, []float32) { return row.ID, row.Embedding.Slice() }), err
}
