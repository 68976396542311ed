package retrieval

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// Change is what became of something that an episode says: it has ended, is disputed,
// or was taken back.
type Change struct {
	// Fact is what it says, as it is known now. Of what was taken back only Fact,
	// Predicate and Valid are known.
	Fact graph.Fact

	TakenBack bool
	CalledOff bool // it was taken back before it began

	// Now is what holds in its place, what it was corrected to, or what disputes it.
	Now []graph.Fact
}

// reading is the time at which a search asks what became of what it finds; nil: it
// does not.
func (v *view) reading() *time.Time {
	if !v.query.Changes {
		return nil
	}
	at := v.query.readAt()
	if at.IsZero() {
		at = time.Now()
	}
	return &at
}

// tellChanges notes on the hits what became of what they say.
func tellChanges(r *Result, behind db.Behind, reading time.Time) {
	b := behindHits{facts: map[uuid.UUID]graph.Fact{}, reading: reading}
	for _, row := range behind.Facts {
		b.facts[row.ID] = db.Fact(row)
	}
	for i, h := range r.Facts {
		for _, id := range h.DisputedBy {
			if f, known := b.facts[id]; known {
				r.Facts[i].Against = append(r.Facts[i].Against, f)
			}
		}
	}
	r.Facts = withAgainst(r.Facts)
	for i, h := range r.Episodes {
		r.Episodes[i].Changes = append(b.takenBack(behind.Rejections, h.ID), b.changed(h.ID)...)
	}
	for _, row := range behind.Ended {
		for i, h := range r.Entities {
			if h.ID == row.EntityID {
				r.Entities[i].Over = append(r.Entities[i].Over, row.Other, row.Fact)
			}
		}
	}
}

// withAgainst puts before each disputed fact what disputes it, so that the lower word
// never stands alone.
func withAgainst(hits []FactHit) []FactHit {
	var out []FactHit
	placed := map[uuid.UUID]bool{}
	place := func(h FactHit) {
		if !placed[h.ID] {
			placed[h.ID] = true
			out = append(out, h)
		}
	}
	for _, h := range hits {
		for _, f := range h.Against {
			against := FactHit{Fact: f, Score: h.Score, Answers: h.Answers, Near: h.Near}
			if i := slices.IndexFunc(hits, func(o FactHit) bool { return o.ID == f.ID }); i >= 0 {
				against = hits[i]
			}
			place(against)
		}
		place(h)
	}
	return out
}

// behindHits are the facts behind what was found.
type behindHits struct {
	facts   map[uuid.UUID]graph.Fact
	reading time.Time
}

// changed is what an episode says that has ended or is disputed.
func (b behindHits) changed(episode uuid.UUID) []Change {
	var changes []Change
	for _, f := range b.ordered() {
		disputed := len(f.DisputedBy) > 0 || f.Trust == graph.TrustDisputed
		if !slices.Contains(f.Episodes, episode) || !f.Ended(b.reading) && !disputed {
			continue
		}
		if slices.ContainsFunc(b.holding(f.SourceID, f.Predicate), func(now graph.Fact) bool { return now.TargetID == f.TargetID }) {
			continue // it holds again
		}
		c := Change{Fact: f}
		switch {
		case disputed:
			for _, id := range f.DisputedBy {
				if against, known := b.facts[id]; known {
					c.Now = append(c.Now, against)
				}
			}
		case IsSingle(f.Predicate) || b.succeeded(f):
			c.Now = b.holding(f.SourceID, f.Predicate)
		}
		changes = append(changes, c)
	}
	return changes
}

// succeeded reports whether something of the same relation gave a fact its end.
func (b behindHits) succeeded(f graph.Fact) bool {
	by, known := b.facts[f.BoundedBy]
	return known && by.Predicate == f.Predicate
}

// holding are the facts of a relation that hold.
func (b behindHits) holding(source uuid.UUID, predicate string) []graph.Fact {
	var now []graph.Fact
	for _, f := range b.ordered() {
		if f.SourceID == source && f.Predicate == predicate && f.Kind != graph.FactEvent && f.Valid.Contains(b.reading) && f.Trust == graph.TrustBelieved {
			now = append(now, f)
		}
	}
	return now
}

// takenBack is what of an episode was taken back. What it says again with another time
// or another end, whoever took it back, stands in its place.
func (b behindHits) takenBack(rejections []db.RejectionsOfRow, episode uuid.UUID) []Change {
	var changes []Change
	for _, r := range rejections {
		if r.EpisodeID != episode {
			continue
		}
		c := Change{TakenBack: true, Fact: graph.Fact{Fact: r.Fact, Predicate: r.Predicate}}
		c.Fact.Valid.Interval = db.Interval(r.Valid)
		c.CalledOff = c.Fact.Valid.Start.After(r.SaidAt)
		for _, f := range b.ordered() {
			if r.TakenBackBy == nil || f.Predicate != r.Predicate || !slices.Contains(f.Episodes, *r.TakenBackBy) {
				continue
			}
			if r.SourceID != nil && f.SourceID == *r.SourceID || r.TargetID != nil && f.TargetID == *r.TargetID {
				c.Now = append(c.Now, f)
			}
			if r.TargetID != nil && f.TargetID == *r.TargetID {
				c.Fact.TargetID = f.TargetID
			}
		}
		changes = append(changes, c)
	}
	return changes
}

// ordered are the facts, the latest first.
func (b behindHits) ordered() []graph.Fact {
	facts := make([]graph.Fact, 0, len(b.facts))
	for _, f := range b.facts {
		facts = append(facts, f)
	}
	slices.SortFunc(facts, func(a, b graph.Fact) int {
		if c := b.Valid.Start.Compare(a.Valid.Start); c != 0 {
			return c
		}
		return slices.Compare(b.ID[:], a.ID[:])
	})
	return facts
}
