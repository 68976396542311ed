package matching

import (
	"strings"
	"unicode/utf8"
)

// relation is how two names stand to each other.
type relation int

const (
	unlike    relation = iota // nothing in common
	conflict                  // they name two
	similar                   // something in common, but it says little
	fitting                   // one's shorter or misspelt name, if nobody else fits it
	variant                   // one name written in two ways
	identical                 // the same but for case, accents and spacing
)

// likeness is the relation of two names, with a score and a reason in words.
type likeness struct {
	relation relation
	score    float64
	reason   string
	part     bool // one is shorter than the other by a word
	shorterX bool // which
	nickname bool // and by another first name, such as Joey for Joseph
	surname  bool // and is but the surname
	single   bool // both have but one word, which differs
}

// compareNames relates two names of one kind. The result does not depend on
// their order.
func compareNames(x, y *name, k kind) likeness {
	if y.before(x) {
		l := compareNames(y, x, k)
		l.shorterX = !l.shorterX
		return l
	}
	if l, ok := unequalSigns(x, y); ok {
		return l
	}
	if x.joined == y.joined {
		return sameWords(x, y)
	}
	if scriptOf(x.joined) != scriptOf(y.joined) {
		return likeness{relation: similar, score: 0.3, reason: "written in two scripts"}
	}
	a := align(x.words, y.words, looks{people: k == person, abbreviations: false})
	lx, ly := left(a.x, a.usedX), left(a.y, a.usedY)
	if len(a.pairs) == 0 {
		lx, ly = a.x, a.y // fillers count in names that have nothing else
	}
	switch {
	case hasCode(lx, k) && hasCode(ly, k):
		return likeness{relation: conflict, score: 0.01, reason: "their numbers differ"}
	case k == person:
		return comparePeople(x, y, &a, lx, ly)
	}
	return compareThings(x, y, &a, lx, ly, k)
}

// before puts two names in an order, so that what is found in them does not
// depend on which comes first.
func (n *name) before(other *name) bool {
	return n.joined < other.joined || n.joined == other.joined && n.text < other.text
}

// unequalSigns finds what makes two of any names: being called Mr. and Mrs.,
// or junior and senior.
func unequalSigns(x, y *name) (likeness, bool) {
	switch {
	case x.title.gender != 0 && y.title.gender != 0 && x.title.gender != y.title.gender:
		return likeness{relation: conflict, score: 0.02, reason: "a man's title and a woman's"}, true
	case x.suffix != "" && y.suffix != "" && x.suffix != y.suffix:
		return likeness{relation: conflict, score: 0.01, reason: "junior and senior"}, true
	case x.suffix != y.suffix && len(x.words) > 1 && len(y.words) > 1:
		return likeness{relation: similar, score: 0.5, reason: "only one is called junior or senior"}, true
	}
	return likeness{}, false
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

// hasCode reports whether words hold a number, or a single letter, which in
// the name of a thing is as good as one ("Plan B").
func hasCode(words []word, k kind) bool {
	for _, w := range words {
		if w.code || w.letter && k != person {
			return true
		}
	}
	return false
}

// comparePeople relates two names of people.
func comparePeople(x, y *name, a *alignment, lx, ly []word) likeness {
	switch {
	case len(lx) > 0 && len(ly) > 0:
		return differentPeople(x, y, a, lx, ly)
	case len(lx) > 0 || len(ly) > 0:
		l := shorterName(x, y, a)
		if len(ly) > 0 {
			l.shorterX = true
		}
		return l
	}
	return respeltPerson(a)
}

// differentPeople judges two names that both have words of their own.
func differentPeople(x, y *name, a *alignment, lx, ly []word) likeness {
	if lastX, lastY := !a.usedX[len(a.x)-1], !a.usedY[len(a.y)-1]; lastX && lastY && len(a.x) > 1 && len(a.y) > 1 &&
		!alike(a.x[len(a.x)-1:], a.y[len(a.y)-1:]) {
		return likeness{relation: conflict, score: 0.02, reason: "the surnames differ"}
	}
	if alike(lx, ly) {
		return likeness{relation: similar, score: 0.4, reason: "their words are alike"}
	}
	if len(a.pairs) > 0 {
		return likeness{relation: conflict, score: 0.02, reason: "one name is shared, the others differ"}
	}
	if (len(x.words) > 1) == (len(y.words) > 1) {
		return likeness{relation: conflict, score: 0.02, reason: "the names differ", single: len(x.words) == 1}
	}
	return likeness{relation: unlike, score: 0.05, reason: "no name in common"}
}

// alike reports whether a word of one list begins like a word of the other, or
// is nearly spelt so.
func alike(lx, ly []word) bool {
	for _, x := range lx {
		for _, y := range ly {
			if x.exact || y.exact {
				if strings.Contains(x.text, y.text) || strings.Contains(y.text, x.text) {
					return true
				}
				continue
			}
			short := min(length(x.text), length(y.text))
			if short < 3 {
				continue
			}
			d := compareSpelling(x.text, y.text)
			if beginsAlike(x.text, y.text) || d <= oneEdit || d == twoEdits && short >= 5 {
				return true
			}
		}
	}
	return false
}

// beginsAlike reports whether two words have their first three letters in common.
func beginsAlike(x, y string) bool {
	n := 0
	for _, r := range x {
		other, size := utf8.DecodeRuneInString(y)
		if r != other {
			return false
		}
		y = y[size:]
		if n++; n == 3 {
			return true
		}
	}
	return false
}

// shorterName judges a name of which the other has all the words and more.
func shorterName(x, y *name, a *alignment) likeness {
	short, long, usedLong := x, y, a.usedY
	if len(left(a.y, a.usedY)) == 0 {
		short, long, usedLong = y, x, a.usedX
	}
	if weakest(a) > nicknamed || !a.inOrder() {
		return likeness{relation: similar, score: 0.4, part: true, reason: "one name is nearly part of the other"}
	}
	first, last := usedLong[0], usedLong[len(usedLong)-1]
	nickname := weakest(a) == nicknamed
	switch {
	case len(short.words) == 1 && last && short.title.gender != 0 && long.title.gender == 0:
		return likeness{relation: similar, score: 0.5, part: true, reason: "the surname with a title that others of the family may have"}
	case len(short.words) == 1 && last && !nickname:
		return likeness{relation: fitting, score: 0.7, part: true, surname: true, reason: "the surname alone"}
	case len(short.words) == 1 && first && nickname && !short.title.surname:
		return likeness{
			relation: fitting, score: 0.7, part: true, nickname: listedNickname(short.words[0].text, long.words[0].text),
			reason: "a short form of the first name alone",
		}
	case len(short.words) == 1 && first && !short.title.surname:
		return likeness{relation: fitting, score: 0.75, part: true, reason: "the first name alone"}
	case len(short.words) > 1 && first:
		return likeness{relation: fitting, score: 0.85, part: true, reason: "the same name with fewer words"}
	case len(long.words) > 0 && len(short.words) > 1 && last:
		return likeness{relation: similar, score: 0.6, part: true, reason: "the same last names"}
	}
	return likeness{relation: similar, score: 0.3, part: true, reason: "one name is part of the other"}
}

// weakest is the weakest bond of an alignment.
func weakest(a *alignment) bond {
	var out bond
	for _, p := range a.pairs {
		out = max(out, p.bond)
	}
	return out
}

// inexact counts the bonds that are not between the same letters, and returns
// the weakest with its words.
func inexact(a *alignment) (n int, worst pair) {
	for _, p := range a.pairs {
		if p.bond > joint {
			n++
			if p.bond > worst.bond {
				worst = p
			}
		}
	}
	return n, worst
}

// respeltPerson judges two names whose words all stand for each other.
func respeltPerson(a *alignment) likeness {
	n, worst := inexact(a)
	whole := len(a.pairs) > 1
	switch {
	case !a.inOrder():
		return likeness{relation: similar, score: 0.7, reason: "the same words in another order"}
	case n == 0:
		return likeness{relation: variant, score: 0.98, reason: "the same name but for small words"}
	case n > 1:
		return likeness{relation: similar, score: 0.6, reason: "several words are spelt differently"}
	case worst.bond == nicknamed:
		return likeness{relation: fitting, score: 0.85, reason: "a short form of the first name"}
	case worst.bond == initial && whole:
		return likeness{relation: fitting, score: 0.75, reason: "an initial for a name"}
	case worst.bond > misspelt || worst.bond == initial:
		return likeness{relation: similar, score: 0.4, reason: "the names are alike"}
	}
	x, y := a.x[worst.x].text, a.y[worst.y].text
	return misspeltName(x, y, worst.bond, whole)
}

// misspeltName judges a name of which one word has a slip or another letter.
// Names that differ at the end are often two ("Christian", "Christina").
func misspeltName(x, y string, b bond, whole bool) likeness {
	longer := max(length(x), length(y))
	differsLate := !sameEnd(x, y)
	switch {
	case b == slipped && longer >= 6 && !differsLate && whole:
		return likeness{relation: variant, score: 0.97, reason: "the same name but for a slip of typing"}
	case b == slipped && longer >= 5 && !differsLate, b == misspelt && longer >= 7 && whole && sameStart(x, y):
		return likeness{relation: fitting, score: 0.8, reason: "the same name but for a letter"}
	}
	return likeness{relation: similar, score: 0.5, reason: "the names are alike"}
}

// sameStart reports whether two words begin with the same letter.
func sameStart(x, y string) bool {
	a, _ := utf8.DecodeRuneInString(x)
	b, _ := utf8.DecodeRuneInString(y)
	return a == b
}

// sameEnd reports whether two words end in the same letter.
func sameEnd(x, y string) bool {
	a, _ := utf8.DecodeLastRuneInString(x)
	b, _ := utf8.DecodeLastRuneInString(y)
	return a == b
}

// compareThings relates two names of anything but people.
func compareThings(x, y *name, a *alignment, lx, ly []word, k kind) likeness {
	switch {
	case len(lx) > 0 && len(ly) > 0:
		return differentThings(x, y, a, lx, ly)
	case len(lx) > 0 || len(ly) > 0:
		l := longerThing(append(lx, ly...), a, k)
		l.shorterX = len(ly) > 0
		return l
	}
	return respeltThing(a)
}

func differentThings(x, y *name, a *alignment, lx, ly []word) likeness {
	switch {
	case acronym(x, y) || acronym(y, x):
		return likeness{relation: similar, score: 0.6, reason: "the initials of the other name"}
	case alike(lx, ly):
		return likeness{relation: similar, score: 0.4, reason: "their words are alike"}
	case len(a.pairs) > 0:
		return likeness{relation: similar, score: 0.15, reason: "a word is shared, others differ"}
	}
	return likeness{relation: unlike, score: 0.05, reason: "no word in common"}
}

// acronym reports whether one name is made of the initials of the other.
func acronym(short, long *name) bool {
	if len(short.words) != 1 || len(long.words) < 2 {
		return false
	}
	all, main := "", ""
	for _, w := range long.words {
		r := string([]rune(w.text)[:1])
		all += r
		if !w.filler && !w.form {
			main += r
		}
	}
	return short.joined == all || short.joined == main
}

// longerThing judges a name that is all of another, and more.
func longerThing(more []word, a *alignment, k kind) likeness {
	forms := a.onlyEnds()
	for _, w := range more {
		forms = forms && w.form
	}
	switch {
	case forms && k == organisation && weakest(a) <= joint:
		return likeness{relation: variant, score: 0.97, part: true, reason: "the same name but for the legal form"}
	case forms && k == anything && weakest(a) <= joint:
		return likeness{relation: fitting, score: 0.8, part: true, reason: "the same name but for a legal form"}
	case hasCode(more, k):
		return likeness{relation: similar, score: 0.3, part: true, reason: "only one has a number"}
	}
	return likeness{relation: similar, score: 0.3, part: true, reason: "one name is part of the other"}
}

// respeltThing judges two names whose words all stand for each other.
func respeltThing(a *alignment) likeness {
	n, worst := inexact(a)
	switch {
	case !a.inOrder():
		return likeness{relation: similar, score: 0.7, reason: "the same words in another order"}
	case n == 0:
		return likeness{relation: variant, score: 0.98, reason: "the same name but for small words"}
	case n > 1 || worst.bond > misspelt:
		return likeness{relation: similar, score: 0.5, reason: "the names are alike"}
	}
	x, y := a.x[worst.x].text, a.y[worst.y].text
	longer := max(length(x), length(y))
	switch {
	case worst.bond == slipped && longer >= 8 && sameEnd(x, y):
		return likeness{relation: variant, score: 0.97, reason: "the same name but for a slip of typing"}
	case worst.bond == slipped && longer >= 6 && sameEnd(x, y), longer >= 8 && sameStart(x, y) && sameEnd(x, y):
		return likeness{relation: fitting, score: 0.8, reason: "the same name but for a letter"}
	}
	return likeness{relation: similar, score: 0.5, reason: "the names are alike"}
}
