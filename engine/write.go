package engine

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

func (e *Engine) writeEntities(ctx context.Context, q *db.Queries, d *draft) error {
	var inserts []db.EntityInsertParams
	var updates []db.EntityUpdateParams
	var vectors []db.EntityEmbeddingUpsertParams
	for _, n := range d.touched() {
		row := db.EntityInsertParams{
			GroupID: n.GroupID, ID: n.ID, Name: n.Name, Aliases: n.Aliases, Labels: n.Labels, Summary: n.Summary, Written: n.written,
			Attributes: object(n.Attributes),
		}
		if n.isNew {
			inserts = append(inserts, row)
		} else if n.changed {
			updates = append(updates, db.EntityUpdateParams{
				GroupID: n.GroupID, ID: n.ID, Name: n.Name, Aliases: n.Aliases, Labels: n.Labels, Summary: n.Summary, Written: n.written,
				Attributes: object(n.Attributes),
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

// object is the empty object where there are no attributes.
func object(attributes json.RawMessage) json.RawMessage {
	if len(attributes) == 0 {
		return json.RawMessage("{}")
	}
	return attributes
}

func (e *Engine) writeFacts(ctx context.Context, q *db.Queries, d *draft) error {
	var inserts []db.FactInsertParams
	var expired []db.FactInsertExpiredParams
	var vectors []db.FactEmbeddingUpsertParams
	for _, f := range d.facts {
		row := insertOf(f.asFact(d.groupID), f.ends)
		switch {
		case f.duplicateOf != nil:
		case f.expired:
			expired = append(expired, expiredRow(row, d.episodes[f.episode].ID))
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
		e.writeChanges(ctx, q, d))
}

func expiredRow(row db.FactInsertParams, episodeID uuid.UUID) db.FactInsertExpiredParams {
	return db.FactInsertExpiredParams{
		GroupID: row.GroupID, ID: row.ID, SourceID: row.SourceID, TargetID: row.TargetID, Predicate: row.Predicate,
		Fact: row.Fact, Told: row.Told, Ends: row.Ends, Attributes: row.Attributes, ValidStart: row.ValidStart, ValidEnd: row.ValidEnd,
		StatementID: row.StatementID, Kind: row.Kind, FromBasis: row.FromBasis, FromPrecision: row.FromPrecision,
		UntilBasis: row.UntilBasis, UntilPrecision: row.UntilPrecision, SaidAt: row.SaidAt, BoundedBy: row.BoundedBy, EpisodeID: episodeID,
	}
}

// dates are a known fact's place on the timeline, as it is to be written.
func (k *knownFact) dates() db.FactDateParams {
	return db.FactDateParams{
		GroupID: k.GroupID, ID: k.ID, ValidStart: db.Nullable(k.valid.Start), ValidEnd: db.Nullable(k.valid.End),
		FromBasis: db.Basis(k.valid.From), FromPrecision: db.Exactness(k.valid.From),
		UntilBasis: db.Basis(k.valid.Until), UntilPrecision: db.Exactness(k.valid.Until), SaidAt: db.Nullable(k.SaidAt), BoundedBy: db.Nullable(k.boundedBy),
	}
}

// insertOf is a fact as a new row.
func insertOf(f graph.Fact, ends bool) db.FactInsertParams {
	return db.FactInsertParams{
		GroupID: f.GroupID, ID: f.ID, SourceID: f.SourceID, TargetID: f.TargetID, Predicate: f.Predicate, Fact: f.Fact, Told: f.Told(), Ends: ends,
		Attributes: object(f.Attributes), ValidStart: db.Nullable(f.Valid.Start), ValidEnd: db.Nullable(f.Valid.End), StatementID: f.StatementID,
		Kind: f.Kind, FromBasis: db.Basis(f.Valid.From), FromPrecision: db.Exactness(f.Valid.From),
		UntilBasis: db.Basis(f.Valid.Until), UntilPrecision: db.Exactness(f.Valid.Until),
		SaidAt: db.Nullable(f.SaidAt), BoundedBy: db.Nullable(f.BoundedBy),
	}
}

// writeChanges ends and dates the stored facts that the draft ends and dates,
// removes those that it takes back, adds to those that it tells more of, and words
// those anew of whose sentence it takes back a part.
func (e *Engine) writeChanges(ctx context.Context, q *db.Queries, d *draft) error {
	var dates []db.FactDateParams
	var expired []uuid.UUID
	var learned []db.FactSetAttributesParams
	var edits []*knownFact
	for _, k := range d.known {
		if k.expired {
			expired = append(expired, k.ID)
			continue
		}
		if k.reworded != "" {
			edits = append(edits, k)
			continue
		}
		if k.moved() {
			dates = append(dates, k.dates())
		}
		if k.learned {
			learned = append(learned, db.FactSetAttributesParams{GroupID: k.GroupID, ID: k.ID, Attributes: object(k.Attributes)})
		}
	}
	return errors.Join(
		db.Exec(q.FactSetAttributes(ctx, learned)), db.Exec(q.FactDate(ctx, dates)), expire(ctx, q, d.groupID, expired),
		e.writeWords(ctx, q, edits))
}

func (e *Engine) writeWords(ctx context.Context, q *db.Queries, facts []*knownFact) error {
	var vectors []db.FactEmbeddingUpsertParams
	for _, k := range facts {
		if err := q.FactEdit(ctx, k.edit()); err != nil {
			return err
		}
		vectors = append(vectors, db.FactEmbeddingUpsertParams{GroupID: k.GroupID, Model: e.embedder.Name(), FactID: k.ID, Embedding: db.Vector(k.vector)})
	}
	return db.Exec(q.FactEmbeddingUpsert(ctx, vectors))
}

// expire takes facts out of what is believed. The history keeps them.
func expire(ctx context.Context, q *db.Queries, groupID string, ids []uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	return q.FactsExpire(ctx, db.FactsExpireParams{GroupID: groupID, Ids: ids})
}

// writeRejections keeps what the episodes take back, as long as what stated it is
// there to be seen.
func writeRejections(ctx context.Context, q *db.Queries, d *draft) error {
	if len(d.retracted) == 0 {
		return nil
	}
	var rejections []db.RejectionInsertParams
	var ids []uuid.UUID
	for _, r := range d.retracted {
		k := r.fact
		told := []string{}
		if k.sibling != nil {
			told = append(told, toldIn(d.episodes[k.sibling.episode]))
		}
		rejections = append(rejections, db.RejectionInsertParams{
			GroupID: d.groupID, SourceID: &k.SourceID, Predicate: k.Predicate, TargetID: &k.TargetID,
			EpisodeID: d.episodes[r.episode].ID, FactID: k.ID, Fact: k.Fact.Fact, Told: told,
			ValidStart: db.Nullable(k.Valid.Start), ValidEnd: db.Nullable(k.Valid.End),
		})
		ids = append(ids, k.ID)
	}
	return errors.Join(
		db.Exec(q.RejectionInsert(ctx, rejections)),
		q.RejectionsTold(ctx, db.RejectionsToldParams{GroupID: d.groupID, FactIds: ids}),
		q.ThreadsOfFactsForget(ctx, db.ThreadsOfFactsForgetParams{GroupID: d.groupID, FactIds: ids}))
}

// writeProvenance ties the episodes to the entities they mention and to the
// facts they state and end.
func writeProvenance(ctx context.Context, q *db.Queries, d *draft) error {
	var mentions []db.MentionsInsertParams
	for i, episode := range d.episodes {
		for _, n := range d.mentionedBy(i) {
			mentions = append(mentions, db.MentionsInsertParams{GroupID: d.groupID, EpisodeID: episode.ID, EntityID: n.ID})
		}
	}
	return errors.Join(
		db.Exec(q.MentionsInsert(ctx, mentions)),
		db.Exec(q.FactEpisodeInsert(ctx, d.citations())),
		db.Exec(q.DisputeInsert(ctx, d.disputes())),
		d.confirm(ctx, q))
}

// confirm ends the disputes of what was told at second hand and is said now by somebody
// who passes on nobody's word.
func (d *draft) confirm(ctx context.Context, q *db.Queries) error {
	ids := d.confirmed()
	if len(ids) == 0 {
		return nil
	}
	return q.DisputesConfirm(ctx, db.DisputesConfirmParams{GroupID: d.groupID, FactIds: ids})
}

// citations lists which episode states and which ends a fact.
func (d *draft) citations() []db.FactEpisodeInsertParams {
	var rows []db.FactEpisodeInsertParams
	cite := func(factID uuid.UUID, episode int, role graph.EpisodeRole) {
		rows = append(rows, db.FactEpisodeInsertParams{
			GroupID: d.groupID, FactID: factID, EpisodeID: d.episodes[episode].ID, Role: role,
		})
	}
	for _, f := range d.facts {
		switch {
		case f.duplicateOf != nil && !f.duplicateOf.expired:
			cite(f.duplicateOf.ID, f.episode, graph.RoleStates)
		case f.duplicateOf == nil && !f.expired:
			cite(f.id, f.episode, graph.RoleStates)
			if f.endedBy != f.episode && !f.valid.Equal(f.claimed) {
				cite(f.id, f.endedBy, graph.RoleEnds)
			}
		}
	}
	for _, k := range d.changes() {
		if k.ended() {
			cite(k.ID, k.endedBy, graph.RoleEnds)
		}
	}
	return rows
}

// writeEpisodes makes the episodes searchable by their vectors and marks them
// done. One that is no longer there takes the draft with it.
func (e *Engine) writeEpisodes(ctx context.Context, q *db.Queries, d *draft) error {
	ids := make([]uuid.UUID, len(d.episodes))
	var vectors []db.EpisodeEmbeddingUpsertParams
	for i, episode := range d.episodes {
		ids[i] = episode.ID
		vectors = append(vectors, db.EpisodeVectors(d.groupID, e.embedder.Name(), episode.ID, d.episodeVectors[i])...)
	}
	if d.handed {
		if err := storeHanded(ctx, q, d.episodes); err != nil {
			return err
		}
	}
	done, err := q.EpisodesDone(ctx, db.EpisodesDoneParams{GroupID: d.groupID, Ids: ids})
	if err != nil {
		return err
	}
	if len(done) != len(ids) {
		return errGone
	}
	for _, row := range done { // of what is to expire no summary tells, as it would outlive it
		episode := &d.episodes[slices.Index(ids, row.ID)]
		if was := episode.ExpiresAt; row.ExpiresAt.IsZero() != was.IsZero() {
			episode.ExpiresAt, err = row.ExpiresAt.UTC(), errStale
		}
	}
	if err != nil {
		return err
	}
	return db.Exec(q.EpisodeEmbeddingUpsert(ctx, vectors))
}
