package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// comparison holds the new statements and what they are compared with. All facts of a statement
// share one place in the question.
type comparison struct {
	known  []*knownStatement // in the order of their places, which count from 1
	placed map[sentence]int  // places of known statements
	fresh  []*newStatement   // their places follow those of known

	rejected []db.RefusalsRow // their places follow those of fresh

	names     map[uuid.UUID]string // of the entities that the question shows
	namesakes map[string]int       // how many of these entities share a name
}

// sentence identifies a known statement. Its facts may have different words since an edit.
type sentence struct {
	statement uuid.UUID
	words     string
}

type knownStatement struct{ facts []*knownFact }

type newStatement struct {
	facts    []*newFact
	rivals   []*rival
	answered bool
}

// rival is a statement that a new one is compared with.
type rival struct {
	*knownStatement
	place    int
	samePair bool
}

func compareAll(d *draft) *comparison {
	c := &comparison{placed: map[sentence]int{}}
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

// findRivals reads the stored facts to compare new ones with, and adds the facts of earlier
// messages of the window.
func (w *walk) findRivals(ctx context.Context, d *draft) (*comparison, error) {
	c := compareAll(d)
	c.addRejected()
	var params []db.FactRivalsParams
	type asked struct {
		statement *newStatement
		fact      *newFact
	}
	var about []asked
	for _, s := range c.fresh {
		for _, f := range s.facts {
			params = append(params, db.FactRivalsParams{
				GroupID: d.groupID, SourceID: f.source.ID, TargetID: f.target.ID, Predicate: f.predicate,
				Model: w.Embedder.Name(), Embedding: db.Vector(f.vector), MaxRows: factCandidates,
			})
			about = append(about, asked{s, f})
		}
	}
	var failure error
	found := make([][]neighbour, len(params))
	db.New(w.store).FactRivals(ctx, params).Query(func(i int, rows []db.FactRow, err error) {
		if err != nil && failure == nil {
			failure = fmt.Errorf("find the facts to compare with: %w", err)
		}
		found[i] = neighboursOf(about[i].fact, rows)
	})
	for rank := 0; slices.ContainsFunc(found, func(of []neighbour) bool { return rank < len(of) }); rank++ {
		for i, of := range found {
			if rank < len(of) && c.hasRoom(d, of[rank].rows[0]) {
				c.show(d, about[i].statement, of[rank])
			}
		}
	}
	if failure == nil && d.takesBack {
		failure = w.findLatest(ctx, d, c)
	}
	c.addSiblings(d)
	return c, failure
}

// findLatest adds the latest facts about the entities of the episode, which may retract them.
func (w *walk) findLatest(ctx context.Context, d *draft, c *comparison) error {
	ids := each.Of(d.mentioned(), func(n *change.Entity) uuid.UUID { return n.ID })
	rows, err := db.New(w.store).FactsLatestOf(ctx, db.FactsLatestOfParams{GroupID: d.groupID, EntityIds: ids, MaxRows: maxCompared})
	if err != nil {
		return fmt.Errorf("find the latest facts: %w", err)
	}
	for _, row := range rows {
		if !c.hasRoom(d, row) {
			continue
		}
		place := c.add(d, known(row))
		for _, s := range c.fresh {
			s.see(place, false)
		}
	}
	return nil
}

// hasRoom reports whether a fact may be shown: its statement is shown already, or few statements
// are shown so far.
func (c *comparison) hasRoom(d *draft, row db.FactRow) bool {
	return c.placed[sentence{row.StatementID, row.Fact}] > 0 || len(c.known) < max(maxCompared*len(d.episodes), 2*len(c.fresh))
}

func (c *comparison) show(d *draft, s *newStatement, n neighbour) {
	for _, row := range n.rows {
		s.see(c.add(d, known(row)), n.samePair)
	}
}

// add adds a stored fact and returns its statement.
func (c *comparison) add(d *draft, k *knownFact) *rival {
	said := sentence{k.StatementID, k.Fact.Fact}
	place := c.placed[said]
	if place == 0 {
		c.known = append(c.known, &knownStatement{})
		place = len(c.known)
		c.placed[said] = place
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

func known(row db.FactRow) *knownFact {
	fact := db.Fact(row)
	return &knownFact{Fact: fact, span: &span{valid: fact.Valid, boundedBy: fact.BoundedBy}, ends: row.Ends}
}

// addSiblings compares statements with those of earlier messages of the window. A message does not
// contradict itself.
func (c *comparison) addSiblings(d *draft) {
	for i, s := range c.fresh {
		added := 0
		for j, earlier := range slices.Backward(c.fresh[:i]) {
			near, samePair := related(earlier, s)
			if earlier.facts[0].episode == s.facts[0].episode || !near && !d.takesBack || added == factCandidates {
				continue
			}
			added++
			facts := each.Of(earlier.facts, func(f *newFact) *knownFact { return f.asKnown(d.groupID) })
			s.rivals = append(s.rivals, &rival{place: len(c.known) + j + 1, samePair: samePair, knownStatement: &knownStatement{facts}})
		}
	}
}

// related reports whether two statements share an entity and a topic, and whether they
// relate the same two entities.
func related(a, b *newStatement) (near, samePair bool) {
	for _, x := range a.facts {
		for _, y := range b.facts {
			shared := x.source == y.source || x.target == y.target || x.source == y.target || x.target == y.source
			near = near || shared && alikeInRelation(x.predicate, y.predicate) || y.tellsDeath() && (y.source == x.source || y.source == x.target)
			samePair = samePair || x.source == y.source && x.target == y.target || x.source == y.target && x.target == y.source
		}
	}
	return near || samePair, samePair
}

// asKnown returns the fact as later messages of the window see it. Both share one span.
func (f *newFact) asKnown(groupID string) *knownFact {
	fact := f.asFact(groupID)
	fact.Valid = f.claimed
	return &knownFact{span: f.span, ends: f.ends, sibling: f, Fact: fact}
}

func (f *newFact) asFact(groupID string) graph.Fact {
	return graph.Fact{
		GroupID: groupID, ID: f.id, SourceID: f.source.ID, TargetID: f.target.ID, Source: f.source.Name, Target: f.target.Name,
		Predicate: f.predicate, Fact: f.fact, Kind: f.kind, Attributes: f.attributes, Valid: f.valid, SaidAt: f.said,
		StatementID: f.statement.id, BoundedBy: f.boundedBy,
	}
}

// maxCompared bounds the known statements shown for each message. With many new statements the
// bound is two for each of them.
const maxCompared = 12

// families are groups of word stems of relations that may end each other.
var families = [][]string{
	{"LIVE", "RESI", "HOME", "MOVE", "MOVI", "RELO", "SETT", "BASE", "ADDR", "STAY", "DWEL"},
	{"WORK", "EMPL", "JOIN", "JOB", "JOBS", "HIRE", "QUIT", "LEFT", "LEAV", "RETI", "FIRE", "TITL", "ROLE", "POSI", "PROM", "INTE", "STUD", "TEAC", "BOSS", "MANA", "REPO"},
	{"MARR", "SPOU", "HUSB", "WIFE", "PART", "DATE", "DATI", "ENGA", "DIVO", "SEPA", "SING", "WEDD", "BOYF", "GIRL"},
	{"LIKE", "LOVE", "HATE", "DISL", "ENJO", "PREF", "FAVO"},
	{"OWNS", "OWN", "BOUG", "BUYS", "BUY", "SOLD", "SELL", "DRIV", "POSS", "HAVE"},
	{"EATS", "EAT", "DRIN", "VEGE", "VEGA", "DIET", "ALLE"},
	{"NAME", "CALL", "NICK"},
	{"PRIC", "COST"},
}

var emptyWords = map[string]bool{
	"NO": true, "NOT": true, "LONGER": true, "DOES": true, "IS": true, "WAS": true, "HAS": true, "IN": true, "AT": true, "TO": true,
	"OF": true, "ON": true, "BY": true, "FOR": true, "WITH": true, "FROM": true, "AS": true, "PLANS": true, "A": true, "THE": true,
}

// themes returns the stems of the words of a relation, without empty words.
func themes(predicate string) []string {
	var out []string
	for word := range strings.SplitSeq(predicate, "_") {
		if !emptyWords[word] {
			out = append(out, stem(word))
		}
	}
	return out
}

func stem(word string) string {
	switch {
	case strings.HasSuffix(word, "OES"): // GOES is said of GO
		word = strings.TrimSuffix(word, "ES")
	case !strings.HasSuffix(word, "SS"): // RUNS is said of RUN
		word = strings.TrimSuffix(word, "S")
	}
	runes := []rune(word)
	return string(runes[:min(len(runes), 4)])
}

// alikeInRelation reports whether one relation may repeat or contradict another: WORKS_AT
// and NO_LONGER_WORKS_AT, LIVES_IN and MOVED_TO.
func alikeInRelation(a, b string) bool {
	if graph.Relation(a) == graph.Relation(b) {
		return true
	}
	x, y := themes(a), themes(b)
	for _, one := range x {
		for _, other := range y {
			if one == other || slices.ContainsFunc(families, func(f []string) bool { return slices.Contains(f, one) && slices.Contains(f, other) }) {
				return true
			}
		}
	}
	return len(x)+len(y) == 0 // HAS and IS may mean anything
}

// neighbour is a stored statement that shares an end with a new fact.
type neighbour struct {
	rows     []db.FactRow
	samePair bool
	matters  bool // it may repeat the new fact or contradict it
}

// neighboursOf groups the rows found for a fact by statement, and drops those that neither
// repeat nor contradict it.
func neighboursOf(f *newFact, rows []db.FactRow) []neighbour {
	var out []neighbour
	for _, row := range rows {
		i := slices.IndexFunc(out, func(n neighbour) bool { return n.rows[0].StatementID == row.StatementID })
		if i < 0 {
			i = len(out)
			out = append(out, neighbour{})
		}
		k := known(row)
		out[i].rows = append(out[i].rows, row)
		out[i].samePair = out[i].samePair || f.samePair(k)
		out[i].matters = out[i].matters || f.mayRepeat(k) || f.mayClash(k)
	}
	return slices.DeleteFunc(out, func(n neighbour) bool { return !n.matters })
}

// mayRepeat reports whether a known fact of the same two entities may mean the same.
func (f *newFact) mayRepeat(k *knownFact) bool {
	return f.samePair(k) && (f.kind == k.Kind || f.ends || k.ends || alikeInRelation(f.predicate, k.Predicate))
}

// mayClash reports whether two facts may contradict each other. Facts that share only a
// target, such as a place, must have the very same relation.
func (f *newFact) mayClash(k *knownFact) bool {
	switch {
	case k.ends:
		return f.samePair(k)
	case f.tellsDeath() && (f.source.ID == k.SourceID || f.source.ID == k.TargetID):
		return k.Kind == graph.FactState
	case f.source.ID == k.SourceID, f.source.ID == k.TargetID, f.target.ID == k.SourceID:
		hadOne := f.ends && graph.Relation(f.predicate) == "HAS" && (strings.HasPrefix(k.Predicate, "HAS_") || ridden[k.Predicate]) // "my dog died" may mean Rex
		return hadOne || deniesHaving(f.predicate, k.Predicate) || deniesHaving(k.Predicate, f.predicate) || alikeInRelation(f.predicate, k.Predicate)
	}
	return f.target.ID == k.TargetID && graph.Relation(f.predicate) == graph.Relation(k.Predicate)
}

// deniesHaving reports whether one relation may deny another one to something that is known by its
// name: "I don't have a dog" may mean Rex.
func deniesHaving(denial, having string) bool {
	return denial == "DOES_NOT_HAVE" && strings.HasPrefix(having, "HAS_")
}

// ridden are relations to things that one no longer has once they are sold.
var ridden = map[string]bool{"DRIVES": true, "RIDES": true}

// tellsDeath reports whether a fact says that its subject is dead. That may end any fact about
// them.
func (f *newFact) tellsDeath() bool {
	dies := func(word string) bool { return word == "DIED" || word == "DIES" || word == "DECEASED" }
	return strings.EqualFold(f.target.Name, "dead") || slices.ContainsFunc(strings.Split(f.predicate, "_"), dies)
}
