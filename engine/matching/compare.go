package matching

import "math"

// Decision is the answer to whether two records are of one entity.
type Decision int

const (
	// Unsure means that the records do not tell.
	Unsure Decision = iota
	// Same means that they are of one entity.
	Same
	// Different means that they contradict each other.
	Different
)

// String is the decision in a word.
func (d Decision) String() string {
	switch d {
	case Same:
		return "same"
	case Different:
		return "different"
	}
	return "unsure"
}

// Verdict is a decision, how likely it is that the records are of one entity
// (0 to 1; a rank more than a frequency), and why, in words for people.
type Verdict struct {
	Decision Decision
	Score    float64
	Reason   string
}

// Threshold is the score from which on two records are the [Same].
const Threshold = 0.95

// Compare judges two records by themselves. It does not depend on their order,
// and needs no more than what it is given; a [Collection] knows more.
func Compare(a, b Record) Verdict {
	x, y := newRecord(a), newRecord(b)
	v, _ := judge(&x, &y)
	return v
}

// Resolve finds the candidate that a record means, and returns its index: the
// only one that is the [Same]; of several, the only one of exactly this name; if
// there is none, the only one whom it can be the shorter or misspelt name of.
// Otherwise the index is -1, and the decision Different if that holds for every
// candidate (there may be none), else Unsure.
//
// A first name alone is taken for a fuller name's only if the record's labels
// say that it is a person's: "Paris" is hardly Paris Hilton.
func Resolve(r Record, candidates []Record) (int, Verdict) {
	x := newRecord(r)
	records := make([]record, len(candidates))
	for i, c := range candidates {
		records[i] = newRecord(c)
	}
	return resolve(&x, records)
}

func resolve(x *record, candidates []record) (int, Verdict) {
	var s selection
	for i := range candidates {
		v, l := judge(x, &candidates[i])
		s.add(i, v, l, x, &candidates[i])
	}
	return s.winner()
}

// selection sorts candidates by how well they fit.
type selection struct {
	exact, same, fit []int
	verdicts         []Verdict
	plausible        int // neither, but not unlikely
	possible         Verdict
	open             bool // at least one is not Different
}

func (s *selection) add(i int, v Verdict, l likeness, x, y *record) {
	s.verdicts = append(s.verdicts, v)
	if v.Decision != Different {
		s.open = true
		if v.Score >= s.possible.Score {
			s.possible = v
		}
	}
	switch {
	case v.Decision == Same && l.relation == identical:
		s.exact = append(s.exact, i)
	case v.Decision == Same:
		s.same = append(s.same, i)
	case v.Decision == Unsure && l.relation == fitting && mayStandFor(l, x, y):
		s.fit = append(s.fit, i)
	case v.Decision == Unsure && v.Score >= 0.5:
		s.plausible++
	}
}

// mayStandFor reports whether a shorter name is known to be a person's.
func mayStandFor(l likeness, x, y *record) bool {
	short := y
	if l.shorterX {
		short = x
	}
	return !l.part || short.kind == person || x.kind != person && y.kind != person
}

func (s *selection) winner() (int, Verdict) {
	switch {
	case len(s.exact) == 1:
		return s.exact[0], s.verdicts[s.exact[0]]
	case len(s.exact) == 0 && len(s.same) == 1:
		return s.same[0], s.verdicts[s.same[0]]
	case len(s.exact)+len(s.same) == 0 && len(s.fit) == 1 && s.plausible == 0:
		v := s.verdicts[s.fit[0]]
		return s.fit[0], Verdict{Same, max(v.Score, Threshold), v.Reason + ", and nobody else fits"}
	case len(s.exact)+len(s.same)+len(s.fit) > 1:
		return -1, Verdict{Unsure, s.possible.Score, "several fit"}
	case s.open:
		return -1, Verdict{Unsure, s.possible.Score, s.possible.Reason}
	}
	return -1, Verdict{Different, 0, "none fits"}
}

// judge compares two records that are ready.
func judge(a, b *record) (Verdict, likeness) {
	k, ok := commonKind(a, b)
	l := compareAllNames(a, b, k)
	if !ok {
		if l.relation >= variant {
			return Verdict{Unsure, 0.3, l.reason + ", but of another kind"}, l
		}
		return Verdict{Different, 0.01, "of another kind"}, l
	}
	e := weigh(a, b, k)
	if l.relation == fitting && e.against > 0 {
		l.relation = similar // a shorter name is too little where something contradicts
	}
	if e.compared == 0 || l.relation == identical && e.against == 0 {
		return byNames(l), l
	}
	return byEvidence(e, l, k), l
}

// byNames decides where there is nothing but names.
func byNames(l likeness) Verdict {
	switch {
	case l.relation >= variant:
		return Verdict{Same, l.score, l.reason}
	case l.relation == conflict:
		return Verdict{Different, l.score, l.reason}
	}
	return Verdict{Unsure, l.score, l.reason}
}

// prior is the chance, as a power of two, that two records which somebody
// thought worth comparing are of one entity.
const prior = -10

// byEvidence decides by names and attributes. Members of a family share all but
// their first name: only an identifier outweighs that.
func byEvidence(e evidence, l likeness, k kind) Verdict {
	score := 1 / (1 + math.Exp2(-(e.bits + prior)))
	switch {
	case e.veto != "":
		return Verdict{Different, min(score, 0.05), e.veto}
	case score >= Threshold && k == person && l.relation == conflict && !e.identified:
		return Verdict{Unsure, 0.5, l.reason + ", all else agrees: a twin?"}
	case score >= Threshold:
		return Verdict{Same, score, "name and attributes agree"}
	case score <= 1-Threshold:
		return Verdict{Different, score, "name and attributes differ"}
	}
	return Verdict{Unsure, score, l.reason + "; attributes agree in part"}
}
