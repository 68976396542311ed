package retrieval

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/retrieval/relation"
)

// Change is what became of a statement of an episode: it has ended, another source contradicts it,
// or it was taken back.
type Change struct {
	// Fact is the statement as it is known now. If it is no longer believed, only Fact, Predicate,
	// SourceID, TargetID, Target and the interval of Valid are set.
	Fact graph.Fact

	TakenBack bool
	CalledOff bool // it was taken back before it began
	Displaced bool // other statements cover the whole time at which it held

	// Again is the fact that says the same again after this one ended; zero: none does.
	Again graph.Fact

	// Now is what holds in its place, what it was corrected to, or what contradicts it.
	Now []graph.Fact

	Opposed bool   // another source contradicts it: one of higher authority, or a record of a later time
	By      Teller // who tells the contradicting fact
}

// noteChanges sets the changes of the hits.
func noteChanges(r *Result, behind db.Behind, reading time.Time) {
	b := newChangesBehind(behind, reading)
	for i, h := range r.Facts {
		r.Facts[i] = b.withTeller(h)
		r.Facts[i].Changes = b.changesBeside(h.Fact)
	}
	for i, h := range r.Episodes {
		r.Episodes[i].Changes = append(b.withdrawn(behind.Withdrawn, h.ID), b.changed(h.ID)...)
	}
	b.noteEchoes(r)
	for _, row := range behind.Ended {
		for i, h := range r.Entities {
			if h.ID == row.EntityID {
				r.Entities[i].Over = append(r.Entities[i].Over, row.Words)
			}
		}
	}
}

// against returns the facts that dispute a fact: those that hold, or all of them if none holds.
func (b changesBehind) against(f graph.Fact) []graph.Fact {
	var all, holding []graph.Fact
	for _, id := range f.DisputedBy {
		by := b.facts[id]
		switch {
		case by == nil:
			continue
		case !by.Ended(b.reading):
			holding = append(holding, *by)
		}
		all = append(all, *by)
	}
	if len(holding) > 0 {
		return holding
	}
	return all
}

// changesBehind holds the facts that tell what became of the hits.
type changesBehind struct {
	facts   map[uuid.UUID]*graph.Fact
	latest  []*graph.Fact        // the same facts, latest first
	tellers map[uuid.UUID]Teller // who tells the contradicted facts
	reading time.Time
}

func newChangesBehind(behind db.Behind, reading time.Time) changesBehind {
	b := changesBehind{facts: map[uuid.UUID]*graph.Fact{}, reading: reading}
	b.tellers = each.Map(behind.Tellers, func(row db.TellersOfRow) (uuid.UUID, Teller) {
		return row.ID, Teller{row.Who, row.Own, row.Authority, row.SaidAt}
	})
	for _, row := range behind.Facts {
		if b.facts[row.ID] == nil {
			f := db.Fact(row)
			b.facts[f.ID], b.latest = &f, append(b.latest, &f)
		}
	}
	slices.SortFunc(b.latest, func(a, b *graph.Fact) int {
		if c := b.Valid.Start.Compare(a.Valid.Start); c != 0 {
			return c
		}
		return slices.Compare(b.ID[:], a.ID[:])
	})
	return b
}

// changed returns the statements of an episode that have ended or are contradicted.
func (b changesBehind) changed(episode uuid.UUID) []Change {
	return b.changesOf(func(f *graph.Fact) bool { return slices.Contains(f.Episodes, episode) })
}

// changesBeside returns the facts of the same sentence that have ended, if the given fact still
// holds. "Her sister lives in Oslo" gives two facts, and the sister outlasts the address.
func (b changesBehind) changesBeside(of graph.Fact) []Change {
	if of.Ended(b.reading) || of.StatementID == uuid.Nil {
		return nil
	}
	return b.changesOf(func(f *graph.Fact) bool { return f.StatementID == of.StatementID && f.ID != of.ID && f.Fact == of.Fact })
}

// changesOf returns the changes of the facts that meant selects, leaving out those that neither
// ended nor are contradicted.
func (b changesBehind) changesOf(meant func(*graph.Fact) bool) []Change {
	var changes []Change
	for _, f := range b.latest {
		if !meant(f) {
			continue
		}
		disputed, ended := f.Disputed(), f.Ended(b.reading)
		var others []graph.Fact
		if !ended && !disputed {
			if others = b.otherwise(f); len(others) == 0 {
				continue
			}
		}
		c := Change{Fact: *f, Opposed: disputed || len(others) > 0}
		now := b.holding(f.SourceID, f.Predicate)
		again := slices.IndexFunc(now, func(o graph.Fact) bool { return o.TargetID == f.TargetID })
		switch {
		case len(others) > 0:
			c.Now = others
		case again >= 0:
			c.Again = now[again]
		case disputed:
			c.Now = b.against(*f)
		case relation.IsSingle(f.Predicate) || b.succeeded(f):
			c.Now = slices.DeleteFunc(now, func(o graph.Fact) bool { return !follows(o, *f) })
		}
		if c.Opposed && len(c.Now) > 0 {
			c.By = b.tellers[c.Now[0].ID]
		}
		changes = append(changes, c)
	}
	return changes
}

// follows reports whether a fact may take the place of one that has ended. A fact that held beside
// it may not.
func follows(one, ended graph.Fact) bool {
	return one.ID == ended.BoundedBy || one.Valid.Start.IsZero() || !one.Valid.Start.Before(ended.Valid.End)
}

// succeeded reports whether a fact of the same predicate ended a fact.
func (b changesBehind) succeeded(f *graph.Fact) bool {
	by := b.facts[f.BoundedBy]
	return by != nil && by.Predicate == f.Predicate
}

// holding returns the believed states with a source and a predicate that hold.
func (b changesBehind) holding(source uuid.UUID, predicate string) []graph.Fact {
	var now []graph.Fact
	for _, f := range b.latest {
		if f.SourceID == source && f.Predicate == predicate && f.Kind != graph.FactEvent && f.Valid.Contains(b.reading) && f.Trust == graph.TrustBelieved {
			now = append(now, *f)
		}
	}
	return now
}

// withdrawn returns the statements of an episode that are no longer believed. For one that was
// taken back, Now is what the episode that took it back says with another time or another entity.
// For a displaced one, Now is what holds.
func (b changesBehind) withdrawn(rows []db.WithdrawnOfRow, episode uuid.UUID) []Change {
	var changes []Change
	for _, r := range rows {
		if r.EpisodeID != episode {
			continue
		}
		c := Change{TakenBack: r.TakenBack, Displaced: !r.TakenBack, Fact: graph.Fact{
			SourceID: r.SourceID, TargetID: r.TargetID, Target: r.Target, Fact: r.Fact, Predicate: r.Predicate,
		}}
		c.Fact.Valid.Interval = db.Interval(r.Valid)
		c.CalledOff = r.TakenBack && c.Fact.Valid.Start.After(r.SaidAt)
		if c.Displaced {
			c.Now = b.holding(r.SourceID, r.Predicate)
		}
		for _, f := range b.latest {
			corrects := r.TakenBackBy != uuid.Nil && f.Predicate == r.Predicate && slices.Contains(f.Episodes, r.TakenBackBy)
			if corrects && (f.SourceID == r.SourceID || f.TargetID == r.TargetID) {
				c.Now = append(c.Now, *f)
			}
		}
		changes = append(changes, c)
	}
	return changes
}
