package retrieval

import (
	"context"

	"github.com/google/uuid"
	"github.com/pgvector/pgvector-go"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// readFacts reads facts in the version that the query asks for.
func (v *view) readFacts(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]graph.Fact, error) {
	facts := make(map[uuid.UUID]graph.Fact, len(ids))
	if at := v.knownAt(); at != nil {
		rows, err := v.queries.FactsKnownByIDs(ctx, db.FactsKnownByIDsParams{GroupID: v.query.GroupID, Ids: ids, KnownAt: *at})
		for _, row := range rows {
			facts[row.ID] = db.Fact(v.query.GroupID, db.FactsByIDsRow(row))
		}
		return facts, err
	}
	rows, err := v.queries.FactsByIDs(ctx, db.FactsByIDsParams{GroupID: v.query.GroupID, Ids: ids})
	for _, row := range rows {
		facts[row.ID] = db.Fact(v.query.GroupID, row)
	}
	return facts, err
}

func (v *view) readEntities(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]graph.Entity, error) {
	if v.asKnown(graph.KindEntity) {
		return v.knownEntities(ctx, ids)
	}
	rows, err := v.queries.EntitiesByIDs(ctx, db.EntitiesByIDsParams{GroupID: v.query.GroupID, Ids: ids})
	entities := make(map[uuid.UUID]graph.Entity, len(rows))
	for _, row := range rows {
		entities[row.ID] = db.Entity(v.query.GroupID, row)
	}
	return entities, err
}

func (v *view) readEpisodes(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]graph.Episode, error) {
	rows, err := v.queries.EpisodesByIDs(ctx, db.EpisodesByIDsParams{GroupID: v.query.GroupID, Ids: ids})
	episodes := make(map[uuid.UUID]graph.Episode, len(rows))
	for _, row := range rows {
		episodes[row.ID] = db.Episode(v.query.GroupID, db.EpisodeListRow(row))
	}
	return episodes, err
}

func (v *view) readCommunities(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]graph.Community, error) {
	if v.asKnown(graph.KindCommunity) {
		return v.knownCommunities(ctx, ids)
	}
	rows, err := v.queries.CommunitiesByIDs(ctx, db.CommunitiesByIDsParams{GroupID: v.query.GroupID, Ids: ids})
	communities := make(map[uuid.UUID]graph.Community, len(rows))
	for _, row := range rows {
		communities[row.ID] = db.Community(v.query.GroupID, row)
	}
	return communities, err
}

// readVectors reads the vectors of rows of one kind.
func (v *view) readVectors(ctx context.Context, kind graph.Kind, ids []uuid.UUID) (map[uuid.UUID][]float32, error) {
	if v.asKnown(kind) {
		return v.knownVectors(ctx, kind, ids)
	}
	group := v.query.GroupID
	switch kind {
	case graph.KindFact:
		rows, err := v.queries.FactVectors(ctx, db.FactVectorsParams{GroupID: group, Model: v.model, Ids: ids})
		return vectorsOf(rows, err)
	case graph.KindEntity:
		rows, err := v.queries.EntityVectors(ctx, db.EntityVectorsParams{GroupID: group, Model: v.model, Ids: ids})
		return vectorsOf(rows, err)
	case graph.KindEpisode:
		rows, err := v.queries.EpisodeVectors(ctx, db.EpisodeVectorsParams{GroupID: group, Model: v.model, Ids: ids})
		return vectorsOf(rows, err)
	}
	rows, err := v.queries.CommunityVectors(ctx, db.CommunityVectorsParams{GroupID: group, Model: v.model, Ids: ids})
	return vectorsOf(rows, err)
}

func vectorsOf[Row ~struct {
	ID        uuid.UUID
	Embedding pgvector.HalfVector
}](rows []Row, err error) (map[uuid.UUID][]float32, error) {
	vectors := make(map[uuid.UUID][]float32, len(rows))
	for _, row := range rows {
		r := struct {
			ID        uuid.UUID
			Embedding pgvector.HalfVector
		}(row)
		vectors[r.ID] = r.Embedding.Slice()
	}
	return vectors, err
}
