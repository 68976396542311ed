package matching

import "math"

// Decision says whether two records are of one entity.
type Decision int

const (
	// Unsure means that the records do not decide it.
	Unsure Decision = iota
	// Same means that they are of one entity.
	Same
	// Different means that they contradict each other.
	Different
)

// String returns the decision as a word.
func (d Decision) String() string {
	switch d {
	case Same:
		return "same"
	case Different:
		return "different"
	}
	return "unsure"
}

// Verdict is a decision, with the likelihood that the records are of one entity (0 to 1; a rank
// more than a frequency), and the reason in words for people.
type Verdict struct {
	Decision Decision
	Score    float64
	Reason   string
}

// Threshold is the lowest score of two records that are the [Same].
const Threshold = 0.95

// Compare judges two records, in either order, by their content alone. A [Collection] also knows
// which words are rare.
func Compare(a, b Record) Verdict {
	x, y := newRecord(a), newRecord(b)
	v, _ := judge(&x, &y)
	return v
}

// Resolve finds the candidate that a record means, and returns its index. It returns the only
// candidate that is the [Same]; if several are, the only one of exactly this name; if none is, the
// only one whose name may be shortened or misspelt in the record. Otherwise the index is -1. The
// decision is then Different if every candidate is, even if there are none, else Unsure.
//
// A first name alone stands for a fuller name only if the record's labels say that it is a
// person's: "Paris" is hardly Paris Hilton.
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

// selection groups candidates by how well they fit.
type selection struct {
	exact, same, fit []int
	verdicts         []Verdict
	plausible        int // in no group, but not unlikely
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

// mayStandFor reports whether the shorter name may stand for the longer one: it is known to be a
// person's, or neither is.
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

// judge compares two prepared records.
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
		l.relation = similar // a shorter name is not enough if something contradicts
	}
	if e.compared == 0 || l.relation == identical && e.against == 0 {
		return byNames(l), l
	}
	return byEvidence(e, l, k), l
}

// byNames decides by names alone.
func byNames(l likeness) Verdict {
	switch {
	case l.relation >= variant:
		return Verdict{Same, l.score, l.reason}
	case l.relation == conflict:
		return Verdict{Different, l.score, l.reason}
	}
	return Verdict{Unsure, l.score, l.reason}
}

// prior is the chance, as a power of two, that two records that are worth comparing are of one
// entity.
const prior = -10

// byEvidence decides by names and attributes. Members of a family share all but their first name,
// so only an identifier outweighs different first names.
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
