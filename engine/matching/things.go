package matching

import "unicode/utf8"

// compareThings relates two names that are not of people.
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

// longerThing judges a name that contains all of another and more.
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

// respeltThing judges two spellings of the same words.
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
	longer := max(utf8.RuneCountInString(x), utf8.RuneCountInString(y))
	switch {
	case worst.bond == slipped && longer >= 8 && sameEnd(x, y):
		return likeness{relation: variant, score: 0.97, reason: "the same name but for a slip of typing"}
	case worst.bond == slipped && longer >= 6 && sameEnd(x, y), longer >= 8 && sameStart(x, y) && sameEnd(x, y):
		return likeness{relation: fitting, score: 0.8, reason: "the same name but for a letter"}
	}
	return likeness{relation: similar, score: 0.5, reason: "the names are alike"}
}
