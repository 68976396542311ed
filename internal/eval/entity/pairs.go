package entity

import (
	"iter"
	"slices"
	"strings"

	"github.com/annalsdb/annals/engine/matching"
)

// pairSet is a data set of records in which some pairs are the same entity.
type pairSet struct {
	name    string
	records []matching.Record
	keys    []string        // the name of each record, as the baselines see it
	pairs   []matching.Pair // the pairs to decide; nil: all
	same    map[matching.Pair]bool
}

// method decides whether a pair is the same entity.
type method struct {
	name string
	// pairs returns the pairs to decide.
	pairs  func(*pairSet) iter.Seq[matching.Pair]
	decide func(*pairSet) func(matching.Pair) bool
}

// Names of the methods in the table.
const (
	Matcher     = "matcher"
	ExactName   = "exact name"
	JaroWinkler = "Jaro–Winkler ≥ 0.90"
)

// jaroWinklerAt is the customary threshold.
const jaroWinklerAt = 0.9

var methods = []method{
	{name: Matcher, pairs: blocked, decide: func(s *pairSet) func(matching.Pair) bool {
		c := matching.NewCollection(s.records)
		return func(p matching.Pair) bool { return c.Compare(p.A, p.B).Decision == matching.Same }
	}},
	{name: ExactName, pairs: every, decide: func(s *pairSet) func(matching.Pair) bool {
		return func(p matching.Pair) bool { return s.keys[p.A] == s.keys[p.B] }
	}},
	{name: JaroWinkler, pairs: every, decide: func(s *pairSet) func(matching.Pair) bool {
		return func(p matching.Pair) bool { return jaroWinkler(s.keys[p.A], s.keys[p.B]) >= jaroWinklerAt }
	}},
}

func blocked(s *pairSet) iter.Seq[matching.Pair] {
	if s.pairs != nil {
		return slices.Values(s.pairs)
	}
	return slices.Values(matching.NewCollection(s.records).Pairs())
}

func every(s *pairSet) iter.Seq[matching.Pair] {
	if s.pairs != nil {
		return slices.Values(s.pairs)
	}
	return func(yield func(matching.Pair) bool) {
		for i := range s.records {
			for j := i + 1; j < len(s.records); j++ {
				if !yield(matching.Pair{A: i, B: j}) {
					return
				}
			}
		}
	}
}

// score runs a method over a set.
func (s *pairSet) score(m method) Result {
	r := Result{Dataset: s.name, Method: m.name}
	decide := m.decide(s)
	for p := range m.pairs(s) {
		r.Pairs++
		if !decide(p) {
			continue
		}
		if s.same[p] {
			r.TruePositives++
		} else {
			r.FalsePositives++
		}
	}
	r.FalseNegatives = len(s.same) - r.TruePositives
	r.rate()
	return r
}

// key normalises a name for the baselines.
func key(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), " ")) }
