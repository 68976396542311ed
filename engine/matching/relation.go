package matching

import "slices"

// relation is how two names relate. The constants are ordered from weakest to strongest.
type relation int

const (
	unlike    relation = iota // nothing in common
	conflict                  // they name two entities
	similar                   // something in common, but little evidence
	fitting                   // one is a shorter or misspelt form of the other, if nobody else fits it
	variant                   // two spellings of one name
	identical                 // the same except for case, accents and spacing
)

// likeness is the relation of two names, with a score and a reason in words.
type likeness struct {
	relation relation
	score    float64
	reason   string
	part     bool // one name is part of the other
	shorterX bool // the shorter name is x
	nickname bool // it is another first name, such as Joey for Joseph
	surname  bool // it is the surname alone
	single   bool // both have one word only, and these differ
}

// compareNames relates two names, in either order.
func compareNames(x, y *name, k kind) likeness {
	if y.before(x) {
		l := compareNames(y, x, k)
		l.shorterX = !l.shorterX
		return l
	}
	if reason := unequalSigns(x, y); reason != "" {
		return likeness{relation: conflict, score: 0.01, reason: reason}
	}
	l := compareWords(x, y, k)
	if l.relation >= fitting && x.suffix != y.suffix && len(x.words) > 1 && len(y.words) > 1 {
		return likeness{relation: similar, score: 0.5, reason: "only one is called junior or senior"}
	}
	return l
}

// compareWords relates two names by their words.
func compareWords(x, y *name, k kind) likeness {
	if x.joined == y.joined {
		return sameWords(x, y)
	}
	if x.joined == "" {
		return likeness{relation: unlike, score: 0.05, reason: "no words to compare"}
	}
	if sx, sy := scriptOf(x.joined), scriptOf(y.joined); sx != sy && sx != unscripted && sy != unscripted {
		return likeness{relation: similar, score: 0.3, reason: "written in two scripts"}
	}
	a := align(x.words, y.words, looks{people: k == person, abbreviations: false})
	lx, ly := left(a.x, a.usedX), left(a.y, a.usedY)
	if len(a.pairs) == 0 {
		lx, ly = a.x, a.y // fillers count in names that have no other words
	}
	switch {
	case hasCode(lx, k) && hasCode(ly, k):
		return likeness{relation: conflict, score: 0.01, reason: "their numbers differ"}
	case k == person:
		return comparePeople(x, y, &a, lx, ly)
	}
	return compareThings(x, y, &a, lx, ly, k)
}

// before orders two names, so that a result does not depend on which comes first.
func (n *name) before(other *name) bool {
	return n.joined < other.joined || n.joined == other.joined && n.text < other.text
}

// unequalSigns finds signs of two people in any names: Mr. and Mrs., or junior and senior.
func unequalSigns(x, y *name) string {
	switch {
	case x.title.gender != 0 && y.title.gender != 0 && x.title.gender != y.title.gender:
		return "a man's title and a woman's"
	case x.suffix != "" && y.suffix != "" && x.suffix != y.suffix:
		return "junior and senior"
	}
	return ""
}

func sameWords(x, y *name) likeness {
	switch {
	case x.joined == "":
		if x.text == y.text && x.text != "" {
			return likeness{relation: identical, score: 1, reason: "the same signs"}
		}
		return likeness{relation: unlike, score: 0.05, reason: "no words to compare"}
	case x.title.surname != y.title.surname && len(x.words) == 1 && !x.words[0].exact:
		return likeness{relation: fitting, score: 0.8, reason: "the same name with and without a title"}
	case x.text == y.text:
		return likeness{relation: identical, score: 1, reason: "the same name"}
	}
	return likeness{relation: identical, score: 0.99, reason: "the same name but for spacing, signs or titles"}
}

// hasCode reports whether words contain a number. In the name of a thing a single letter counts as
// one ("Plan B").
func hasCode(words []word, k kind) bool {
	return slices.ContainsFunc(words, func(w word) bool { return w.code || w.letter && k != person })
}
