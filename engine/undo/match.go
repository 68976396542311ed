package undo

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/temporal"
)

// matchEntities pairs rehearsed entities with real ones, by id or name.
func (d *difference) matchEntities(since time.Time) {
	used := map[uuid.UUID]bool{}
	match := func(s db.EntityRow, id uuid.UUID) {
		d.entityIDs[s.ID], used[id] = id, true
		if s.ID == id || !d.edited[id] {
			d.changeEntity(s, d.entities[id])
		}
	}
	var open []db.EntityRow
	for _, s := range d.rehearsed.entities {
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
	candidates := sortedRows(d.entities, func(row db.EntityRow) bool {
		return d.edited[row.ID] || d.dropped[row.ID] || !row.CreatedAt.Before(since)
	})
	for _, alike := range []func(a, b db.EntityRow) bool{sameName, shareName} {
		fits := func(s, row db.EntityRow) bool { return (d.edited[row.ID] || !used[row.ID]) && alike(s, row) }
		open = pair(open, candidates, fits, func(s, row db.EntityRow) { match(s, row.ID) })
	}
	for _, s := range open {
		if i := slices.IndexFunc(d.formerEntities, func(was db.EntityRow) bool { return shareName(s, was) }); i >= 0 {
			d.matchFormer(s.ID, d.formerEntities[i].ID)
			continue
		}
		d.entityIDs[s.ID] = s.ID
		d.newEntities = append(d.newEntities, d.entityRow(s, s.ID))
		d.vectors.Entity(s.ID, s.Name)
	}
}

// pair gives each rehearsed row the first candidate that fits, and returns the rest.
func pair[Row any](rehearsed, candidates []Row, fits func(rehearsed, candidate Row) bool, match func(rehearsed, candidate Row)) []Row {
	return slices.DeleteFunc(rehearsed, func(s Row) bool {
		i := slices.IndexFunc(candidates, func(row Row) bool { return fits(s, row) })
		if i >= 0 {
			match(s, candidates[i])
		}
		return i >= 0
	})
}

// sortedRows returns the wanted rows in the order of their ids.
func sortedRows[Row any](rows map[uuid.UUID]Row, wanted func(Row) bool) []Row {
	var chosen []Row
	for _, id := range slices.SortedFunc(maps.Keys(rows), change.CompareIDs) {
		if row := rows[id]; wanted(row) {
			chosen = append(chosen, row)
		}
	}
	return chosen
}

// matchFormer pairs a rehearsed entity with one that was edited, merged or removed by hand.
func (d *difference) matchFormer(rehearsed, id uuid.UUID) {
	if into, ok := d.merged[id]; ok {
		id = into
	} else if _, there := d.entities[id]; !there {
		return
	}
	d.entityIDs[rehearsed] = id
}

func sameName(a, b db.EntityRow) bool { return strings.EqualFold(a.Name, b.Name) }

func shareName(a, b db.EntityRow) bool {
	names := append([]string{b.Name}, b.Aliases...)
	return slices.ContainsFunc(append([]string{a.Name}, a.Aliases...), func(name string) bool { return wording.ContainsFold(names, name) })
}

func (d *difference) entityRow(s db.EntityRow, id uuid.UUID) db.EntityInsertParams {
	return db.EntityInsertParams{
		GroupID: d.groupID, ID: id, Name: s.Name, Aliases: s.Aliases, Labels: s.Labels, Summary: s.Summary, Written: s.Written, Attributes: s.Attributes,
	}
}

func (d *difference) changeEntity(s, real db.EntityRow) {
	row := d.entityRow(s, real.ID)
	if d.edited[real.ID] || sameEntity(row, real) {
		return
	}
	d.changedEntities = append(d.changedEntities, row)
	if s.Name != real.Name {
		d.vectors.Entity(real.ID, s.Name)
	}
}

func sameEntity(row db.EntityInsertParams, real db.EntityRow) bool {
	return row.Name == real.Name && slices.Equal(row.Aliases, real.Aliases) && slices.Equal(row.Labels, real.Labels) &&
		row.Summary == real.Summary && row.Written == real.Written && change.SameJSON(row.Attributes, real.Attributes)
}

// matchFacts pairs rehearsed facts with real ones. It drops facts between merged or removed
// entities.
func (d *difference) matchFacts(since time.Time) {
	used := map[uuid.UUID]bool{}
	match := func(s, row db.FactRow) {
		d.factIDs[s.ID], used[row.ID] = row.ID, true
		d.changeFact(s, row)
	}
	var open []db.FactRow
	for _, s := range d.rehearsed.facts {
		if !d.between(&s) {
			continue
		}
		d.tellByName(&s)
		row, there := d.facts[s.ID]
		switch {
		case there:
			match(s, row)
		case d.edited[s.ID]: // removed by hand
		default:
			open = append(open, s)
		}
	}
	candidates := sortedRows(d.facts, func(row db.FactRow) bool { return d.dropped[row.ID] || !row.CreatedAt.Before(since) })
	for _, alike := range []func(a, b db.FactRow) bool{sameFact, sameStatement} {
		open = pair(open, candidates, func(s, row db.FactRow) bool { return !used[row.ID] && alike(s, row) }, match)
	}
	for _, s := range open {
		i := slices.IndexFunc(d.formerFacts, func(was db.FactRow) bool { return sameStatement(s, was) })
		if i < 0 {
			d.addFact(s)
		} else if id := d.formerFacts[i].ID; !used[id] {
			if _, there := d.facts[id]; there { // otherwise it was removed by hand
				d.factIDs[s.ID] = id
			}
		}
	}
}

// tellByName puts the names that entities got by hand into a rehearsed fact, if a real fact has
// them.
func (d *difference) tellByName(s *db.FactRow) {
	fact, told := s.Fact, s.Told
	for _, was := range d.formerEntities {
		if now, ok := d.entities[was.ID]; ok && now.Name != was.Name {
			fact, told = wording.ReplaceName(fact, was.Name, now.Name, now.Name), wording.ReplaceName(told, was.Name, now.Name, now.Name)
		}
	}
	if fact == s.Fact {
		return
	}
	named := *s
	named.Fact, named.Told = fact, told
	for _, row := range d.facts {
		if sameStatement(named, row) {
			*s = named
			return
		}
	}
}

// between replaces the ends of a fact by the real ones, and reports whether both exist and differ.
func (d *difference) between(s *db.FactRow) bool {
	for _, end := range []*uuid.UUID{&s.SourceID, &s.TargetID} {
		if id, ok := d.entityIDs[*end]; ok {
			*end = id
		} else if into, ok := d.merged[*end]; ok {
			*end = into
		} else if d.seen[*end] {
			return false
		}
	}
	return s.SourceID != s.TargetID
}

func sameStatement(a, b db.FactRow) bool {
	return a.SourceID == b.SourceID && a.TargetID == b.TargetID && a.Predicate == b.Predicate && a.Ends == b.Ends && strings.EqualFold(a.Fact, b.Fact)
}

func sameFact(a, b db.FactRow) bool {
	x, y := db.Fact(a), db.Fact(b)
	return sameStatement(a, b) && x.Kind == y.Kind && x.Valid.Equal(y.Valid) && x.SaidAt.Equal(y.SaidAt)
}

// matchBounds finds facts whose range is as rehearsed, but which another fact now ends.
func (d *difference) matchBounds() {
	changed := each.Set(each.Of(d.changedFacts, insertedID))
	for _, s := range d.rehearsed.facts {
		real, there := d.facts[d.factIDs[s.ID]]
		if !there || d.edited[real.ID] || changed[real.ID] {
			continue
		}
		by, ok := d.now(d.factIDs, change.Value(s.BoundedBy))
		if !ok {
			by = uuid.Nil
		}
		if f := db.Fact(real); f.BoundedBy != by && f.Valid.Equal(db.Fact(s).Valid) {
			f.BoundedBy = by
			d.rebound = append(d.rebound, change.DateRow(f))
		}
	}
}

func (d *difference) changeFact(s, real db.FactRow) {
	d.statements[s.StatementID] = real.StatementID
	if d.edited[real.ID] || sameFact(s, real) && s.Fact == real.Fact && s.Told == real.Told && change.SameJSON(s.Attributes, real.Attributes) {
		return
	}
	if longer(db.Interval(real.Valid), db.Interval(s.Valid)) {
		d.reopened++
	}
	row := change.FactRow(db.Fact(s), s.Ends)
	row.ID, row.StatementID, row.Told = real.ID, real.StatementID, s.Told
	d.changedFacts = append(d.changedFacts, row)
	if s.Fact != real.Fact || s.Predicate != real.Predicate {
		d.vectors.Fact(real.ID, s.Fact, s.Predicate)
	}
}

func longer(old, now temporal.Interval) bool {
	return !old.End.IsZero() && (now.End.IsZero() || now.End.After(old.End))
}

// addFact adds a fact, under its former id if it has one, so that decisions about it still apply.
func (d *difference) addFact(s db.FactRow) {
	id := s.ID
	said := d.statedIn(s.ID)
	if i := slices.IndexFunc(d.gone, func(g db.FactsGoneSinceRow) bool { return sameWords(g, s.Predicate, s.Fact, said) }); i >= 0 {
		id = d.gone[i].ID
		d.gone = slices.Delete(d.gone, i, i+1)
	}
	d.factIDs[s.ID], s.ID = id, id
	if id, ok := d.statements[s.StatementID]; ok {
		s.StatementID = id
	}
	d.newFacts = append(d.newFacts, change.FactRow(db.Fact(s), s.Ends))
	d.vectors.Fact(s.ID, s.Fact, s.Predicate)
}

// statedIn lists the episodes that state a rehearsed fact.
func (d *difference) statedIn(fact uuid.UUID) []uuid.UUID {
	stating := each.Where(d.rehearsed.citations, func(c db.CitationsOfRow) bool { return c.FactID == fact && c.Role == graph.RoleStates })
	return each.Of(stating, func(c db.CitationsOfRow) uuid.UUID { return c.EpisodeID })
}

// sameWords reports whether a removed fact was stated in the same words in one of some episodes.
func sameWords(g db.FactsGoneSinceRow, predicate, fact string, said []uuid.UUID) bool {
	return g.Predicate == predicate && strings.EqualFold(g.Fact, fact) && slices.ContainsFunc(said, func(id uuid.UUID) bool { return slices.Contains(g.Evidence, id) })
}
