package retrieval

import (
	"context"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// Rows are read in the version that the query asks for.

func (v *view) readFacts(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]graph.Fact, error) {
	var rows []db.FactRow
	var err error
	if at := v.knownAt(); at != nil {
		rows, err = v.queries.FactsKnownByIDs(ctx, db.FactsKnownByIDsParams{GroupID: v.query.GroupID, Ids: ids, KnownAt: *at})
	} else {
		rows, err = v.queries.FactsByIDs(ctx, db.FactsByIDsParams{GroupID: v.query.GroupID, Ids: ids})
	}
	facts := make(map[uuid.UUID]graph.Fact, len(rows))
	for _, row := range rows {
		facts[row.ID] = db.Fact(row)
	}
	return facts, err
}

func (v *view) readEntities(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]graph.Entity, error) {
	var rows []db.EntityRow
	var err error
	if at := v.knownAt(); at != nil {
		rows, err = v.queries.EntitiesKnownByIDs(ctx, db.EntitiesKnownByIDsParams{GroupID: v.query.GroupID, Ids: ids, KnownAt: *at})
	} else {
		rows, err = v.queries.EntitiesByIDs(ctx, db.EntitiesByIDsParams{GroupID: v.query.GroupID, Ids: ids})
	}
	entities := make(map[uuid.UUID]graph.Entity, len(rows))
	for _, row := range rows {
		entities[row.ID] = db.Entity(row)
	}
	return entities, err
}

// readEpisodes reads episodes, which are what they were.
func (v *view) readEpisodes(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]graph.Episode, error) {
	rows, err := v.queries.EpisodesByIDs(ctx, db.EpisodesByIDsParams{GroupID: v.query.GroupID, Ids: ids})
	episodes := make(map[uuid.UUID]graph.Episode, len(rows))
	for _, row := range rows {
		episodes[row.ID] = db.Episode(row)
	}
	return episodes, err
}

func (v *view) readCommunities(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]graph.Community, error) {
	var rows []db.CommunityRow
	var err error
	if at := v.knownAt(); at != nil {
		rows, err = v.queries.CommunitiesKnownByIDs(ctx, db.CommunitiesKnownByIDsParams{GroupID: v.query.GroupID, Ids: ids, KnownAt: *at})
	} else {
		rows, err = v.queries.CommunitiesByIDs(ctx, db.CommunitiesByIDsParams{GroupID: v.query.GroupID, Ids: ids})
	}
	communities := make(map[uuid.UUID]graph.Community, len(rows))
	for _, row := range rows {
		communities[row.ID] = db.Community(row)
	}
	return communities, err
}

func (v *view) readVectors(ctx context.Context, kind graph.Kind, ids []uuid.UUID) (map[uuid.UUID][]float32, error) {
	var rows []db.VectorRow
	var err error
	if v.asKnown(kind) {
		rows, err = v.queries.VectorsKnown(ctx, db.VectorsKnownParams{
			GroupID: v.query.GroupID, Kind: kind, Model: v.model, KnownAt: v.query.KnownAt, Ids: ids,
		})
	} else {
		rows, err = v.queries.Vectors(ctx, db.VectorsParams{GroupID: v.query.GroupID, Kind: kind, Model: v.model, Ids: ids})
	}
	vectors := make(map[uuid.UUID][]float32, len(rows))
	for _, row := range rows {
		vectors[row.ID] = row.Embedding.Slice()
	}
	return vectors, err
}
