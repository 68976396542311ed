package matching

import "unicode/utf8"

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

// differentPeople judges two names that both have unmatched words.
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

// shorterName judges two names if one has all words of the other and more.
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

// respeltPerson judges two spellings of the same words.
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

// misspeltName judges a name with a slip or a different letter in one word. Names that differ at
// the end are often two ("Christian", "Christina").
func misspeltName(x, y string, b bond, whole bool) likeness {
	longer := max(utf8.RuneCountInString(x), utf8.RuneCountInString(y))
	differsLate := !sameEnd(x, y)
	switch {
	case b == slipped && longer >= 6 && !differsLate && whole:
		return likeness{relation: variant, score: 0.97, reason: "the same name but for a slip of typing"}
	case b == slipped && longer >= 5 && !differsLate, b == misspelt && longer >= 7 && whole && sameStart(x, y):
		return likeness{relation: fitting, score: 0.8, reason: "the same name but for a letter"}
	}
	return likeness{relation: similar, score: 0.5, reason: "the names are alike"}
}
