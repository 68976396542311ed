package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

var (
	// errStale says that rows the draft rests on changed while it was worked out.
	errStale = errors.New("the graph changed while the episode was being resolved")

	// errGone says that the episode was removed while it was worked on.
	errGone = errors.New("the episode was removed while it was being processed")
)

// commit writes the draft in one transaction under the group's lock. It writes
// nothing and returns errStale when a row it rests on has changed since it was read.
func (e *Engine) commit(ctx context.Context, d *draft) error {
	err := db.InTx(ctx, e.pool, func(q *db.Queries) error {
		if err := q.GroupLock(ctx, d.episode.GroupID); err != nil {
			return err
		}
		if _, err := q.WriteBegin(ctx); err != nil {
			return err
		}
		for _, write := range []func(context.Context, *db.Queries, *draft) error{
			checkFresh, e.writeEpisode, e.writeEntities, e.writeFacts, writeProvenance,
		} {
			if err := write(ctx, q, d); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, errStale) && !errors.Is(err, errGone) {
		return fmt.Errorf("commit: %w", err)
	}
	return err
}

// checkFresh locks the stored rows that the draft rests on and compares their versions.
func checkFresh(ctx context.Context, q *db.Queries, d *draft) error {
	entities := map[uuid.UUID]*node{}
	for _, n := range d.touched() {
		if !n.isNew {
			entities[n.ID] = n
		}
	}
	locked, err := q.EntitiesLock(ctx, db.EntitiesLockParams{GroupID: d.episode.GroupID, Ids: keys(entities)})
	if err != nil {
		return err
	}
	for _, row := range locked {
		if !db.Interval(row.Recorded).Equal(entities[row.ID].Recorded) {
			return errStale
		}
	}
	if len(locked) != len(entities) {
		return errStale
	}
	return checkFactsFresh(ctx, q, d)
}

func checkFactsFresh(ctx context.Context, q *db.Queries, d *draft) error {
	facts := map[uuid.UUID]*knownFact{}
	for _, k := range d.closings() {
		facts[k.ID] = k
	}
	for _, f := range d.facts {
		if f.duplicateOf != nil {
			facts[f.duplicateOf.ID] = f.duplicateOf
		}
	}
	if len(facts) == 0 {
		return nil
	}
	locked, err := q.FactsLock(ctx, db.FactsLockParams{GroupID: d.episode.GroupID, Ids: keys(facts)})
	if err != nil {
		return err
	}
	for _, row := range locked {
		if !db.Interval(row.Recorded).Equal(facts[row.ID].Recorded) {
			return errStale
		}
	}
	if len(locked) != len(facts) {
		return errStale
	}
	return nil
}

func keys[V any](m map[uuid.UUID]V) []uuid.UUID {
	ids := make([]uuid.UUID, 0, len(m))
	for id := range m {
		ids = append(ids, id)
	}
	return ids
}

func (e *Engine) writeEntities(ctx context.Context, q *db.Queries, d *draft) error {
	var inserts []db.EntityInsertParams
	var updates []db.EntityUpdateParams
	var vectors []db.EntityEmbeddingUpsertParams
	for _, n := range d.touched() {
		row := db.EntityInsertParams{
			GroupID: n.GroupID, ID: n.ID, Name: n.Name, Aliases: n.Aliases, Labels: n.Labels, Summary: n.Summary,
		}
		if n.isNew {
			inserts = append(inserts, row)
		} else if n.changed {
			updates = append(updates, db.EntityUpdateParams{
				GroupID: n.GroupID, ID: n.ID, Name: n.Name, Aliases: n.Aliases, Labels: n.Labels, Summary: n.Summary,
			})
		}
		if n.vector != nil {
			vectors = append(vectors, db.EntityEmbeddingUpsertParams{
				GroupID: n.GroupID, Model: e.embedder.Name(), EntityID: n.ID, Embedding: db.Vector(n.vector),
			})
		}
	}
	return errors.Join(
		db.Exec(q.EntityInsert(ctx, inserts)),
		db.Exec(q.EntityUpdate(ctx, updates)),
		db.Exec(q.EntityEmbeddingUpsert(ctx, vectors)))
}

func (e *Engine) writeFacts(ctx context.Context, q *db.Queries, d *draft) error {
	var inserts []db.FactInsertParams
	var expired []db.FactInsertExpiredParams
	var vectors []db.FactEmbeddingUpsertParams
	for _, f := range d.facts {
		row := db.FactInsertParams{
			GroupID: d.episode.GroupID, ID: f.id, SourceID: f.source.ID, TargetID: f.target.ID, Predicate: f.Predicate,
			Fact: f.Fact, Ends: f.Ends, ValidStart: db.Nullable(f.valid.Start), ValidEnd: db.Nullable(f.valid.End), StatementID: f.statement.id,
		}
		switch {
		case f.duplicateOf != nil:
		case f.expired:
			expired = append(expired, db.FactInsertExpiredParams{
				GroupID: row.GroupID, ID: row.ID, SourceID: row.SourceID, TargetID: row.TargetID, Predicate: row.Predicate,
				Fact: row.Fact, Ends: row.Ends, ValidStart: row.ValidStart, ValidEnd: row.ValidEnd, StatementID: row.StatementID,
				EpisodeID: d.episode.ID,
			})
		default:
			inserts = append(inserts, row)
			vectors = append(vectors, db.FactEmbeddingUpsertParams{
				GroupID: row.GroupID, Model: e.embedder.Name(), FactID: row.ID, Embedding: db.Vector(f.vector),
			})
		}
	}
	return errors.Join(
		db.Exec(q.FactInsert(ctx, inserts)),
		db.Exec(q.FactInsertExpired(ctx, expired)),
		db.Exec(q.FactEmbeddingUpsert(ctx, vectors)),
		writeClosings(ctx, q, d))
}

func writeClosings(ctx context.Context, q *db.Queries, d *draft) error {
	var closes []db.FactCloseParams
	var expires []db.FactExpireParams
	for _, k := range d.closings() {
		if k.expired {
			expires = append(expires, db.FactExpireParams{GroupID: k.GroupID, ID: k.ID})
		} else {
			closes = append(closes, db.FactCloseParams{GroupID: k.GroupID, ID: k.ID, ValidEnd: k.valid.End})
		}
	}
	return errors.Join(db.Exec(q.FactClose(ctx, closes)), db.Exec(q.FactExpire(ctx, expires)))
}

// writeProvenance ties the episode to the entities it mentions and to the
// facts it states and ends.
func writeProvenance(ctx context.Context, q *db.Queries, d *draft) error {
	var ids []uuid.UUID
	for _, n := range d.mentioned() {
		ids = append(ids, n.ID)
	}
	err := q.MentionsInsert(ctx, db.MentionsInsertParams{GroupID: d.episode.GroupID, EpisodeID: d.episode.ID, EntityIds: ids})
	if err != nil {
		return err
	}
	var rows []db.FactEpisodeInsertParams
	link := func(factID uuid.UUID, role graph.EpisodeRole) {
		rows = append(rows, db.FactEpisodeInsertParams{
			GroupID: d.episode.GroupID, FactID: factID, EpisodeID: d.episode.ID, Role: role,
		})
	}
	for _, f := range d.facts {
		switch {
		case f.duplicateOf != nil && !f.duplicateOf.expired:
			link(f.duplicateOf.ID, graph.RoleStates)
		case f.duplicateOf == nil && !f.expired:
			link(f.id, graph.RoleStates)
		}
	}
	for _, k := range d.closings() {
		if !k.expired {
			link(k.ID, graph.RoleEnds)
		}
	}
	return db.Exec(q.FactEpisodeInsert(ctx, rows))
}

// writeEpisode makes the episode searchable by its vector and marks it done.
// An episode that is no longer there takes the draft with it.
func (e *Engine) writeEpisode(ctx context.Context, q *db.Queries, d *draft) error {
	done, err := q.EpisodeDone(ctx, db.EpisodeDoneParams{GroupID: d.episode.GroupID, ID: d.episode.ID})
	if err != nil {
		return err
	}
	if done == 0 {
		return errGone
	}
	return db.Exec(q.EpisodeEmbeddingUpsert(ctx, []db.EpisodeEmbeddingUpsertParams{{
		GroupID: d.episode.GroupID, Model: e.embedder.Name(), EpisodeID: d.episode.ID, Embedding: db.Vector(d.episodeVector),
	}}))
}
