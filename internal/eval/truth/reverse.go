package truth

import (
	"slices"
	"strings"
)

// AnyOrder reports whether the case must hold in any order of its messages. It
// need not if there is only one message, if a message takes something back, which
// must be known by then, or if InOrder is set.
func (c Case) AnyOrder() bool {
	takesBack := func(m Message) bool {
		return slices.ContainsFunc(m.Relations, func(r Relation) bool { return len(r.Retracts) > 0 })
	}
	return len(c.Messages) > 1 && c.InOrder == "" && !slices.ContainsFunc(c.Messages, takesBack)
}

// reversed returns the case with its messages arriving in reverse order. Each
// keeps its own time, and its relations refer to the messages said after it.
//
// Contradiction and repetition are symmetric, and so are their combinations:
// sentences that say the same contradict the same sentences. A message that takes
// something back finds nothing to take back if it is read first. Its other
// statements then contradict what it took back.
func (c Case) reversed() Case {
	s := c.standing()
	r := c
	r.Messages = nil
	for i, m := range slices.Backward(c.Messages) {
		for _, relation := range m.Relations {
			m.takesBack = m.takesBack || len(relation.Retracts) > 0
		}
		m.Relations = nil
		told := map[string]bool{}
		for _, f := range m.Facts {
			relation := s.toward(f.Fact, c.Messages[i+1:])
			if related := relation.Repeats != "" || len(relation.Contradicts) > 0; related && !told[f.Fact] {
				told[f.Fact] = true
				m.Relations = append(m.Relations, relation)
			}
		}
		r.Messages = append(r.Messages, m)
	}
	return r
}

// standing holds the relations between the sentences of a case, independent of
// their order.
type standing struct {
	same    map[string]string // maps a sentence to another that says the same
	against map[[2]string]bool
}

func (c Case) standing() standing {
	s := standing{same: map[string]string{}, against: map[[2]string]bool{}}
	each := func(do func(Relation)) {
		for _, m := range c.Messages {
			for _, r := range m.Relations {
				if r.Fact != "" {
					do(r)
				}
			}
		}
	}
	each(func(r Relation) {
		if a, b := s.meaning(r.Fact), s.meaning(r.Repeats); r.Repeats != "" && a != b {
			s.same[a] = b
		}
	})
	each(func(r Relation) {
		for _, other := range slices.Concat(r.Contradicts, r.Retracts) {
			a, b := s.meaning(r.Fact), s.meaning(other)
			s.against[[2]string{a, b}], s.against[[2]string{b, a}] = true, true
		}
	})
	return s
}

// meaning returns the representative of the sentences that say the same.
func (s standing) meaning(sentence string) string {
	at := strings.ToLower(strings.TrimSpace(sentence))
	for s.same[at] != "" {
		at = s.same[at]
	}
	return at
}

// toward returns the relation of a sentence to those of later messages. It
// repeats the next sentence that says the same.
func (s standing) toward(sentence string, later []Message) Relation {
	r := Relation{Fact: sentence}
	own := s.meaning(sentence)
	for _, m := range later {
		for _, f := range m.Facts {
			other := s.meaning(f.Fact)
			if other == own && r.Repeats == "" {
				r.Repeats = f.Fact
			}
			if other != own && s.against[[2]string{own, other}] && !slices.Contains(r.Contradicts, f.Fact) {
				r.Contradicts = append(r.Contradicts, f.Fact)
			}
		}
	}
	return r
}
