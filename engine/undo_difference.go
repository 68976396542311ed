package engine

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
)

// difference is what changes the graph into the one that was rehearsed. What both
// have keeps the id it has.
type difference struct {
	groupID string
	began   time.Time // of the undo
	without sight
	later   []uuid.UUID

	entities map[uuid.UUID]db.EntityRow // as they are
	facts    map[uuid.UUID]db.FactRow
	edited   map[uuid.UUID]bool      // entities and facts changed by hand since
	byFact   map[uuid.UUID]bool      // of these, entities of which only the summary was, as a fact of theirs was
	seen     map[uuid.UUID]bool      // entities and facts that were touched in the rehearsal
	merged   map[uuid.UUID]uuid.UUID // entities by hand into others
	dropped  map[uuid.UUID]bool      // entities and facts that were there before, and went in the rehearsal

	formerEntities []db.EntityRow // what was edited, as it was before
	formerFacts    []db.FactRow
	statements     map[uuid.UUID]uuid.UUID // ids of rehearsed statements, and those they have

	entityIDs, factIDs map[uuid.UUID]uuid.UUID // of what was rehearsed: the id it has

	newEntities     []db.EntityInsertParams
	changedEntities []db.EntityUpdateParams
	goneEntities    []uuid.UUID
	newFacts        []db.FactInsertParams
	changedFacts    []db.FactRewriteParams
	goneFacts       []uuid.UUID
	reopened        int
	vectors         vectors
}

// compare puts the graph as it is beside the one that was rehearsed.
func (e *Engine) compare(ctx context.Context, q *db.Queries, r *rehearsal, without sight, began time.Time) (*difference, error) {
	d := &difference{
		groupID: r.groupID, began: began, without: without, later: r.laterIDs(),
		entities: map[uuid.UUID]db.EntityRow{}, facts: map[uuid.UUID]db.FactRow{},
		edited: map[uuid.UUID]bool{}, byFact: map[uuid.UUID]bool{}, dropped: map[uuid.UUID]bool{}, seen: map[uuid.UUID]bool{}, merged: map[uuid.UUID]uuid.UUID{}, statements: map[uuid.UUID]uuid.UUID{},
		entityIDs: map[uuid.UUID]uuid.UUID{}, factIDs: map[uuid.UUID]uuid.UUID{},
	}
	for _, id := range append(idsOf(without.entities, entityID), idsOf(without.facts, factID)...) {
		d.seen[id] = true
	}
	for _, id := range slices.Concat(r.droppedEntities, r.droppedFacts) {
		d.dropped[id] = true
	}
	if err := d.look(ctx, q, r); err != nil {
		return nil, err
	}
	for _, id := range r.kept {
		d.edited[id], d.byFact[id] = true, false
	}
	d.matchEntities(r.since)
	d.matchFacts(r.since)
	if err := d.findGoneFacts(ctx, q, r.gone); err != nil {
		return nil, err
	}
	d.findGoneEntities()
	d.mendEdited()
	return d, nil
}

// look reads the graph as it is, as far as it may differ, and what was done to
// it by hand.
func (d *difference) look(ctx context.Context, q *db.Queries, r *rehearsal) error {
	since := r.since
	entities, err := q.EntitiesSince(ctx, db.EntitiesSinceParams{
		GroupID: d.groupID, Since: since, Ids: append(idsOf(d.without.entities, entityID), r.droppedEntities...),
	})
	if err != nil {
		return err
	}
	facts, err := q.FactsSince(ctx, db.FactsSinceParams{
		GroupID: d.groupID, Since: since, Ids: append(idsOf(d.without.facts, factID), r.droppedFacts...),
	})
	if err != nil {
		return err
	}
	for _, row := range entities {
		d.entities[row.ID] = row
	}
	for _, row := range facts {
		d.facts[row.ID] = row
	}
	rows, err := q.EntitiesEditedSince(ctx, db.EntitiesEditedSinceParams{GroupID: d.groupID, Since: since})
	if err != nil {
		return err
	}
	editedEntities := make([]uuid.UUID, len(rows))
	for i, row := range rows {
		editedEntities[i], d.byFact[row.ID] = row.ID, row.ByFact
	}
	editedFacts, err := q.FactsEditedSince(ctx, db.FactsEditedSinceParams{GroupID: d.groupID, Since: since})
	if err != nil {
		return err
	}
	for _, id := range append(editedEntities, editedFacts...) {
		d.edited[id] = true
	}
	merges, err := q.EntityMergesOf(ctx, d.groupID)
	if err != nil {
		return err
	}
	for _, row := range merges {
		d.merged[row.ID] = row.MergedInto
	}
	return d.lookFormer(ctx, q, editedEntities, editedFacts)
}

// lookFormer reads what was edited by hand as it was before, by which it is
// recognised.
func (d *difference) lookFormer(ctx context.Context, q *db.Queries, entities, facts []uuid.UUID) error {
	var err error
	if d.formerEntities, err = q.EntityVersionsOf(ctx, db.EntityVersionsOfParams{GroupID: d.groupID, Ids: entities}); err != nil {
		return err
	}
	sentences, err := q.FactVersionsOf(ctx, db.FactVersionsOfParams{GroupID: d.groupID, Ids: facts})
	for _, row := range sentences {
		d.formerFacts = append(d.formerFacts, db.FactRow{
			ID: row.ID, SourceID: row.SourceID, TargetID: row.TargetID, Predicate: row.Predicate, Fact: row.Fact, Ends: row.Ends,
		})
	}
	return err
}

func entityID(row db.EntityRow) uuid.UUID { return row.ID }
func factID(row db.FactRow) uuid.UUID     { return row.ID }

func idsOf[Row any](rows []Row, id func(Row) uuid.UUID) []uuid.UUID {
	ids := make([]uuid.UUID, len(rows))
	for i, row := range rows {
		ids[i] = id(row)
	}
	return ids
}

// findGoneFacts finds the facts that nothing supports any more. One that was
// edited by hand stays, unless only the removed episodes stated it.
func (d *difference) findGoneFacts(ctx context.Context, q *db.Queries, gone []uuid.UUID) error {
	kept := map[uuid.UUID]bool{}
	for _, id := range d.factIDs {
		kept[id] = true
	}
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
	cited, err := q.CitationsOf(ctx, db.CitationsOfParams{GroupID: d.groupID, EpisodeIds: gone})
	if err != nil || len(edited) == 0 {
		return err
	}
	elsewhere, err := q.FactsStatedElsewhere(ctx, db.FactsStatedElsewhereParams{GroupID: d.groupID, Ids: edited, EpisodeIds: gone})
	for _, id := range edited {
		stated := slices.ContainsFunc(cited, func(c db.CitationsOfRow) bool { return c.FactID == id })
		if stated && !slices.Contains(elsewhere, id) {
			d.goneFacts = append(d.goneFacts, id)
		}
	}
	return err
}

// findGoneEntities finds the entities that nothing mentions or uses any more.
func (d *difference) findGoneEntities() {
	kept := map[uuid.UUID]bool{}
	for _, id := range d.entityIDs {
		kept[id] = true
	}
	gone := map[uuid.UUID]bool{}
	for _, id := range d.goneFacts {
		gone[id] = true
	}
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

// mendEdited removes what is gone from the summaries of entities that are otherwise
// left as they were edited.
func (d *difference) mendEdited() {
	for id, entity := range d.entities {
		if !d.edited[id] || slices.Contains(d.goneEntities, id) {
			continue
		}
		summary := entity.Summary
		for _, factID := range d.goneFacts {
			if f := d.facts[factID]; f.SourceID == id || f.TargetID == id {
				summary = withoutSentence(summary, f.Told)
			}
		}
		if summary != entity.Summary {
			d.changedEntities = append(d.changedEntities, db.EntityUpdateParams{
				GroupID: d.groupID, ID: id, Name: entity.Name, Aliases: entity.Aliases, Labels: entity.Labels, Summary: summary,
				Attributes: entity.Attributes,
			})
		}
	}
}
