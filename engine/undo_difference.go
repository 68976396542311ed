package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/temporal"
)

// difference is what has to be done to the graph so that it becomes the one
// that was rehearsed. What both have keeps the id it has.
type difference struct {
	groupID string
	began   time.Time // of the undo
	without sight
	later   []uuid.UUID

	entities map[uuid.UUID]db.EntitiesSinceRow // as they are
	facts    map[uuid.UUID]db.FactsSinceRow
	edited   map[uuid.UUID]bool      // entities and facts changed by hand since
	merged   map[uuid.UUID]uuid.UUID // entities by hand into others

	formerEntities []db.EntitiesSinceRow // what was edited, as it was before
	formerFacts    []db.FactsSinceRow
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
		entities: map[uuid.UUID]db.EntitiesSinceRow{}, facts: map[uuid.UUID]db.FactsSinceRow{},
		edited: map[uuid.UUID]bool{}, merged: map[uuid.UUID]uuid.UUID{}, statements: map[uuid.UUID]uuid.UUID{},
		entityIDs: map[uuid.UUID]uuid.UUID{}, factIDs: map[uuid.UUID]uuid.UUID{},
	}
	if err := d.look(ctx, q, r.since); err != nil {
		return nil, err
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
func (d *difference) look(ctx context.Context, q *db.Queries, since time.Time) error {
	entities, err := q.EntitiesSince(ctx, db.EntitiesSinceParams{GroupID: d.groupID, Since: since, Ids: idsOf(d.without.entities, entityID)})
	if err != nil {
		return err
	}
	facts, err := q.FactsSince(ctx, db.FactsSinceParams{GroupID: d.groupID, Since: since, Ids: idsOf(d.without.facts, factID)})
	if err != nil {
		return err
	}
	for _, row := range entities {
		d.entities[row.ID] = row
	}
	for _, row := range facts {
		d.facts[row.ID] = row
	}
	if since.IsZero() { // from before it was kept when episodes were processed
		return nil
	}
	editedEntities, err := q.EntitiesEditedSince(ctx, db.EntitiesEditedSinceParams{GroupID: d.groupID, Since: since})
	if err != nil {
		return err
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
	names, err := q.EntityVersionsOf(ctx, db.EntityVersionsOfParams{GroupID: d.groupID, Ids: entities})
	if err != nil {
		return err
	}
	for _, row := range names {
		d.formerEntities = append(d.formerEntities, db.EntitiesSinceRow{ID: row.ID, Name: row.Name, Aliases: row.Aliases})
	}
	sentences, err := q.FactVersionsOf(ctx, db.FactVersionsOfParams{GroupID: d.groupID, Ids: facts})
	for _, row := range sentences {
		d.formerFacts = append(d.formerFacts, db.FactsSinceRow{
			ID: row.ID, SourceID: row.SourceID, TargetID: row.TargetID, Predicate: row.Predicate, Fact: row.Fact, Ends: row.Ends,
		})
	}
	return err
}

func entityID(row db.EntitiesSinceRow) uuid.UUID { return row.ID }
func factID(row db.FactsSinceRow) uuid.UUID      { return row.ID }

func idsOf[Row any](rows []Row, id func(Row) uuid.UUID) []uuid.UUID {
	ids := make([]uuid.UUID, len(rows))
	for i, row := range rows {
		ids[i] = id(row)
	}
	return ids
}

// matchEntities finds for every rehearsed entity the one that there is, by its
// id or by what it is called, and how that has to change.
func (d *difference) matchEntities(since time.Time) {
	used := map[uuid.UUID]bool{}
	match := func(s db.EntitiesSinceRow, id uuid.UUID) {
		d.entityIDs[s.ID], used[id] = id, true
		if s.ID == id || !d.edited[id] {
			d.changeEntity(s, d.entities[id])
		}
	}
	var open []db.EntitiesSinceRow
	for _, s := range d.without.entities {
		_, there := d.entities[s.ID]
		into, wasMerged := d.merged[s.ID]
		switch {
		case there:
			match(s, s.ID)
		case wasMerged:
			d.entityIDs[s.ID], used[into] = into, true
		case d.edited[s.ID]: // removed by hand
		default:
			open = append(open, s)
		}
	}
	for _, alike := range []func(a, b db.EntitiesSinceRow) bool{sameName, shareName} {
		open = slices.DeleteFunc(open, func(s db.EntitiesSinceRow) bool {
			for _, real := range d.sortedEntities() {
				taken := used[real.ID] && !d.edited[real.ID] || real.CreatedAt.Before(since) && !d.edited[real.ID]
				if !taken && alike(s, real) {
					match(s, real.ID)
					return true
				}
			}
			return false
		})
	}
	for _, s := range open {
		if i := slices.IndexFunc(d.formerEntities, func(was db.EntitiesSinceRow) bool { return shareName(s, was) }); i >= 0 {
			d.matchFormer(s.ID, d.formerEntities[i].ID)
			continue
		}
		d.entityIDs[s.ID] = s.ID
		d.newEntities = append(d.newEntities, db.EntityInsertParams{
			GroupID: d.groupID, ID: s.ID, Name: s.Name, Aliases: s.Aliases, Labels: s.Labels, Summary: s.Summary, Attributes: s.Attributes,
		})
		d.vectors.entity(s.ID, s.Name)
	}
}

// matchFormer takes a rehearsed entity for one that was edited: as it is now,
// for the one it was merged into, or for none where it was removed.
func (d *difference) matchFormer(rehearsed, id uuid.UUID) {
	if into, ok := d.merged[id]; ok {
		id = into
	} else if _, there := d.entities[id]; !there {
		return
	}
	d.entityIDs[rehearsed] = id
}

func (d *difference) sortedEntities() []db.EntitiesSinceRow {
	rows := make([]db.EntitiesSinceRow, 0, len(d.entities))
	for _, row := range d.entities {
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b db.EntitiesSinceRow) int { return cmp.Compare(a.ID.String(), b.ID.String()) })
	return rows
}

func sameName(a, b db.EntitiesSinceRow) bool { return strings.EqualFold(a.Name, b.Name) }

func shareName(a, b db.EntitiesSinceRow) bool {
	names := append([]string{b.Name}, b.Aliases...)
	return slices.ContainsFunc(append([]string{a.Name}, a.Aliases...), func(name string) bool { return containsFold(names, name) })
}

func (d *difference) changeEntity(s, real db.EntitiesSinceRow) {
	if d.edited[real.ID] || s.Name == real.Name && slices.Equal(s.Aliases, real.Aliases) && slices.Equal(s.Labels, real.Labels) &&
		s.Summary == real.Summary && sameJSON(s.Attributes, real.Attributes) {
		return
	}
	d.changedEntities = append(d.changedEntities, db.EntityUpdateParams{
		GroupID: d.groupID, ID: real.ID, Name: s.Name, Aliases: s.Aliases, Labels: s.Labels, Summary: s.Summary, Attributes: s.Attributes,
	})
	if s.Name != real.Name {
		d.vectors.entity(real.ID, s.Name)
	}
}

// matchFacts does the same for facts. A fact between entities that were
// removed or made one by hand is none any more.
func (d *difference) matchFacts(since time.Time) {
	used := map[uuid.UUID]bool{}
	var open []db.FactsSinceRow
	for _, s := range d.without.facts {
		if !d.between(&s) {
			continue
		}
		_, there := d.facts[s.ID]
		switch {
		case there:
			d.factIDs[s.ID], used[s.ID] = s.ID, true
			d.changeFact(s, d.facts[s.ID])
		case d.edited[s.ID]: // removed by hand
		default:
			open = append(open, s)
		}
	}
	real := make([]db.FactsSinceRow, 0, len(d.facts))
	for _, row := range d.facts {
		if !row.CreatedAt.Before(since) {
			real = append(real, row)
		}
	}
	slices.SortFunc(real, func(a, b db.FactsSinceRow) int { return cmp.Compare(a.ID.String(), b.ID.String()) })
	for _, alike := range []func(a, b db.FactsSinceRow) bool{sameFact, sameStatement} {
		open = slices.DeleteFunc(open, func(s db.FactsSinceRow) bool {
			for _, row := range real {
				if !used[row.ID] && alike(s, row) {
					d.factIDs[s.ID], used[row.ID] = row.ID, true
					d.changeFact(s, row)
					return true
				}
			}
			return false
		})
	}
	for _, s := range open {
		i := slices.IndexFunc(d.formerFacts, func(was db.FactsSinceRow) bool { return sameStatement(s, was) })
		if i < 0 {
			d.addFact(s)
		} else if id := d.formerFacts[i].ID; !used[id] {
			if _, there := d.facts[id]; there { // else it was removed by hand
				d.factIDs[s.ID] = id
			}
		}
	}
}

// between puts the fact between the entities that there are.
func (d *difference) between(s *db.FactsSinceRow) bool {
	for _, end := range []*uuid.UUID{&s.SourceID, &s.TargetID} {
		if id, ok := d.entityIDs[*end]; ok {
			*end = id
		} else if into, ok := d.merged[*end]; ok {
			*end = into
		} else if d.rehearsed(*end) {
			return false
		}
	}
	return s.SourceID != s.TargetID
}

func (d *difference) rehearsed(id uuid.UUID) bool {
	return slices.ContainsFunc(d.without.entities, func(row db.EntitiesSinceRow) bool { return row.ID == id })
}

func sameStatement(a, b db.FactsSinceRow) bool {
	return a.SourceID == b.SourceID && a.TargetID == b.TargetID && a.Predicate == b.Predicate && a.Ends == b.Ends && strings.EqualFold(a.Fact, b.Fact)
}

func sameFact(a, b db.FactsSinceRow) bool {
	return sameStatement(a, b) && db.Interval(a.Valid).Equal(db.Interval(b.Valid))
}

func (d *difference) changeFact(s, real db.FactsSinceRow) {
	old, now := db.Interval(real.Valid), db.Interval(s.Valid)
	d.statements[s.StatementID] = real.StatementID
	if d.edited[real.ID] || sameFact(s, real) && s.Fact == real.Fact && sameJSON(s.Attributes, real.Attributes) {
		return
	}
	if longer(old, now) {
		d.reopened++
	}
	d.changedFacts = append(d.changedFacts, db.FactRewriteParams{
		GroupID: d.groupID, ID: real.ID, SourceID: s.SourceID, TargetID: s.TargetID, Predicate: s.Predicate, Fact: s.Fact, Ends: s.Ends,
		Attributes: s.Attributes, Valid: s.Valid, StatementID: real.StatementID,
	})
	if s.Fact != real.Fact || s.Predicate != real.Predicate {
		d.vectors.fact(real.ID, s.Fact, s.Predicate)
	}
}

// longer reports whether a fact ends later now than it did.
func longer(old, now temporal.Interval) bool {
	return !old.End.IsZero() && (now.End.IsZero() || now.End.After(old.End))
}

func (d *difference) addFact(s db.FactsSinceRow) {
	d.factIDs[s.ID] = s.ID
	valid := db.Interval(s.Valid)
	if id, ok := d.statements[s.StatementID]; ok {
		s.StatementID = id
	}
	d.newFacts = append(d.newFacts, db.FactInsertParams{
		GroupID: d.groupID, ID: s.ID, SourceID: s.SourceID, TargetID: s.TargetID, Predicate: s.Predicate, Fact: s.Fact, Ends: s.Ends,
		Attributes: s.Attributes, ValidStart: db.Nullable(valid.Start), ValidEnd: db.Nullable(valid.End), StatementID: s.StatementID,
	})
	d.vectors.fact(s.ID, s.Fact, s.Predicate)
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
	for id, f := range d.facts {
		if !slices.Contains(d.goneFacts, id) {
			kept[f.SourceID], kept[f.TargetID] = true, true
		}
	}
	for id := range d.entities {
		if !kept[id] && !d.edited[id] {
			d.goneEntities = append(d.goneEntities, id)
		}
	}
}

// mendEdited takes what is gone out of the summaries of entities that are
// otherwise left as they were edited.
func (d *difference) mendEdited() {
	for id, entity := range d.entities {
		if !d.edited[id] {
			continue
		}
		summary := entity.Summary
		for _, factID := range d.goneFacts {
			if f := d.facts[factID]; f.SourceID == id || f.TargetID == id {
				summary = withoutSentence(summary, f.Fact)
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
