package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/temporal"
)

// judge takes over what the analyst found. A duplicate must relate the same
// two entities, and what is contradicted or taken back must have been shown.
func (c *comparison) judge(d *draft, resolutions []prompts.FactResolution) {
	slices.SortStableFunc(resolutions, func(a, b prompts.FactResolution) int { return a.ID - b.ID })
	for _, r := range resolutions {
		if r.ID == 0 && d.takesBack {
			for _, place := range r.Retracts {
				c.retract(d, nil, place, len(d.episodes)-1, r.Reason)
			}
			continue
		}
		i := r.ID - len(c.known) - 1
		if i < 0 || i >= len(c.fresh) || c.fresh[i].answered || c.fresh[i].repeated() {
			d.note(note{
				step: stepResolveFacts, decision: decidedDropped, subject: fmt.Sprintf("answer about fact %d", r.ID),
				reason: "it was not asked about or is answered already",
			})
			continue
		}
		c.fresh[i].answered = true
		c.judgeOne(d, c.fresh[i], r)
	}
}

func (c *comparison) judgeOne(d *draft, s *newStatement, r prompts.FactResolution) {
	for _, place := range r.Retracts {
		episode := s.facts[0].episode
		c.retract(d, s, place, episode, r.Reason)
		if slices.ContainsFunc(c.at(d, s, place), func(k *knownFact) bool { return d.saidLater(k, episode) }) {
			r.Contradicts = append(r.Contradicts, place) // what was said later is not taken back, but cannot hold beside it
		}
	}
	if c.restates(d, s, r.DuplicateOf, r.Reason) || r.DuplicateOf != 0 && s.repeatOf(d, r.DuplicateOf, r.Reason) {
		r.DuplicateOf = 0
	}
	var unknown []int
	for _, place := range r.Contradicts {
		facts := c.at(d, s, place)
		if len(facts) == 0 {
			unknown = append(unknown, place)
		}
		for _, k := range s.concerned(s.contradicted(facts)) {
			for _, f := range s.facing(k) {
				f.contradict(k)
			}
		}
	}
	s.endAll()
	if r.DuplicateOf != 0 || len(unknown) > 0 {
		d.decide(s.facts[0].episode, stepResolveFacts, decidedMended, s.facts[0].fact, uuid.Nil,
			fmt.Sprintf("the answer calls it a duplicate of %d and contradicting %v, which was not offered or had ended before", r.DuplicateOf, unknown))
	}
}

// at is the known facts at a place of the question. What an earlier message of
// the window repeats stands for what it says.
func (c *comparison) at(d *draft, s *newStatement, place int) []*knownFact {
	var facts []*knownFact
	switch {
	case place >= 1 && place <= len(c.known):
		facts = c.known[place-1].facts
	case s == nil && place > len(c.known) && place <= len(c.known)+len(c.fresh):
		for _, f := range c.fresh[place-len(c.known)-1].facts {
			facts = append(facts, f.asKnown(d.groupID))
		}
	case s != nil:
		for _, r := range s.rivals {
			if r.place == place {
				facts = r.facts
			}
		}
	}
	originals := make([]*knownFact, len(facts))
	for i, k := range facts {
		originals[i] = k.original()
	}
	return originals
}

// repeatOf makes the facts of a statement the repetitions of those of a known
// one that relate the same two. It is false where there are none.
func (s *newStatement) repeatOf(d *draft, place int, reason string) bool {
	found := false
	for _, r := range s.rivals {
		if r.place != place || !r.samePair {
			continue
		}
		for _, f := range s.facts {
			for _, k := range r.facts {
				k = k.original()
				if f.duplicateOf == nil && f.samePair(k) && stillHolds(f, k) {
					d.repeat(f, k, reason)
					found = true
				}
			}
		}
	}
	return found
}

// ofSameRelation leaves of the facts of a known statement those of a relation
// that the new one speaks of, where there are any: a move ends a home, and not
// the marriage that the same sentence told of. A role is held at an employer: it
// ends with the job of the same sentence.
func (s *newStatement) ofSameRelation(facts []*knownFact) []*knownFact {
	if s == nil {
		return facts
	}
	var same []*knownFact
	for _, k := range facts {
		if slices.ContainsFunc(s.facts, func(f *newFact) bool {
			return graph.Relation(f.predicate) == graph.Relation(k.Predicate) || graph.Relation(f.predicate) == "WORKS_AT" && k.Predicate == "WORKS_AS"
		}) {
			same = append(same, k)
		}
	}
	if len(same) == 0 {
		return facts
	}
	return same
}

// contradicted leaves of the facts of a known statement those that the new one
// contradicts: of its relation, else of its pair. What ends or denies one thing of a
// list leaves the others.
func (s *newStatement) contradicted(facts []*knownFact) []*knownFact {
	same := s.ofSameRelation(facts)
	narrowed := len(same) < len(facts)
	speaks := slices.ContainsFunc(s.facts, func(f *newFact) bool {
		return !f.ends && slices.ContainsFunc(facts, func(k *knownFact) bool { return graph.Relation(f.predicate) == graph.Relation(k.Predicate) })
	})
	switch {
	case speaks:
		return same
	case narrowed:
		return s.ofSamePair(same)
	}
	return withoutTies(s.ofSamePair(facts))
}

// ofSamePair leaves of known facts those between the ends of the new statement,
// where there are any. A role ends with the job at the employer.
func (s *newStatement) ofSamePair(facts []*knownFact) []*knownFact {
	named := func(k *knownFact) bool {
		return slices.ContainsFunc(s.facts, func(f *newFact) bool { return f.samePair(k) })
	}
	if !slices.ContainsFunc(facts, named) {
		return facts
	}
	employed := func(k *knownFact) bool {
		return k.Predicate == "WORKS_AS" && slices.ContainsFunc(facts, func(o *knownFact) bool {
			return named(o) && o.Predicate == "WORKS_AT" && o.SourceID == k.SourceID
		})
	}
	return slices.DeleteFunc(slices.Clone(facts), func(k *knownFact) bool { return !named(k) && !employed(k) })
}

// withoutTies leaves out whom somebody has, where a statement says something else as
// well: a sister stays when a move ends the home of the same sentence.
func withoutTies(facts []*knownFact) []*knownFact {
	tie := func(k *knownFact) bool { return strings.HasPrefix(k.Predicate, "HAS_") }
	if i := slices.IndexFunc(facts, tie); i < 0 || !slices.ContainsFunc(facts, func(k *knownFact) bool { return !tie(k) }) {
		return facts
	}
	return slices.DeleteFunc(slices.Clone(facts), tie)
}

// endAll lets what says that something stopped end all that says that it holds, in
// whichever sentences.
func (s *newStatement) endAll() {
	for _, f := range s.facts {
		for _, k := range f.contradicts {
			if !f.ends || !f.samePair(k) {
				continue
			}
			for _, r := range s.rivals {
				for _, o := range r.facts {
					o = o.original()
					same := o.SourceID == k.SourceID && o.TargetID == k.TargetID && o.Predicate == k.Predicate
					if same && !o.expired {
						f.contradict(o)
					}
				}
			}
		}
	}
}

// facing are the facts of a statement that a known one is compared with: one
// with an end in the same role, else the first, of the same relation where there
// is one, else whom somebody has stays out of it. A role is held at an employer: it
// faces what the job faces.
func (s *newStatement) facing(k *knownFact) []*newFact {
	shares := func(f *newFact) bool { return f.source.ID == k.SourceID || f.target.ID == k.TargetID }
	for _, faces := range []func(*newFact) bool{
		func(f *newFact) bool { return f.samePair(k) },
		func(f *newFact) bool { return shares(f) && graph.Relation(f.predicate) == graph.Relation(k.Predicate) },
		func(f *newFact) bool { return shares(f) && !strings.HasPrefix(f.predicate, "HAS_") },
		shares,
	} {
		if i := slices.IndexFunc(s.facts, faces); i >= 0 {
			return s.withRole(s.facts[i])
		}
	}
	return s.facts[:1]
}

// withRole is a fact with the role that the same sentence gives at the same job.
func (s *newStatement) withRole(job *newFact) []*newFact {
	facts := []*newFact{job}
	for _, f := range s.facts {
		if job.predicate == "WORKS_AT" && f.predicate == "WORKS_AS" && f.source == job.source && f.episode == job.episode {
			facts = append(facts, f)
		}
	}
	return facts
}

// concerned leaves out of a known statement about several those of whom the new
// one does not speak: one of two moved away, the other stays.
func (s *newStatement) concerned(facts []*knownFact) []*knownFact {
	about := func(k *knownFact) bool {
		return slices.ContainsFunc(s.facts, func(f *newFact) bool { return f.source.ID == k.SourceID })
	}
	if !slices.ContainsFunc(facts, about) {
		return facts
	}
	return slices.DeleteFunc(slices.Clone(facts), func(k *knownFact) bool { return !about(k) })
}

// retraction is a fact that was taken back: it never held.
type retraction struct {
	fact    *knownFact
	by      *newStatement // nil: the episode says nothing else instead
	episode int
}

func (k *knownFact) learn(attributes json.RawMessage) {
	merged := graph.MergeAttributes(k.Attributes, attributes)
	if change.SameJSON(merged, k.Attributes) {
		return
	}
	k.Attributes, k.learned = merged, true
	if k.sibling != nil {
		k.sibling.attributes = merged
	}
}

// followChanges reads the facts whose ends were inferred from what is taken
// back or dated otherwise now.
func (w *walk) followChanges(ctx context.Context, d *draft) error {
	var ids []uuid.UUID
	for _, r := range d.retracted {
		ids = append(ids, r.fact.ID)
	}
	for _, f := range d.facts {
		if k := f.duplicateOf; k != nil && !f.yields && k.sibling == nil && !temporal.Repeat(k.claim(), f.claim()).Start.Equal(k.valid.Start) {
			ids = append(ids, k.ID)
		}
		for _, k := range f.contradicts {
			if k.sibling == nil && displaced(k.valid, temporal.Resolve(k.claim(), f.claim()).Old) {
				ids = append(ids, k.ID)
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	rows, before, err := change.BoundBy(ctx, db.New(w.store), d.groupID, ids)
	for _, row := range rows {
		d.inHand(row).unbound = new(before[row.ID])
	}
	return err
}

// displaced reports whether what was only said to hold gave way to a stretch
// that was stated later.
func displaced(before, after temporal.Validity) bool {
	return before.From.Basis == temporal.Said && after.Start.IsZero()
}

// reopen gives a fact back its time, without the end that another one gave it.
func (k *knownFact) reopen(by temporal.Validity, byBoundedBy uuid.UUID) {
	k.valid, k.boundedBy = change.Reopened(k.valid, *k.unbound, by), byBoundedBy
}
