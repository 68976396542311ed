package db

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/graph"
)

// Found is the rows of what a search found, in no order.
type Found struct {
	Facts       []FactRow
	Entities    []EntityRow
	Episodes    []EpisodeRow
	Communities []CommunityRow
}

// ReadFound reads the rows with these ids, as they are or as they were known at a
// time, in one round trip. If it is the last that is read in a snapshot, that ends
// with it, which saves another.
func (q *Queries) ReadFound(ctx context.Context, groupID string, knownAt *time.Time, ids map[graph.Kind][]uuid.UUID, last bool) (Found, error) {
	var found Found
	var together queued
	if len(ids[graph.KindFact]) > 0 {
		together.facts(ctx, groupID, knownAt, ids[graph.KindFact], &found.Facts)
	}
	if len(ids[graph.KindEntity]) > 0 {
		together.entities(ctx, groupID, knownAt, ids[graph.KindEntity], &found.Entities)
	}
	if len(ids[graph.KindEpisode]) > 0 { // which are what they were
		_, _ = New(&together).EpisodesByIDs(ctx, EpisodesByIDsParams{GroupID: groupID, Ids: ids[graph.KindEpisode]})
		together.then(collect(&found.Episodes))
	}
	if len(ids[graph.KindCommunity]) > 0 {
		together.communities(ctx, groupID, knownAt, ids[graph.KindCommunity], &found.Communities)
	}
	if together.batch.Len() == 0 {
		return found, nil
	}
	if ending, is := q.db.(interface {
		endWith(context.Context, *pgx.Batch) pgx.BatchResults
	}); is && last {
		return found, ending.endWith(ctx, &together.batch).Close()
	}
	return found, q.db.SendBatch(ctx, &together.batch).Close()
}

func (d *queued) facts(ctx context.Context, groupID string, knownAt *time.Time, ids []uuid.UUID, found *[]FactRow) {
	if knownAt != nil {
		_, _ = New(d).FactsKnownByIDs(ctx, FactsKnownByIDsParams{GroupID: groupID, Ids: ids, KnownAt: *knownAt})
	} else {
		_, _ = New(d).FactsByIDs(ctx, FactsByIDsParams{GroupID: groupID, Ids: ids})
	}
	d.then(collect(found))
}

func (d *queued) entities(ctx context.Context, groupID string, knownAt *time.Time, ids []uuid.UUID, found *[]EntityRow) {
	if knownAt != nil {
		_, _ = New(d).EntitiesKnownByIDs(ctx, EntitiesKnownByIDsParams{GroupID: groupID, Ids: ids, KnownAt: *knownAt})
	} else {
		_, _ = New(d).EntitiesByIDs(ctx, EntitiesByIDsParams{GroupID: groupID, Ids: ids})
	}
	d.then(collect(found))
}

func (d *queued) communities(ctx context.Context, groupID string, knownAt *time.Time, ids []uuid.UUID, found *[]CommunityRow) {
	if knownAt != nil {
		_, _ = New(d).CommunitiesKnownByIDs(ctx, CommunitiesKnownByIDsParams{GroupID: groupID, Ids: ids, KnownAt: *knownAt})
	} else {
		_, _ = New(d).CommunitiesByIDs(ctx, CommunitiesByIDsParams{GroupID: groupID, Ids: ids})
	}
	d.then(collect(found))
}
