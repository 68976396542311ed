package undo

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

func (d *difference) write(ctx context.Context, t *change.Tx) error {
	d.bind(d.newFacts)
	d.bind(d.changedFacts)
	outdated := slices.Concat(d.goneEntities, d.changedEntityIDs())
	restored := each.Of(d.newFacts, insertedID)
	for _, step := range []func() error{
		func() error { return t.HideCommunities(ctx, outdated...) },
		func() error { return db.Exec(t.Queries.EntityInsert(ctx, d.newEntities)) },
		func() error {
			return db.Exec(t.Queries.EntityUpdate(ctx, each.Of(d.changedEntities, change.EntityUpdate)))
		},
		func() error { return db.Exec(t.Queries.FactInsert(ctx, d.newFacts)) },
		func() error {
			return t.Queries.CitationsRestore(ctx, db.CitationsRestoreParams{GroupID: t.GroupID, Ids: restored, ExceptIds: d.later})
		},
		func() error { return db.Exec(t.Queries.FactRewrite(ctx, each.Of(d.changedFacts, rewritten))) },
		func() error { return db.Exec(t.Queries.FactDate(ctx, d.rebound)) },
		func() error { return d.inheritDisputes(ctx, t) },
		func() error { return t.Expire(ctx, d.goneFacts...) },
		func() error { return d.noteEnds(ctx, t) },
		func() error { return d.vectors.Write(ctx, t) },
		func() error { return d.writeProvenance(ctx, t) },
		func() error { return t.DeleteEntities(ctx, d.goneEntities...) },
		func() error { return d.retell(ctx, t) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// bind replaces rehearsed ids in boundedBy by real ones.
func (d *difference) bind(rows []db.FactInsertParams) {
	for i, row := range rows {
		if row.BoundedBy == nil {
			continue
		}
		if now, ok := d.now(d.factIDs, *row.BoundedBy); ok {
			rows[i].BoundedBy = &now
		} else {
			rows[i].BoundedBy = nil
		}
	}
}

func rewritten(row db.FactInsertParams) db.FactRewriteParams {
	return db.FactRewriteParams{
		GroupID: row.GroupID, ID: row.ID, SourceID: row.SourceID, TargetID: row.TargetID, Predicate: row.Predicate, Fact: row.Fact, Told: row.Told,
		Ends: row.Ends, Attributes: row.Attributes, ValidStart: row.ValidStart, ValidEnd: row.ValidEnd, StatementID: row.StatementID, Kind: row.Kind,
		FromBasis: row.FromBasis, FromPrecision: row.FromPrecision, UntilBasis: row.UntilBasis, UntilPrecision: row.UntilPrecision,
		SaidAt: row.SaidAt, BoundedBy: row.BoundedBy,
	}
}

// noteEnds records in the history which episodes ended the removed facts in the rehearsal. Before,
// the removed episodes may have been recorded there.
func (d *difference) noteEnds(ctx context.Context, t *change.Tx) error {
	gone, err := t.Queries.FactsGoneSince(ctx, db.FactsGoneSinceParams{GroupID: t.GroupID, Since: d.since})
	var ends []db.FactEndedByParams
	for _, row := range gone {
		i := slices.IndexFunc(d.rehearsed.gone, func(s db.FactsGoneSinceRow) bool {
			return s.ID == row.ID || sameWords(s, row.Predicate, row.Fact, row.Evidence)
		})
		if i >= 0 && len(d.rehearsed.gone[i].EndedBy) > 0 {
			ends = append(ends, db.FactEndedByParams{GroupID: t.GroupID, ID: row.ID, Episodes: d.rehearsed.gone[i].EndedBy})
		}
	}
	return errors.Join(err, db.Exec(t.Queries.FactEndedBy(ctx, ends)))
}

// inheritDisputes makes new facts dispute what removed facts of the same subject and predicate
// disputed.
func (d *difference) inheritDisputes(ctx context.Context, t *change.Tx) error {
	for _, gone := range d.factsGone() {
		back := each.Where(d.newFacts, func(row db.FactInsertParams) bool {
			return row.SourceID == gone.SourceID && row.Predicate == gone.Predicate
		})
		if len(back) == 0 {
			continue
		}
		if err := t.Queries.DisputesInherit(ctx, db.DisputesInheritParams{GroupID: t.GroupID, ID: gone.ID, Ids: each.Of(back, insertedID)}); err != nil {
			return err
		}
	}
	return nil
}

// writeProvenance writes the mentions, citations, disputes, traces and readings of later episodes.
func (d *difference) writeProvenance(ctx context.Context, t *change.Tx) error {
	kept := change.Keys(d.edited)
	mentions := db.MentionsInsertParams{GroupID: t.GroupID}
	for _, m := range d.rehearsed.mentions {
		if id, ok := d.now(d.entityIDs, m.EntityID); ok {
			mentions.EpisodeIds, mentions.EntityIds = append(mentions.EpisodeIds, m.EpisodeID), append(mentions.EntityIds, id)
		}
	}
	var citations []db.FactEpisodeInsertParams
	for _, c := range d.rehearsed.citations {
		if id, ok := d.now(d.factIDs, c.FactID); ok {
			citations = append(citations, db.FactEpisodeInsertParams{GroupID: t.GroupID, FactID: id, EpisodeID: c.EpisodeID, Role: c.Role})
		}
	}
	gone := each.Set(each.Of(d.rehearsed.gone, func(row db.FactsGoneSinceRow) uuid.UUID { return row.ID }))
	var disputes []db.DisputeInsertParams
	for _, x := range d.rehearsed.disputes {
		fact, ok := d.now(d.factIDs, x.FactID)
		by, there := d.now(d.factIDs, x.DisputedBy)
		if ok && there && fact != by && !gone[x.FactID] {
			disputes = append(disputes, db.DisputeInsertParams{GroupID: t.GroupID, FactID: fact, DisputedBy: by, EpisodeID: x.EpisodeID, ToldBy: x.ToldBy})
		}
	}
	readings := each.Of(d.rehearsed.readings, func(row db.ReadingListRow) db.ReadingUpsertParams {
		return db.ReadingUpsertParams{GroupID: t.GroupID, EpisodeID: row.EpisodeID, Reader: row.Reader, Reading: row.Reading}
	})
	return errors.Join(
		t.Queries.MentionsDelete(ctx, db.MentionsDeleteParams{GroupID: t.GroupID, EpisodeIds: d.later, Kept: kept}),
		t.Queries.CitationsDelete(ctx, db.CitationsDeleteParams{GroupID: t.GroupID, EpisodeIds: d.later, Kept: kept}),
		t.Queries.MentionsInsert(ctx, mentions),
		db.Exec(t.Queries.FactEpisodeInsert(ctx, citations)),
		t.Queries.DisputesDelete(ctx, db.DisputesDeleteParams{GroupID: t.GroupID, EpisodeIds: d.later, Kept: kept}),
		db.Exec(t.Queries.DisputeInsert(ctx, disputes)),
		t.Queries.TraceDelete(ctx, db.TraceDeleteParams{GroupID: t.GroupID, EpisodeIds: d.later}),
		db.Exec(t.Queries.TraceInsert(ctx, each.Of(d.rehearsed.traces, d.traceRow))),
		db.Exec(t.Queries.ReadingUpsert(ctx, readings)))
}

func (d *difference) traceRow(row db.TracesOfRow) db.TraceInsertParams {
	now := func(ids map[uuid.UUID]uuid.UUID, id *uuid.UUID) *uuid.UUID {
		if now, ok := ids[change.Value(id)]; ok {
			return &now
		}
		return id
	}
	return db.TraceInsertParams{
		GroupID: d.groupID, EpisodeID: row.EpisodeID, Place: row.Place, Step: row.Step, Decision: row.Decision, Subject: row.Subject, Reason: row.Reason,
		EntityID: now(d.entityIDs, row.EntityID), FactID: now(d.factIDs, row.FactID),
	}
}

// findUnrehearsed finds entities whose summaries the rehearsal cannot know, because they or their
// facts were edited by hand. These summaries are made at the end.
func (d *difference) findUnrehearsed() {
	d.unrehearsed = map[uuid.UUID]bool{}
	for _, end := range d.changedEnds() {
		if d.edited[end] {
			d.unrehearsed[end] = true
		}
	}
	ofEdited := d.endsOfEdited()
	for _, s := range d.rehearsed.entities {
		if id, there := d.entityIDs[s.ID]; there && ofEdited[id] && s.Summary != d.entities[id].Summary {
			d.unrehearsed[id] = true
		}
	}
	for i, row := range d.changedEntities {
		if real := d.entities[row.ID]; d.unrehearsed[row.ID] {
			d.changedEntities[i].Summary, d.changedEntities[i].Written = real.Summary, real.Written
		}
	}
	d.changedEntities = slices.DeleteFunc(d.changedEntities, func(row db.EntityInsertParams) bool { return sameEntity(row, d.entities[row.ID]) })
}

func (d *difference) changedEnds() []uuid.UUID {
	ends := change.EndsOf(d.factsGone()...)
	for _, row := range slices.Concat(d.newFacts, d.changedFacts) {
		ends = append(ends, row.SourceID, row.TargetID)
	}
	return ends
}

func (d *difference) factsGone() []graph.Fact {
	return each.Of(d.goneFacts, func(id uuid.UUID) graph.Fact { return db.Fact(d.facts[id]) })
}

// endsOfEdited returns the entities of facts that were edited or withdrawn by hand.
func (d *difference) endsOfEdited() map[uuid.UUID]bool {
	ends := map[uuid.UUID]bool{}
	for _, row := range slices.AppendSeq(slices.Clone(d.rehearsed.facts), maps.Values(d.facts)) {
		for _, end := range []uuid.UUID{row.SourceID, row.TargetID} {
			if now, ok := d.now(d.entityIDs, end); ok && d.edited[row.ID] {
				ends[now] = true
			}
		}
	}
	return ends
}

func (d *difference) retell(ctx context.Context, t *change.Tx) error {
	retold, err := t.Retell(ctx, change.Keys(d.unrehearsed), d.factsGone()...)
	for id := range retold {
		if !slices.ContainsFunc(d.changedEntities, func(row db.EntityInsertParams) bool { return row.ID == id }) {
			d.retold = append(d.retold, id)
		}
	}
	return err
}
