package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/annalsdb/annals/engine/timeline"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/prompts"
)

// judge applies the answer of the analyst. A duplicate must relate the same two entities,
// and every fact it names must have been shown.
func (c *comparison) judge(d *draft, resolutions []prompts.FactResolution) {
	each.Sort(resolutions, func(a, b prompts.FactResolution) int { return a.ID - b.ID })
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
			r.Contradicts = append(r.Contradicts, place) // a later statement is not retracted, but it cannot hold beside this one
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
		contradicted := s.ofSameSubject(s.contradicted(s.ofTheDead(facts)))
		for _, k := range s.saidAgain(d, contradicted) {
			for _, f := range s.counterparts(k) {
				f.contradict(k)
			}
		}
	}
	s.endEverywhere()
	if r.DuplicateOf != 0 || len(unknown) > 0 {
		d.decide(s.facts[0].episode, stepResolveFacts, decidedMended, s.facts[0].fact, uuid.Nil,
			fmt.Sprintf("the answer calls it a duplicate of %d and contradicting %v, which was not offered or had ended before", r.DuplicateOf, unknown))
	}
}

// at returns the known facts at a place of the question. A repetition is replaced by its original.
func (c *comparison) at(d *draft, s *newStatement, place int) []*knownFact {
	var facts []*knownFact
	switch {
	case place >= 1 && place <= len(c.known):
		facts = c.known[place-1].facts
	case s == nil && place > len(c.known) && place <= len(c.known)+len(c.fresh):
		facts = each.Of(c.fresh[place-len(c.known)-1].facts, func(f *newFact) *knownFact { return f.asKnown(d.groupID) })
	case s != nil:
		for _, r := range s.rivals {
			if r.place == place {
				facts = r.facts
			}
		}
	}
	return each.Of(facts, (*knownFact).original)
}

// repeatOf marks facts as repetitions of those of a known statement, and reports whether
// it found any.
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

// ofSameRelation keeps the facts of a relation of the new statement, if there are any. A move ends
// a home, not a marriage told in the same sentence. WORKS_AT also covers WORKS_AS, the role at the
// job.
func (s *newStatement) ofSameRelation(facts []*knownFact) []*knownFact {
	if s == nil {
		return facts
	}
	return ifAny(facts, func(k *knownFact) bool {
		return slices.ContainsFunc(s.facts, func(f *newFact) bool {
			return graph.Relation(f.predicate) == graph.Relation(k.Predicate) || graph.Relation(f.predicate) == "WORKS_AT" && k.Predicate == "WORKS_AS"
		})
	})
}

// ifAny keeps the facts that meet a condition, or all if none does.
func ifAny(facts []*knownFact, meets func(*knownFact) bool) []*knownFact {
	if kept := each.Where(facts, meets); len(kept) > 0 {
		return kept
	}
	return facts
}

// contradicted keeps the facts of a known statement that the new one contradicts: those of its
// relation, else those of its pair. Ending one item of a list leaves the others.
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

// saidAgain makes repetitions of the facts that the new statement repeats, and returns the rest,
// which it contradicts, if there are any. "My sister Anna moved to Bergen" contradicts "my sister
// Anna lives in Oslo", but repeats that she is my sister. A job is not repeated if its role ends,
// as the sentence of the job names the role.
func (s *newStatement) saidAgain(d *draft, facts []*knownFact) []*knownFact {
	role := slices.ContainsFunc(facts, func(k *knownFact) bool { return k.Predicate == "WORKS_AS" })
	again := func(k *knownFact) int {
		if role && k.Predicate == "WORKS_AT" {
			return -1
		}
		return slices.IndexFunc(s.facts, func(f *newFact) bool {
			return f.samePair(k) && f.predicate == k.Predicate && !f.ends && !k.ends && f.kind == graph.FactState && k.Kind == graph.FactState && stillHolds(f, k)
		})
	}
	left := each.Where(facts, func(k *knownFact) bool { return again(k) < 0 })
	if len(left) == 0 {
		return facts
	}
	for _, k := range facts {
		if i := again(k); i >= 0 && s.facts[i].duplicateOf == nil {
			d.repeat(s.facts[i], k, "what is new is the rest")
		}
	}
	return left
}

// ofSamePair keeps the facts between the same two entities, if there are any, with the role at a
// job among them.
func (s *newStatement) ofSamePair(facts []*knownFact) []*knownFact {
	named := func(k *knownFact) bool {
		return slices.ContainsFunc(s.facts, func(f *newFact) bool { return f.samePair(k) })
	}
	employed := func(k *knownFact) bool {
		return k.Predicate == "WORKS_AS" && slices.ContainsFunc(facts, func(o *knownFact) bool {
			return named(o) && o.Predicate == "WORKS_AT" && o.SourceID == k.SourceID
		})
	}
	return ifAny(facts, func(k *knownFact) bool { return named(k) || employed(k) })
}

// withoutTies drops relationships if there are other facts. A move ends a home, not the sister told
// in the same sentence.
func withoutTies(facts []*knownFact) []*knownFact {
	return ifAny(facts, func(k *knownFact) bool { return !strings.HasPrefix(k.Predicate, "HAS_") })
}

// endEverywhere also ends the repetitions of an ended fact in other sentences.
func (s *newStatement) endEverywhere() {
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

// counterparts returns the facts of a statement to compare a known one with: of the same pair, else
// of the same relation with a shared end, else any with a shared end, relationships last. The role
// at a job is returned with it.
func (s *newStatement) counterparts(k *knownFact) []*newFact {
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

func (s *newStatement) withRole(job *newFact) []*newFact {
	return append([]*newFact{job}, each.Where(s.facts, func(f *newFact) bool {
		return job.predicate == "WORKS_AT" && f.predicate == "WORKS_AS" && f.source == job.source && f.episode == job.episode
	})...)
}

// ofSameSubject keeps the facts about a subject of the new statement. If one of two people moves
// away, the other stays.
func (s *newStatement) ofSameSubject(facts []*knownFact) []*knownFact {
	return ifAny(facts, func(k *knownFact) bool {
		return slices.ContainsFunc(s.facts, func(f *newFact) bool { return f.source.ID == k.SourceID })
	})
}

// ofTheDead keeps the facts about the subject of a statement that tells of a death. Of a list of
// animals only one has died.
func (s *newStatement) ofTheDead(facts []*knownFact) []*knownFact {
	if !s.facts[0].tellsDeath() {
		return facts
	}
	subject := s.facts[0].source.ID
	return each.Where(facts, func(k *knownFact) bool { return k.SourceID == subject || k.TargetID == subject })
}

// retraction is a fact that was retracted because it never held.
type retraction struct {
	fact    *knownFact
	by      *newStatement // nil: the episode says nothing in its place
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

// followChanges reads the facts that ended because of a fact that is now retracted, dated
// differently or left no time.
func (w *walk) followChanges(ctx context.Context, d *draft) error {
	ids := each.Of(d.retracted, func(r retraction) uuid.UUID { return r.fact.ID })
	for _, f := range d.facts {
		if k := f.duplicateOf; k != nil && !f.datesNothing && k.sibling == nil && !timeline.Repeat(k.claim(), f.claim()).Start.Equal(k.valid.Start) {
			ids = append(ids, k.ID)
		}
		for _, k := range f.contradicts {
			if r := timeline.Resolve(k.claim(), f.claim()); k.sibling == nil && (r.Expired == timeline.Old || timeline.Displaced(k.valid, r.Old)) {
				ids = append(ids, k.ID)
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	rows, before, err := change.BoundBy(ctx, db.New(w.store), d.groupID, ids)
	for _, row := range rows {
		d.takeIn(row).unbound = new(before[row.ID])
	}
	return err
}

// held returns when a fact holds as far as the draft knows.
func (s *span) held() change.Span { return change.Span{Validity: s.valid, BoundedBy: s.boundedBy} }

func (k *knownFact) reopen(by change.Span) {
	s := change.Reopened(k.held(), *k.unbound, by)
	k.valid, k.boundedBy = s.Validity, s.BoundedBy
}
