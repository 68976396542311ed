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
	Behind      Behind
}

// Behind is what became of what was found: the facts that have ended or are disputed,
// among those that were found or that the episodes state, with what holds in their place
// or against them, and who says so; what of what the episodes say is not believed any more; and what the
// entities are no longer.
type Behind struct {
	Facts     []FactRow
	Tellers   []TellersOfRow
	Withdrawn []WithdrawnOfRow
	Ended     []EndedOfRow
}

// ReadBehind reads what became of rows with these ids by a time of reading, as it is or
// as it was known at a time.
func (q *Queries) ReadBehind(ctx context.Context, groupID string, knownAt *time.Time, reading time.Time, ids map[graph.Kind][]uuid.UUID) (Behind, error) {
	var found Behind
	var together queued
	together.behind(ctx, groupID, knownAt, reading, ids, &found)
	if together.batch.Len() == 0 {
		return found, nil
	}
	return found, q.db.SendBatch(ctx, &together.batch).Close()
}

// ReadFound reads the rows with these ids, as they are or as they were known at a
// time, in one round trip, and with a time of reading what became of them by then. If it
// is the last that is read in a snapshot, that ends with it, which saves another.
func (q *Queries) ReadFound(ctx context.Context, groupID string, knownAt, reading *time.Time, ids map[graph.Kind][]uuid.UUID, last bool) (Found, error) {
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
	if reading != nil {
		together.behind(ctx, groupID, knownAt, *reading, ids, &found.Behind)
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

func (d *queued) behind(ctx context.Context, groupID string, knownAt *time.Time, reading time.Time, ids map[graph.Kind][]uuid.UUID, found *Behind) {
	episodes, facts, entities := ids[graph.KindEpisode], ids[graph.KindFact], ids[graph.KindEntity]
	if len(episodes)+len(facts) > 0 {
		if knownAt != nil {
			_, _ = New(d).FactsBehindKnown(ctx, FactsBehindKnownParams{GroupID: groupID, EpisodeIds: episodes, FactIds: facts, KnownAt: *knownAt})
		} else {
			_, _ = New(d).FactsBehind(ctx, FactsBehindParams{GroupID: groupID, EpisodeIds: episodes, FactIds: facts, Reading: reading})
		}
		d.then(collect(&found.Facts))
		_, _ = New(d).TellersOf(ctx, TellersOfParams{GroupID: groupID, EpisodeIds: episodes, FactIds: facts, KnownAt: knownAt})
		d.then(collect(&found.Tellers))
	}
	if len(episodes) > 0 {
		_, _ = New(d).WithdrawnOf(ctx, WithdrawnOfParams{GroupID: groupID, EpisodeIds: episodes, KnownAt: knownAt})
		d.then(collect(&found.Withdrawn))
	}
	if len(entities) > 0 && knownAt == nil { // summaries are those of the time that is known of
		_, _ = New(d).EndedOf(ctx, EndedOfParams{GroupID: groupID, Ids: entities, Reading: reading})
		d.then(collect(&found.Ended))
	}
}
