package engine

import (
	"slices"
	"strings"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// The most known statements that the new facts of one message are compared with. Where
// they are more than half as many themselves, two for each.
const maxCompared = 12

// Beginnings of words by which relations speak of one thing, so that one may end the
// other, whatever else the relation is called.
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

// emptyWords say nothing of what a relation is about.
var emptyWords = map[string]bool{
	"NO": true, "NOT": true, "LONGER": true, "DOES": true, "IS": true, "WAS": true, "HAS": true, "IN": true, "AT": true, "TO": true,
	"OF": true, "ON": true, "BY": true, "FOR": true, "WITH": true, "FROM": true, "AS": true, "PLANS": true, "A": true, "THE": true,
}

// themes are what a relation is about: the beginnings of its words.
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
	runes := []rune(word)
	return string(runes[:min(len(runes), 4)])
}

// alikeInRelation reports whether two relations are about the same, so that one may
// repeat or contradict the other: WORKS_AT and NO_LONGER_WORKS_AT, LIVES_IN and MOVED_TO.
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
	return len(x)+len(y) == 0 // HAS, IS: they may mean anything
}

// neighbour is a stored statement that shares an end with a new fact.
type neighbour struct {
	rows     []db.FactRow
	samePair bool
	matters  bool // it may say the same, or what cannot hold beside it
}

// neighboursOf groups the rows found for a fact by their statement, in their order, and
// leaves out those that neither repeat it nor clash with it.
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

// mayRepeat reports whether a known fact relates the same two in a way that may mean the
// same: a state is no event of another relation, unless one of them stops something.
func (f *newFact) mayRepeat(k *knownFact) bool {
	return f.samePair(k) && (f.kind == k.Kind || f.ends || k.ends || alikeInRelation(f.predicate, k.Predicate))
}

// mayClash reports whether a fact and a known one are about the same. What many have in
// common, such as the place where they live, tells them apart unless the relation is the
// very same. That something stopped elsewhere clashes with nothing.
func (f *newFact) mayClash(k *knownFact) bool {
	switch {
	case k.ends:
		return f.samePair(k)
	case f.source.ID == k.SourceID, f.source.ID == k.TargetID, f.target.ID == k.SourceID:
		return alikeInRelation(f.predicate, k.Predicate)
	}
	return f.target.ID == k.TargetID && graph.Relation(f.predicate) == graph.Relation(k.Predicate)
}
