package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/graph"
)

func writeEntities(ctx context.Context, t *change.Tx, d *draft) error {
	return t.WriteEntities(ctx, d.touched()...)
}

func writeFacts(ctx context.Context, t *change.Tx, d *draft) error {
	var inserts []db.FactInsertParams
	var expired []db.FactInsertExpiredParams
	var vectors []db.FactEmbeddingUpsertParams
	for _, f := range d.news() {
		row := change.FactRow(f.asFact(d.groupID), f.ends)
		if f.expired {
			expired = append(expired, change.ExpiredRow(row, d.episodes[f.episode].ID))
			continue
		}
		inserts, vectors = append(inserts, row), append(vectors, t.FactVector(f.id, f.vector))
	}
	return errors.Join(
		db.Exec(t.FactInsert(ctx, inserts)),
		db.Exec(t.FactInsertExpired(ctx, expired)),
		db.Exec(t.FactEmbeddingUpsert(ctx, vectors)),
		writeChanges(ctx, t, d))
}

// writeChanges ends and dates the stored facts that the draft ends and dates,
// removes those that it takes back, adds to those that it tells more of, and words
// those anew of whose sentence it takes back a part.
func writeChanges(ctx context.Context, t *change.Tx, d *draft) error {
	var dates []db.FactDateParams
	var expired []uuid.UUID
	var learned []db.FactSetAttributesParams
	var reworded []*knownFact
	for _, k := range d.known {
		switch {
		case k.expired:
			expired = append(expired, k.ID)
			continue
		case k.reworded != "":
			reworded = append(reworded, k)
			continue
		case k.moved():
			dates = append(dates, change.DateRow(k.now()))
		}
		if k.learned {
			learned = append(learned, db.FactSetAttributesParams{GroupID: k.GroupID, ID: k.ID, Attributes: change.Object(k.Attributes)})
		}
	}
	return errors.Join(
		db.Exec(t.FactSetAttributes(ctx, learned)), db.Exec(t.FactDate(ctx, dates)), t.Expire(ctx, expired...), writeWords(ctx, t, reworded))
}

func writeWords(ctx context.Context, t *change.Tx, facts []*knownFact) error {
	for _, k := range facts {
		if err := t.FactEdit(ctx, change.EditRow(k.now())); err != nil {
			return err
		}
	}
	return db.Exec(t.FactEmbeddingUpsert(ctx, change.Each(facts, func(k *knownFact) db.FactEmbeddingUpsertParams { return t.FactVector(k.ID, k.vector) })))
}

// writeRejections keeps what the episodes take back, as long as what stated it is
// there to be seen.
func writeRejections(ctx context.Context, t *change.Tx, d *draft) error {
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
		db.Exec(t.RejectionInsert(ctx, rejections)),
		t.RejectionsTold(ctx, db.RejectionsToldParams{GroupID: d.groupID, FactIds: ids}),
		t.ThreadsOfFactsForget(ctx, db.ThreadsOfFactsForgetParams{GroupID: d.groupID, FactIds: ids}))
}

// writeProvenance ties the episodes to the entities they mention and to the
// facts they state and end.
func writeProvenance(ctx context.Context, t *change.Tx, d *draft) error {
	var mentions []db.MentionsInsertParams
	for i, episode := range d.episodes {
		for _, n := range d.mentionedBy(i) {
			mentions = append(mentions, db.MentionsInsertParams{GroupID: d.groupID, EpisodeID: episode.ID, EntityID: n.ID})
		}
	}
	return errors.Join(
		db.Exec(t.MentionsInsert(ctx, mentions)),
		db.Exec(t.FactEpisodeInsert(ctx, d.citations())),
		db.Exec(t.DisputeInsert(ctx, d.disputes())),
		d.confirm(ctx, t))
}

// confirm ends the disputes of what was told at second hand and is said now by somebody
// who passes on nobody's word.
func (d *draft) confirm(ctx context.Context, t *change.Tx) error {
	ids := d.confirmed()
	if len(ids) == 0 {
		return nil
	}
	return t.DisputesConfirm(ctx, db.DisputesConfirmParams{GroupID: d.groupID, FactIds: ids})
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
func writeEpisodes(ctx context.Context, t *change.Tx, d *draft) error {
	ids := d.episodeIDs()
	var vectors []db.EpisodeEmbeddingUpsertParams
	for i, episode := range d.episodes {
		vectors = append(vectors, db.EpisodeVectors(d.groupID, t.Embedder.Name(), episode.ID, d.episodeVectors[i])...)
	}
	if d.handed {
		if err := intake.StoreHanded(ctx, t.Queries, d.episodes); err != nil {
			return err
		}
	}
	done, err := t.EpisodesDone(ctx, db.EpisodesDoneParams{GroupID: d.groupID, Ids: ids})
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
	return db.Exec(t.EpisodeEmbeddingUpsert(ctx, vectors))
}

// joinNew hides the communities that may tell what is taken back. Where the
// engine is set to, it puts new entities into the communities of their neighbours
// and marks those as out of date whose members changed.
func (w *walk) joinNew(ctx context.Context, t *change.Tx, d *draft) error {
	var retracted []uuid.UUID
	for _, r := range d.retracted {
		retracted = append(retracted, r.fact.SourceID, r.fact.TargetID)
	}
	if len(retracted) > 0 {
		if err := t.HideCommunities(ctx, retracted...); err != nil {
			return err
		}
	}
	if !w.options.Communities {
		return nil
	}
	var arrived []uuid.UUID
	changed := []uuid.UUID{}
	for _, n := range d.touched() {
		if n.New {
			arrived = append(arrived, n.ID)
		} else if n.Changed {
			changed = append(changed, n.ID)
		}
	}
	if err := t.CommunitiesOfOutdate(ctx, db.CommunitiesOfOutdateParams{GroupID: d.groupID, EntityIds: changed}); err != nil {
		return err
	}
	_, err := w.communities.Join(ctx, t.Queries, d.groupID, arrived)
	return err
}
