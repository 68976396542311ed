package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/temporal"
)

// resolveFacts finds out which of the new facts are known already and which
// ones they contradict, in one question for all of them. A fact is compared
// with stored ones and with those that earlier messages of its window state.
func (e *Engine) resolveFacts(ctx context.Context, d *draft) error {
	d.placeFacts()
	if len(d.facts) == 0 {
		return nil
	}
	rivals, err := e.findRivals(ctx, d)
	if err != nil {
		return err
	}
	question := d.questionOf(rivals)
	if len(question.Facts) == 0 {
		return nil
	}
	d.questions++
	var resolutions []prompts.FactResolution
	for batch := range slices.Chunk(question.Facts, maxAsked) {
		answer, err := e.analyst.ResolveFacts(ctx, question.about(batch))
		if err != nil {
			return analysed(ctx, stepResolveFacts, err)
		}
		resolutions = append(resolutions, answer.Resolutions...)
	}
	d.judge(resolutions, rivals)
	return nil
}

// The most names or facts that one question is about. Only long documents have
// more; they take a question for every so many.
const maxAsked = 40

// factQuestion is a question about all new facts.
type factQuestion struct{ prompts.ResolveFacts }

// about is the part of the question that concerns some of the facts, with
// those they are compared with.
func (q factQuestion) about(facts []prompts.UnresolvedFact) prompts.ResolveFacts {
	needed := map[int]bool{}
	for _, f := range facts {
		for _, id := range append(f.SamePair, f.Rivals...) {
			needed[id] = true
		}
	}
	part := prompts.ResolveFacts{Episode: q.Episode, Facts: facts}
	for _, k := range q.Existing {
		if needed[k.ID] {
			part.Existing = append(part.Existing, k)
		}
	}
	for _, f := range q.Facts { // earlier ones of the window, asked about in another part
		other := !slices.ContainsFunc(facts, func(own prompts.UnresolvedFact) bool { return own.ID == f.ID })
		if needed[f.ID] && other {
			part.Existing = append(part.Existing, f.KnownFact)
		}
	}
	return part
}

// placeFacts puts the statements between the resolved nodes. Two names of one
// statement may have turned out to mean the same entity: then nothing is left
// of it.
func (d *draft) placeFacts() {
	d.facts, d.known = nil, nil
	for _, s := range d.statements {
		source, target := d.nodes[s.source], d.nodes[s.target]
		if source == target {
			d.note(note{
				episodes: []int{s.episode}, step: stepResolveFacts, decision: decidedDropped, subject: s.fact,
				reason: "both its ends are " + source.Name,
			})
			continue
		}
		d.facts = append(d.facts, &newFact{statement: s, span: &span{valid: s.claimed, endedBy: s.episode}, id: newID(), source: source, target: target})
	}
	slices.SortStableFunc(d.facts, func(a, b *newFact) int { return a.episode - b.episode })
}

// rival is a fact as one new fact sees it.
type rival struct {
	fact     *knownFact
	place    int // its id in the question
	samePair bool
}

// findRivals reads the stored facts that each new one must be compared with,
// and adds those of earlier messages.
func (e *Engine) findRivals(ctx context.Context, d *draft) ([][]rival, error) {
	params := make([]db.FactRivalsParams, len(d.facts))
	for i, f := range d.facts {
		params[i] = db.FactRivalsParams{
			GroupID: d.groupID, SourceID: f.source.ID, TargetID: f.target.ID, Predicate: f.predicate,
			Model: e.embedder.Name(), Embedding: db.Vector(f.vector), MaxRows: DefaultFactCandidates,
		}
	}
	places := map[uuid.UUID]int{}
	rivals := make([][]rival, len(d.facts))
	var failure error
	db.New(e.store).FactRivals(ctx, params).Query(func(i int, rows []db.FactRivalsRow, err error) {
		if err != nil && failure == nil {
			failure = fmt.Errorf("find the facts to compare with: %w", err)
		}
		for _, row := range rows {
			if places[row.ID] == 0 {
				d.known = append(d.known, known(d.groupID, row))
				places[row.ID] = len(d.known)
			}
			place := places[row.ID]
			rivals[i] = append(rivals[i], rival{fact: d.known[place-1], place: place, samePair: row.SamePair})
		}
	})
	d.addSiblings(rivals)
	return rivals, failure
}

func known(groupID string, row db.FactRivalsRow) *knownFact {
	valid := db.Interval(row.Valid)
	return &knownFact{span: &span{valid: valid}, ends: row.Ends, Fact: graph.Fact{
		GroupID: groupID, ID: row.ID, SourceID: row.SourceID, TargetID: row.TargetID, Source: row.Source, Target: row.Target,
		Predicate: row.Predicate, Fact: row.Fact, Attributes: row.Attributes, Valid: valid, Recorded: db.Interval(row.Recorded),
	}}
}

// addSiblings compares each fact with those of earlier messages of the window.
// What one message says in itself is taken at its word.
func (d *draft) addSiblings(rivals [][]rival) {
	for i, f := range d.facts {
		added := 0
		for j, earlier := range slices.Backward(d.facts[:i]) {
			samePair := earlier.source == f.source && earlier.target == f.target || earlier.source == f.target && earlier.target == f.source
			sameRole := earlier.predicate == f.predicate && (earlier.source == f.source || earlier.target == f.target)
			if earlier.episode == f.episode || !samePair && !sameRole || added == DefaultFactCandidates {
				continue
			}
			added++
			rivals[i] = append(rivals[i], rival{fact: earlier.asKnown(d.groupID), place: len(d.known) + j + 1, samePair: samePair})
		}
	}
}

// asKnown is the fact as a later one of the same window sees it. They share
// the place on the timeline.
func (f *newFact) asKnown(groupID string) *knownFact {
	return &knownFact{span: f.span, ends: f.ends, sibling: f, Fact: graph.Fact{
		GroupID: groupID, ID: f.id, SourceID: f.source.ID, TargetID: f.target.ID, Source: f.source.Name, Target: f.target.Name,
		Predicate: f.predicate, Fact: f.fact, Attributes: f.attributes, Valid: f.claimed,
	}}
}

// questionOf asks about the facts that have rivals and are no plain
// repetitions, and shows those they are compared with.
func (d *draft) questionOf(rivals [][]rival) factQuestion {
	question := factQuestion{prompts.ResolveFacts{Episode: d.excerpt()}}
	shown := make([]bool, len(d.facts))
	for i, f := range d.facts {
		if k := verbatim(f, rivals[i]); k != nil {
			d.repeat(f, k, "in the same words")
			continue
		}
		shown[i] = shown[i] || len(rivals[i]) > 0
		for _, r := range rivals[i] {
			if r.fact.sibling != nil && r.fact.sibling.duplicateOf == nil {
				shown[r.place-len(d.known)-1] = true
			}
		}
	}
	for _, k := range d.known {
		question.Existing = append(question.Existing, knownPrompt(len(question.Existing)+1, k))
	}
	asked := false
	for i, f := range d.facts {
		if shown[i] && f.duplicateOf == nil {
			asked = asked || len(rivals[i]) > 0
			question.Facts = append(question.Facts, d.unresolved(i, rivals[i]))
		}
	}
	if !asked {
		question.Facts = nil
	}
	return question
}

func knownPrompt(id int, k *knownFact) prompts.KnownFact {
	return prompts.KnownFact{
		ID: id, Source: k.Source, Target: k.Target, Predicate: k.Predicate, Fact: k.Fact.Fact,
		ValidAt: db.Nullable(k.Valid.Start), InvalidAt: db.Nullable(k.Valid.End),
	}
}

// unresolved is the i-th new fact as the analyst is asked about it.
func (d *draft) unresolved(i int, rivals []rival) prompts.UnresolvedFact {
	f := d.facts[i]
	u := prompts.UnresolvedFact{Ends: f.ends, KnownFact: prompts.KnownFact{
		ID: len(d.known) + i + 1, Source: f.source.Name, Target: f.target.Name, Predicate: f.predicate, Fact: f.fact,
	}}
	if f.dated {
		u.ValidAt, u.InvalidAt = db.Nullable(f.claimed.Start), db.Nullable(f.claimed.End)
	}
	for _, r := range rivals {
		switch {
		case r.fact.sibling != nil && r.fact.sibling.duplicateOf != nil:
		case r.samePair:
			u.SamePair = append(u.SamePair, r.place)
		default:
			u.Rivals = append(u.Rivals, r.place)
		}
	}
	return u
}

// verbatim finds the fact that says the same in the same words, but for case
// and punctuation. The same sentence with a date in it, said of another time,
// is another event.
func verbatim(f *newFact, rivals []rival) *knownFact {
	for _, r := range rivals {
		if s := r.fact.sibling; s != nil && s.duplicateOf != nil {
			continue // what it repeats is a rival too
		}
		if !r.samePair || f.ends != r.fact.ends || f.ends && f.predicate != r.fact.Predicate ||
			bareWords(r.fact.Fact.Fact) != bareWords(f.fact) || !stillHolds(r.fact, f.claimed) {
			continue
		}
		if !saysWhen(f) || r.fact.Valid.Start.Equal(f.claimed.Start) {
			return r.fact
		}
	}
	return nil
}

func saysWhen(f *newFact) bool { return len(temporal.Find(f.fact, f.claimedAt())) > 0 }

// claimedAt is any time within the claim, to read its words against.
func (s statement) claimedAt() time.Time {
	if s.claimed.Start.IsZero() {
		return s.claimed.End
	}
	return s.claimed.Start
}

func bareWords(s string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	}), " "))
}

// stillHolds reports whether a known fact may be what a new one repeats: one
// that ended before and becomes true again is a new fact.
func stillHolds(k *knownFact, claimed temporal.Interval) bool { return k.Valid.Overlaps(claimed) }

// judge takes over what the analyst found. A duplicate must be of the same
// pair, and what is contradicted must be among what was shown.
func (d *draft) judge(resolutions []prompts.FactResolution, rivals [][]rival) {
	slices.SortStableFunc(resolutions, func(a, b prompts.FactResolution) int { return a.ID - b.ID })
	answered := map[int]bool{}
	for _, r := range resolutions {
		i := r.ID - len(d.known) - 1
		if i < 0 || i >= len(d.facts) || answered[i] || d.facts[i].duplicateOf != nil {
			d.note(note{
				step: stepResolveFacts, decision: decidedDropped, subject: fmt.Sprintf("answer about fact %d", r.ID),
				reason: "it was not asked about or is answered already",
			})
			continue
		}
		answered[i] = true
		d.judgeOne(d.facts[i], r, rivals[i])
	}
}

func (d *draft) judgeOne(f *newFact, r prompts.FactResolution, rivals []rival) {
	contradicts := r.Contradicts
	for _, seen := range rivals {
		k := seen.fact
		if k.sibling != nil && k.sibling.duplicateOf != nil {
			k = k.sibling.duplicateOf
		}
		switch {
		case seen.place == r.DuplicateOf && seen.samePair && stillHolds(k, f.claimed):
			d.repeat(f, k, r.Reason)
			r.DuplicateOf = 0
		case slices.Contains(contradicts, seen.place):
			f.contradicts = append(f.contradicts, k)
		}
		contradicts = slices.DeleteFunc(slices.Clone(contradicts), func(id int) bool { return id == seen.place })
	}
	if r.DuplicateOf != 0 || len(contradicts) > 0 {
		d.note(note{
			episodes: []int{f.episode}, step: stepResolveFacts, decision: decidedMended, subject: f.fact,
			reason: fmt.Sprintf("the answer calls it a duplicate of %d and contradicting %v, which was not offered or had ended before", r.DuplicateOf, contradicts),
		})
	}
}

// repeat makes a new fact the repetition of one that is there, which may learn
// attributes by it.
func (d *draft) repeat(f *newFact, k *knownFact, reason string) {
	f.duplicateOf = k
	d.note(note{
		episodes: []int{f.episode}, step: stepResolveFacts, decision: decidedRepeated, subject: f.fact,
		reason: fmt.Sprintf("it says %q again: %s", k.Fact.Fact, reason), fact: k.ID,
	})
	k.learn(f.attributes)
}

func (k *knownFact) learn(attributes json.RawMessage) {
	merged := graph.MergeAttributes(k.Attributes, attributes)
	if sameJSON(merged, k.Attributes) {
		return
	}
	k.Attributes, k.learned = merged, true
	if k.sibling != nil {
		k.sibling.attributes = merged
	}
}
