package undo

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/internal/each"
)

// difference is the change from the present graph to the rehearsed one. Rows that both graphs have
// keep their ids.
type difference struct {
	groupID   string
	rehearsed snapshot
	later     []uuid.UUID
	since     time.Time

	entities map[uuid.UUID]db.EntityRow // present rows
	facts    map[uuid.UUID]db.FactRow
	edited   map[uuid.UUID]bool      // entities and facts changed by hand since
	byFact   map[uuid.UUID]bool      // edited entities that only went or came back with a fact of theirs
	seen     map[uuid.UUID]bool      // entities and facts that the rehearsal touched
	merged   map[uuid.UUID]uuid.UUID // entities merged by hand, with those they were merged into
	dropped  map[uuid.UUID]bool      // entities and facts that existed before and that the rehearsal removed

	gone           []db.FactsGoneSinceRow // facts that no longer exist
	formerEntities []db.EntityRow         // edited entities, as they were before
	formerFacts    []db.FactRow
	statements     map[uuid.UUID]uuid.UUID // rehearsed statement ids to real ones

	entityIDs, factIDs map[uuid.UUID]uuid.UUID // rehearsed ids to real ones

	newEntities     []db.EntityInsertParams
	changedEntities []db.EntityInsertParams
	goneEntities    []uuid.UUID
	unrehearsed     map[uuid.UUID]bool // entities whose summaries the rehearsal cannot know
	retold          []uuid.UUID        // those of unrehearsed of which only the summary changes
	newFacts        []db.FactInsertParams
	changedFacts    []db.FactInsertParams
	goneFacts       []uuid.UUID
	rebound         []db.FactDateParams // facts of which only boundedBy changes
	reopened        int
	vectors         change.Vectors
}

// compare compares the present graph with the rehearsed one.
func (r *rehearsal) compare(ctx context.Context, t *change.Tx, rehearsed snapshot) (*difference, error) {
	d := &difference{
		groupID: t.GroupID, rehearsed: rehearsed, later: r.laterIDs(), since: r.since, statements: map[uuid.UUID]uuid.UUID{},
		seen:      each.Set(each.Of(rehearsed.entities, entityID), each.Of(rehearsed.facts, factID)),
		dropped:   each.Set(r.droppedEntities, r.droppedFacts),
		entityIDs: map[uuid.UUID]uuid.UUID{}, factIDs: map[uuid.UUID]uuid.UUID{},
	}
	if err := d.read(ctx, t, r); err != nil {
		return nil, err
	}
	for _, id := range r.kept {
		d.edited[id], d.byFact[id] = true, false
	}
	d.matchEntities(r.since)
	d.matchFacts(r.since)
	d.matchBounds()
	if err := d.findGoneFacts(ctx, t, r.gone); err != nil {
		return nil, err
	}
	d.findGoneEntities()
	d.findUnrehearsed()
	return d, nil
}

// read reads the present graph, the edits by hand, and the edited rows as they were before.
func (d *difference) read(ctx context.Context, t *change.Tx, r *rehearsal) error {
	if err := d.readPresent(ctx, t, r); err != nil {
		return err
	}
	rows, err := t.Queries.EntitiesEditedSince(ctx, db.EntitiesEditedSinceParams{GroupID: t.GroupID, Since: r.since})
	if err != nil {
		return err
	}
	entities := each.Of(rows, func(row db.EntitiesEditedSinceRow) uuid.UUID { return row.ID })
	d.byFact = each.Map(rows, func(row db.EntitiesEditedSinceRow) (uuid.UUID, bool) { return row.ID, row.ByFact })
	facts, err := t.Queries.FactsEditedSince(ctx, db.FactsEditedSinceParams{GroupID: t.GroupID, Since: r.since})
	if err != nil {
		return err
	}
	d.edited = each.Set(entities, facts)
	if d.gone, err = t.Queries.FactsGoneSince(ctx, db.FactsGoneSinceParams{GroupID: t.GroupID, Since: r.since}); err != nil {
		return err
	}
	merges, err := t.Queries.EntityMergesOf(ctx, t.GroupID)
	if err != nil {
		return err
	}
	d.merged = each.Map(merges, func(row db.EntityMergesOfRow) (uuid.UUID, uuid.UUID) { return row.ID, row.MergedInto })
	if d.formerEntities, err = t.Queries.EntityVersionsOf(ctx, db.EntityVersionsOfParams{GroupID: t.GroupID, Ids: entities}); err != nil {
		return err
	}
	sentences, err := t.Queries.FactVersionsOf(ctx, db.FactVersionsOfParams{GroupID: t.GroupID, Ids: facts})
	d.formerFacts = each.Of(sentences, func(row db.FactVersionsOfRow) db.FactRow {
		return db.FactRow{ID: row.ID, SourceID: row.SourceID, TargetID: row.TargetID, Predicate: row.Predicate, Fact: row.Fact, Ends: row.Ends}
	})
	return err
}

func (d *difference) readPresent(ctx context.Context, t *change.Tx, r *rehearsal) error {
	entities, err := t.Queries.EntitiesSince(ctx, db.EntitiesSinceParams{
		GroupID: t.GroupID, Since: r.since, Ids: append(each.Of(d.rehearsed.entities, entityID), r.droppedEntities...),
	})
	if err != nil {
		return err
	}
	facts, err := t.Queries.FactsSince(ctx, db.FactsSinceParams{
		GroupID: t.GroupID, Since: r.since, Ids: append(each.Of(d.rehearsed.facts, factID), r.droppedFacts...),
	})
	d.entities = each.Map(entities, func(row db.EntityRow) (uuid.UUID, db.EntityRow) { return row.ID, row })
	d.facts = each.Map(facts, func(row db.FactRow) (uuid.UUID, db.FactRow) { return row.ID, row })
	return err
}

// findGoneFacts finds facts that the rehearsal does not have. Edited facts stay, unless only the
// removed episodes stated them.
func (d *difference) findGoneFacts(ctx context.Context, t *change.Tx, gone []uuid.UUID) error {
	kept := each.Set(slices.Collect(maps.Values(d.factIDs)))
	var edited []uuid.UUID
	for id := range d.facts {
		switch {
		case kept[id]:
		case d.edited[id]:
			edited = append(edited, id)
		default:
			d.goneFacts = append(d.goneFacts, id)
		}
	}
	cited, err := t.Queries.CitationsOf(ctx, db.CitationsOfParams{GroupID: t.GroupID, EpisodeIds: gone})
	if err != nil || len(edited) == 0 {
		return err
	}
	elsewhere, err := t.Queries.FactsStatedElsewhere(ctx, db.FactsStatedElsewhereParams{GroupID: t.GroupID, Ids: edited, EpisodeIds: gone})
	for _, id := range edited {
		stated := slices.ContainsFunc(cited, func(c db.CitationsOfRow) bool { return c.FactID == id })
		if stated && !slices.Contains(elsewhere, id) {
			d.goneFacts = append(d.goneFacts, id)
		}
	}
	return err
}

func (d *difference) findGoneEntities() {
	kept, gone := each.Set(slices.Collect(maps.Values(d.entityIDs))), each.Set(d.goneFacts)
	for id, f := range d.facts {
		if !gone[id] {
			kept[f.SourceID], kept[f.TargetID] = true, true
		}
	}
	for id := range d.entities {
		if !kept[id] && (!d.edited[id] || d.byFact[id]) {
			d.goneEntities = append(d.goneEntities, id)
		}
	}
}

// now returns the real id of a rehearsed entity or fact, and whether there is one.
func (d *difference) now(ids map[uuid.UUID]uuid.UUID, id uuid.UUID) (uuid.UUID, bool) {
	if now, ok := ids[id]; ok {
		return now, true
	}
	return id, !d.seen[id]
}

func (d *difference) undone(episodes, replayed int) Undone {
	return Undone{
		Episodes: episodes, Replayed: replayed, EntitiesRemoved: len(d.goneEntities), EntitiesChanged: len(d.changedEntities) + len(d.retold),
		FactsRemoved: len(d.goneFacts), FactsReopened: d.reopened, FactsChanged: len(d.changedFacts) - d.reopened, FactsAdded: len(d.newFacts),
	}
}

func insertedID(row db.FactInsertParams) uuid.UUID { return row.ID }

func (d *difference) changedEntityIDs() []uuid.UUID {
	return each.Of(d.changedEntities, func(row db.EntityInsertParams) uuid.UUID { return row.ID })
}

func (d *difference) traces() Traces {
	return Traces{Entities: slices.Concat(d.goneEntities, d.retold, d.changedEntityIDs()), Facts: slices.Concat(d.goneFacts, each.Of(d.changedFacts, insertedID))}
}
