package truth

import (
	"slices"
	"strings"
)

// AnyOrder reports whether the case must hold in whichever order its several
// messages arrive. That is so unless one takes something back, which must be known
// by then, or the case says why not.
func (c Case) AnyOrder() bool {
	takesBack := func(m Message) bool {
		return slices.ContainsFunc(m.Relations, func(r Relation) bool { return len(r.Retracts) > 0 })
	}
	return len(c.Messages) > 1 && c.InOrder == "" && !slices.ContainsFunc(c.Messages, takesBack)
}

// reversed is the case as it is read when its messages arrive last first: each
// keeps its own time, and says how it stands to those that were said after it.
//
// A contradiction and a repetition are the same from both sides, and so is what
// follows from two of them: of sentences that say the same, each contradicts what
// one of them does. Nothing is there to take back when a message that takes back
// is read before what it means. What it says instead then contradicts that.
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

// standing is how the sentences of a case stand to each other, in whichever order
// they are read.
type standing struct {
	same    map[string]string // a sentence by another one that says the same
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

// meaning is one of the sentences that say the same as this one.
func (s standing) meaning(sentence string) string {
	at := strings.ToLower(strings.TrimSpace(sentence))
	for s.same[at] != "" {
		at = s.same[at]
	}
	return at
}

// toward is how a sentence stands to those of later messages. Of those that say
// the same it repeats the one that was said next.
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
