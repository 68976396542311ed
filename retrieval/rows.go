package retrieval

import (
	"context"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
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
	return byID(rows.Facts, db.Fact, func(f graph.Fact) uuid.UUID { return f.ID })
}

func entitiesOf(rows db.Found) map[uuid.UUID]graph.Entity {
	return byID(rows.Entities, db.Entity, func(e graph.Entity) uuid.UUID { return e.ID })
}

func episodesOf(rows db.Found) map[uuid.UUID]graph.Episode {
	return byID(rows.Episodes, db.FoundEpisode, func(e graph.Episode) uuid.UUID { return e.ID })
}

// passagesOf returns the episodes that were read as a passage, not as a whole.
func passagesOf(rows db.Found) map[uuid.UUID]bool {
	passages := map[uuid.UUID]bool{}
	for _, row := range rows.Episodes {
		passages[row.ID] = row.IsPassage
	}
	return passages
}

func communitiesOf(rows db.Found) map[uuid.UUID]graph.Community {
	return byID(rows.Communities, db.Community, func(c graph.Community) uuid.UUID { return c.ID })
}

// byID converts rows and indexes them by id.
func byID[Row, T any](rows []Row, convert func(Row) T, id func(T) uuid.UUID) map[uuid.UUID]T {
	by := make(map[uuid.UUID]T, len(rows))
	for _, row := range rows {
		one := convert(row)
		by[id(one)] = one
	}
	return by
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
	vectors := make(map[uuid.UUID][]float32, len(rows))
	for _, row := range rows {
		vectors[row.ID] = row.Embedding.Slice()
	}
	return vectors, err
}
