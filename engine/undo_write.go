package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
)

// write makes the graph the one that was rehearsed.
func (d *difference) write(ctx context.Context, e *Engine, q *db.Queries) error {
	for i := range d.newFacts {
		d.newFacts[i].BoundedBy = d.boundedBy(d.newFacts[i].BoundedBy)
	}
	for i := range d.changedFacts {
		d.changedFacts[i].BoundedBy = d.boundedBy(d.changedFacts[i].BoundedBy)
	}
	outdated := slices.Clone(d.goneEntities)
	for _, row := range d.changedEntities {
		outdated = append(outdated, row.ID)
	}
	for _, step := range []func() error{
		func() error { return outdateCommunities(ctx, q, d.groupID, outdated...) },
		func() error { return db.Exec(q.EntityInsert(ctx, d.newEntities)) },
		func() error { return db.Exec(q.EntityUpdate(ctx, d.changedEntities)) },
		func() error { return db.Exec(q.FactInsert(ctx, d.newFacts)) },
		func() error { return q.CitationsRestore(ctx, d.restored()) },
		func() error { return db.Exec(q.FactRewrite(ctx, d.changedFacts)) },
		func() error { return expire(ctx, q, d.groupID, d.goneFacts) },
		func() error { return d.vectors.write(ctx, e, q, d.groupID) },
		func() error { return d.writeProvenance(ctx, q) },
		func() error {
			_, err := q.EntitiesDelete(ctx, db.EntitiesDeleteParams{GroupID: d.groupID, Ids: append([]uuid.UUID{}, d.goneEntities...)})
			return err
		},
		func() error { return d.retell(ctx, e, q) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// boundedBy is the id that the fact has which gave another one an end.
func (d *difference) boundedBy(id *uuid.UUID) *uuid.UUID {
	if id == nil {
		return nil
	}
	now, ok := d.now(d.factIDs, *id)
	if !ok {
		return nil
	}
	return &now
}

// restored are the facts that are there again.
func (d *difference) restored() db.CitationsRestoreParams {
	ids := make([]uuid.UUID, len(d.newFacts))
	for i, f := range d.newFacts {
		ids[i] = f.ID
	}
	return db.CitationsRestoreParams{GroupID: d.groupID, Ids: ids, ExceptIds: append([]uuid.UUID{}, d.later...)}
}

// writeProvenance ties the later episodes to what they mention, state and end
// now, with their traces and readings.
func (d *difference) writeProvenance(ctx context.Context, q *db.Queries) error {
	keptFacts, keptEntities := []uuid.UUID{}, []uuid.UUID{}
	for id := range d.edited {
		keptFacts, keptEntities = append(keptFacts, id), append(keptEntities, id)
	}
	var mentions []db.MentionsInsertParams
	for _, m := range d.without.mentions {
		if id, ok := d.now(d.entityIDs, m.EntityID); ok {
			mentions = append(mentions, db.MentionsInsertParams{GroupID: d.groupID, EpisodeID: m.EpisodeID, EntityID: id})
		}
	}
	var citations []db.FactEpisodeInsertParams
	for _, c := range d.without.citations {
		if id, ok := d.now(d.factIDs, c.FactID); ok {
			citations = append(citations, db.FactEpisodeInsertParams{GroupID: d.groupID, FactID: id, EpisodeID: c.EpisodeID, Role: c.Role})
		}
	}
	var readings []db.ReadingUpsertParams
	for _, row := range d.without.readings {
		readings = append(readings, db.ReadingUpsertParams{GroupID: d.groupID, EpisodeID: row.EpisodeID, Reader: row.Reader, Reading: row.Reading})
	}
	return errors.Join(
		q.MentionsDelete(ctx, db.MentionsDeleteParams{GroupID: d.groupID, EpisodeIds: d.later, Kept: keptEntities}),
		q.CitationsDelete(ctx, db.CitationsDeleteParams{GroupID: d.groupID, EpisodeIds: d.later, Kept: keptFacts}),
		db.Exec(q.MentionsInsert(ctx, mentions)),
		db.Exec(q.FactEpisodeInsert(ctx, citations)),
		q.TraceDelete(ctx, db.TraceDeleteParams{GroupID: d.groupID, EpisodeIds: d.later}),
		db.Exec(q.TraceInsert(ctx, d.traces())),
		db.Exec(q.ReadingUpsert(ctx, readings)))
}

func (d *difference) traces() []db.TraceInsertParams {
	rows := make([]db.TraceInsertParams, len(d.without.traces))
	for i, t := range d.without.traces {
		rows[i] = db.TraceInsertParams{
			GroupID: d.groupID, EpisodeID: t.EpisodeID, Place: t.Place, Step: t.Step, Decision: t.Decision, Subject: t.Subject, Reason: t.Reason,
			EntityID: t.EntityID, FactID: t.FactID,
		}
		if t.EntityID != nil {
			if id, ok := d.entityIDs[*t.EntityID]; ok {
				rows[i].EntityID = &id
			}
		}
		if t.FactID != nil {
			if id, ok := d.factIDs[*t.FactID]; ok {
				rows[i].FactID = &id
			}
		}
	}
	return rows
}

// now is the id that a rehearsed entity or fact has, by the ids of its kind,
// and whether there is one. What was not touched in the rehearsal is as it was.
func (d *difference) now(ids map[uuid.UUID]uuid.UUID, id uuid.UUID) (uuid.UUID, bool) {
	if now, ok := ids[id]; ok {
		return now, true
	}
	return id, !d.seen[id]
}

func (d *difference) undone(episodes, replayed int, since time.Time) Undone {
	u := Undone{
		Episodes: episodes, Replayed: replayed, EntitiesRemoved: len(d.goneEntities), EntitiesChanged: len(d.changedEntities) + len(d.retold),
		FactsRemoved: len(d.goneFacts), FactsReopened: d.reopened, FactsChanged: len(d.changedFacts) - d.reopened, FactsAdded: len(d.newFacts),
		since: since,
	}
	u.entities, u.facts = slices.Concat(d.goneEntities, d.retold), slices.Clone(d.goneFacts)
	for _, row := range d.changedEntities {
		u.entities = append(u.entities, row.ID)
	}
	for _, row := range d.changedFacts {
		u.facts = append(u.facts, row.ID)
	}
	return u
}
