package engine

import (
	"context"
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

// resolveFacts finds out which of the new statements are known already, which
// ones they contradict and which they take back, in one question for all of
// them. A statement is compared with stored ones and with those that earlier
// messages of its window make.
func (e *Engine) resolveFacts(ctx context.Context, d *draft) error {
	d.placeFacts()
	if len(d.facts) == 0 && !d.takesBack {
		return nil
	}
	if err := e.dropRejected(ctx, d); err != nil {
		return err
	}
	c, err := e.findRivals(ctx, d)
	if err != nil {
		return err
	}
	if err := e.ask(ctx, d, c); err != nil {
		return err
	}
	return e.followChanges(ctx, d)
}

func (e *Engine) ask(ctx context.Context, d *draft, c *comparison) error {
	question := c.question(d)
	if len(question.Facts) == 0 && !question.TakesBack {
		return nil
	}
	d.questions++
	batches := slices.Collect(slices.Chunk(question.Facts, maxAsked))
	if len(batches) == 0 {
		batches = [][]prompts.UnresolvedFact{nil}
	}
	for _, batch := range batches {
		answer, err := e.analyst.ResolveFacts(ctx, partOf(question, batch))
		if err != nil {
			return analysed(ctx, stepResolveFacts, err)
		}
		c.judge(d, answer.Resolutions)
	}
	return nil
}

// The most names or facts that one question is about. Only long documents have
// more; they take a question for every so many.
const maxAsked = 40

// partOf is the part of a question that concerns some of the facts, with those
// they are compared with.
func partOf(q prompts.ResolveFacts, facts []prompts.UnresolvedFact) prompts.ResolveFacts {
	needed := map[int]bool{}
	for _, f := range facts {
		for _, id := range append(f.SamePair, f.Rivals...) {
			needed[id] = true
		}
	}
	part := prompts.ResolveFacts{Episode: q.Episode, Facts: facts, TakesBack: q.TakesBack}
	for _, k := range q.Existing {
		if needed[k.ID] || q.TakesBack {
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
	d.facts, d.known, d.retracted = nil, nil, nil
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

// comparison is what new statements are compared with. A statement may relate
// several pairs of entities; all its facts share one place in the question.
type comparison struct {
	known  []*knownStatement // in the order of their places, which count from 1
	placed map[uuid.UUID]int // places of known statements
	fresh  []*newStatement   // whose places follow
}

type knownStatement struct{ facts []*knownFact }

type newStatement struct {
	facts    []*newFact
	rivals   []*rival
	answered bool
}

// rival is a statement as one new statement sees it.
type rival struct {
	*knownStatement
	place    int
	samePair bool
}

// compareAll groups the new facts by the statement that they come from.
func compareAll(d *draft) *comparison {
	c := &comparison{placed: map[uuid.UUID]int{}}
	at := map[uuid.UUID]*newStatement{}
	for _, f := range d.facts {
		s := at[f.statement.id]
		if s == nil {
			s = &newStatement{}
			at[f.statement.id] = s
			c.fresh = append(c.fresh, s)
		}
		s.facts = append(s.facts, f)
	}
	return c
}

// findRivals reads the stored facts that each new one must be compared with,
// and adds those of earlier messages.
func (e *Engine) findRivals(ctx context.Context, d *draft) (*comparison, error) {
	c := compareAll(d)
	var params []db.FactRivalsParams
	var about []*newStatement
	for _, s := range c.fresh {
		for _, f := range s.facts {
			params = append(params, db.FactRivalsParams{
				GroupID: d.groupID, SourceID: f.source.ID, TargetID: f.target.ID, Predicate: f.predicate,
				Model: e.embedder.Name(), Embedding: db.Vector(f.vector), MaxRows: DefaultFactCandidates,
			})
			about = append(about, s)
		}
	}
	var failure error
	db.New(e.store).FactRivals(ctx, params).Query(func(i int, rows []db.FactRow, err error) {
		if err != nil && failure == nil {
			failure = fmt.Errorf("find the facts to compare with: %w", err)
		}
		for _, row := range rows {
			k := known(row)
			about[i].see(c.add(d, k), relates(params[i], k))
		}
	})
	if failure == nil && d.takesBack {
		failure = e.findLatest(ctx, d, c)
	}
	c.addSiblings(d)
	return c, failure
}

// findLatest adds the latest facts about whom the episode mentions: what it
// takes back is among them.
func (e *Engine) findLatest(ctx context.Context, d *draft, c *comparison) error {
	var ids []uuid.UUID
	for _, n := range d.mentioned() {
		ids = append(ids, n.ID)
	}
	rows, err := db.New(e.store).FactsLatestOf(ctx, db.FactsLatestOfParams{GroupID: d.groupID, EntityIds: ids, MaxRows: 2 * DefaultFactCandidates})
	if err != nil {
		return fmt.Errorf("find the latest facts: %w", err)
	}
	for _, row := range rows {
		place := c.add(d, known(row))
		for _, s := range c.fresh {
			s.see(place, false)
		}
	}
	return nil
}

// add takes a stored fact into the comparison and returns its statement.
func (c *comparison) add(d *draft, k *knownFact) *rival {
	place := c.placed[k.StatementID]
	if place == 0 {
		c.known = append(c.known, &knownStatement{})
		place = len(c.known)
		c.placed[k.StatementID] = place
	}
	s := c.known[place-1]
	if !slices.ContainsFunc(s.facts, func(o *knownFact) bool { return o.ID == k.ID }) {
		s.facts = append(s.facts, k)
		d.known = append(d.known, k)
	}
	return &rival{place: place, knownStatement: s}
}

func (s *newStatement) see(r *rival, samePair bool) {
	i := slices.IndexFunc(s.rivals, func(o *rival) bool { return o.place == r.place })
	if i < 0 {
		i = len(s.rivals)
		s.rivals = append(s.rivals, &rival{place: r.place, knownStatement: r.knownStatement})
	}
	s.rivals[i].samePair = s.rivals[i].samePair || samePair
}

func relates(p db.FactRivalsParams, k *knownFact) bool {
	return p.SourceID == k.SourceID && p.TargetID == k.TargetID || p.SourceID == k.TargetID && p.TargetID == k.SourceID
}

func known(row db.FactRow) *knownFact {
	fact := db.Fact(row)
	return &knownFact{Fact: fact, span: &span{valid: fact.Valid, boundedBy: fact.BoundedBy}, ends: row.Ends}
}

// addSiblings compares each statement with those of earlier messages of the
// window. What one message says in itself is taken at its word.
func (c *comparison) addSiblings(d *draft) {
	for i, s := range c.fresh {
		added := 0
		for j, earlier := range slices.Backward(c.fresh[:i]) {
			near, samePair := related(earlier, s)
			if earlier.facts[0].episode == s.facts[0].episode || !near && !d.takesBack || added == DefaultFactCandidates {
				continue
			}
			added++
			r := &rival{place: len(c.known) + j + 1, samePair: samePair, knownStatement: &knownStatement{}}
			for _, f := range earlier.facts {
				r.facts = append(r.facts, f.asKnown(d.groupID))
			}
			s.rivals = append(s.rivals, r)
		}
	}
}

// related reports whether two statements share an entity, and whether they
// relate the same two.
func related(a, b *newStatement) (near, samePair bool) {
	for _, x := range a.facts {
		for _, y := range b.facts {
			near = near || x.source == y.source || x.target == y.target || x.source == y.target || x.target == y.source
			samePair = samePair || x.source == y.source && x.target == y.target || x.source == y.target && x.target == y.source
		}
	}
	return near, samePair
}

// asKnown is the fact as a later one of the same window sees it. They share
// the place on the timeline.
func (f *newFact) asKnown(groupID string) *knownFact {
	fact := f.asFact(groupID)
	fact.Valid = f.claimed
	return &knownFact{span: f.span, ends: f.ends, sibling: f, Fact: fact}
}

// asFact is the fact as it is to be stored.
func (f *newFact) asFact(groupID string) graph.Fact {
	return graph.Fact{
		GroupID: groupID, ID: f.id, SourceID: f.source.ID, TargetID: f.target.ID, Source: f.source.Name, Target: f.target.Name,
		Predicate: f.predicate, Fact: f.fact, Kind: f.kind, Attributes: f.attributes, Valid: f.valid, SaidAt: f.said,
		StatementID: f.statement.id, BoundedBy: f.boundedBy,
	}
}

// question asks about the statements that have rivals and are no plain
// repetitions, and shows those they are compared with.
func (c *comparison) question(d *draft) prompts.ResolveFacts {
	q := prompts.ResolveFacts{Episode: d.excerpt(), TakesBack: d.takesBack && (len(c.known) > 0 || len(d.episodes) > 1)}
	shown := make([]bool, len(c.fresh))
	for i, s := range c.fresh {
		if s.repeatVerbatim(d) {
			continue
		}
		shown[i] = shown[i] || len(s.rivals) > 0 || q.TakesBack && len(d.episodes) > 1
		for _, r := range s.rivals {
			if r.place > len(c.known) {
				shown[r.place-len(c.known)-1] = true
			}
		}
	}
	for i, k := range c.known {
		q.Existing = append(q.Existing, promptOf(i+1, k.facts))
	}
	for i, s := range c.fresh {
		if shown[i] && !s.repeated() {
			q.Facts = append(q.Facts, c.unresolved(i, s))
		}
	}
	if !q.TakesBack && !slices.ContainsFunc(c.fresh, func(s *newStatement) bool { return len(s.rivals) > 0 && !s.repeated() }) {
		q.Facts = nil
	}
	return q
}

func promptOf(id int, facts []*knownFact) prompts.KnownFact {
	k := facts[0]
	p := prompts.KnownFact{ID: id, Fact: k.Fact.Fact, Kind: string(k.Kind), Valid: k.Valid, Said: k.SaidAt}
	for _, k := range facts {
		p.Pairs = append(p.Pairs, prompts.Pair{Source: k.Source, Predicate: k.Predicate, Target: k.Target})
	}
	return p
}

// unresolved is the i-th new statement as the analyst is asked about it.
func (c *comparison) unresolved(i int, s *newStatement) prompts.UnresolvedFact {
	f := s.facts[0]
	u := prompts.UnresolvedFact{Ends: f.ends, KnownFact: prompts.KnownFact{ID: len(c.known) + i + 1, Fact: f.fact, Kind: string(f.kind), Said: f.said}}
	if f.dated() {
		u.Valid = f.claimed
	}
	for _, f := range s.facts {
		u.Pairs = append(u.Pairs, prompts.Pair{Source: f.source.Name, Predicate: f.predicate, Target: f.target.Name})
	}
	for _, r := range s.rivals {
		switch {
		case r.place > len(c.known) && c.fresh[r.place-len(c.known)-1].repeated(): // what it repeats is a rival, too
		case r.samePair:
			u.SamePair = append(u.SamePair, r.place)
		default:
			u.Rivals = append(u.Rivals, r.place)
		}
	}
	return u
}

func (s *newStatement) repeated() bool {
	return !slices.ContainsFunc(s.facts, func(f *newFact) bool { return f.duplicateOf == nil })
}

// repeatVerbatim makes facts the repetitions of those that say the same in the
// same words, and reports whether nothing is left to be asked about.
func (s *newStatement) repeatVerbatim(d *draft) bool {
	for _, f := range s.facts {
		for _, r := range s.rivals {
			for _, k := range r.facts {
				if f.duplicateOf == nil && verbatim(f, k) {
					d.repeat(f, k, "in the same words")
				}
			}
		}
	}
	return s.repeated()
}

// verbatim reports whether a fact says the same as a known one in the same
// words, but for case and punctuation. The same sentence with a date in it,
// said of another time, is another event.
func verbatim(f *newFact, k *knownFact) bool {
	if k.sibling != nil && k.sibling.duplicateOf != nil || !f.samePair(k) || f.ends != k.ends || f.predicate != k.Predicate ||
		bareWords(k.Fact.Fact) != bareWords(f.fact) || !stillHolds(f, k) {
		return false
	}
	return !saysWhen(f) || k.Valid.Start.Equal(f.claimed.Start)
}

// samePair reports whether a fact relates the same two entities, either way round.
func (f *newFact) samePair(k *knownFact) bool {
	return f.source.ID == k.SourceID && f.target.ID == k.TargetID || f.source.ID == k.TargetID && f.target.ID == k.SourceID
}

func saysWhen(f *newFact) bool { return len(temporal.Find(f.fact, f.said)) > 0 }

func bareWords(s string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	}), " "))
}

// stillHolds reports whether a known fact may be what a new one repeats: a
// state that ended before it was said again is true again, and a new fact. What
// tells more of what was only said, or was said before that, is the same.
func stillHolds(f *newFact, k *knownFact) bool {
	if k.Kind == graph.FactEvent {
		return true
	}
	return k.Valid.Overlaps(f.claimed.Interval) || k.Valid.From.Basis == temporal.Said && !f.claimed.End.IsZero() && k.Valid.Ongoing() ||
		k.Valid.From.Basis == temporal.NotKnown && !f.said.After(k.SaidAt)
}

// repeat makes a new fact the repetition of one that is there, which may learn
// attributes and dates by it.
func (d *draft) repeat(f *newFact, k *knownFact, reason string) {
	f.duplicateOf = k
	d.note(note{
		episodes: []int{f.episode}, step: stepResolveFacts, decision: decidedRepeated, subject: f.fact,
		reason: fmt.Sprintf("it says %q again: %s", k.Fact.Fact, reason), fact: k.ID,
	})
	k.learn(f.attributes)
}

func (k *knownFact) claim() temporal.Claim {
	return temporal.Claim{Valid: k.valid, Said: k.SaidAt, Recorded: k.Recorded.Start, Event: k.Kind == graph.FactEvent}
}

func (f *newFact) claim() temporal.Claim {
	return temporal.Claim{Valid: f.valid, Said: f.said, Recorded: time.Now(), Event: f.kind == graph.FactEvent}
}
