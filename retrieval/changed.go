package retrieval

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval/relation"
)

// Change is what became of something that an episode says: it has ended, somebody says
// otherwise, or it was taken back.
type Change struct {
	// Fact is what it says, as it is known now. Of what is not believed any more only the
	// sentence, the ids of its ends, Predicate and Valid are known.
	Fact graph.Fact

	TakenBack bool
	CalledOff bool // it was taken back before it began
	Displaced bool // another statement left it no time

	// Again is what it has become once more, after it ended; the zero value: it has not.
	Again graph.Fact

	// Now is what holds in its place, what it was corrected to, or what contradicts it.
	Now []graph.Fact

	Opposed bool   // another word stands against it: a higher one, or a record of a later time
	By      Teller // whose word that is
}

// noteChanges notes on the hits what became of what they say.
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

// against are the facts that dispute one: those that hold, or all where none does.
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

// changesBehind are the facts behind what was found.
type changesBehind struct {
	facts   map[uuid.UUID]*graph.Fact
	latest  []*graph.Fact        // the same, the latest first
	tellers map[uuid.UUID]Teller // of those that others contradict
	reading time.Time
}

func newChangesBehind(behind db.Behind, reading time.Time) changesBehind {
	b := changesBehind{facts: map[uuid.UUID]*graph.Fact{}, tellers: map[uuid.UUID]Teller{}, reading: reading}
	for _, row := range behind.Tellers {
		b.tellers[row.ID] = Teller{row.Who, row.Own, row.Authority, row.SaidAt}
	}
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

// changed is what an episode says that has ended or is contradicted.
func (b changesBehind) changed(episode uuid.UUID) []Change {
	return b.changesOf(func(f *graph.Fact) bool { return slices.Contains(f.Episodes, episode) })
}

// changesBeside is what the sentence of a fact that holds says besides, and has ended: "her
// sister lives in Oslo" makes her a sister for good.
func (b changesBehind) changesBeside(of graph.Fact) []Change {
	if of.Ended(b.reading) || of.StatementID == uuid.Nil {
		return nil
	}
	return b.changesOf(func(f *graph.Fact) bool { return f.StatementID == of.StatementID && f.ID != of.ID && f.Fact == of.Fact })
}

// changesOf tells what became of those facts that have ended or are contradicted.
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

// follows reports whether one fact may stand in the place of another that has ended: what
// held beside it does not.
func follows(one, ended graph.Fact) bool {
	return one.ID == ended.BoundedBy || one.Valid.Start.IsZero() || !one.Valid.Start.Before(ended.Valid.End)
}

// succeeded reports whether something of the same relation gave a fact its end.
func (b changesBehind) succeeded(f *graph.Fact) bool {
	by := b.facts[f.BoundedBy]
	return by != nil && by.Predicate == f.Predicate
}

// holding are the facts of a relation that hold.
func (b changesBehind) holding(source uuid.UUID, predicate string) []graph.Fact {
	var now []graph.Fact
	for _, f := range b.latest {
		if f.SourceID == source && f.Predicate == predicate && f.Kind != graph.FactEvent && f.Valid.Contains(b.reading) && f.Trust == graph.TrustBelieved {
			now = append(now, *f)
		}
	}
	return now
}

// withdrawn is what of an episode is not believed any more. What the episode that took it
// back says with another time or another end stands in its place, and in the place of what
// was left no time what holds.
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
