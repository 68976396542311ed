package matching

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// bond is why two words stand for each other, the strongest first.
type bond int

const (
	unbound     bond = iota
	equal            // the same word
	joint            // the same letters, spaced in another way
	slipped          // a slip of typing
	nicknamed        // "Bill", "William"
	initial          // "J.", "John"
	misspelt         // one letter more, less or other
	abbreviated      // "blvd", "boulevard"
	garbled          // two letters
)

// weight is how much of a word's evidence a bond keeps.
var weight = [...]float64{equal: 1, joint: 1, slipped: 0.9, nicknamed: 0.8, initial: 0.4, misspelt: 0.7, abbreviated: 0.6, garbled: 0.5}

// pair is a word of one name and the word of the other that stands for it.
type pair struct {
	x, y int // the first of several, if the bond is joint
	bond bond
}

// alignment says which words of two names stand for each other.
type alignment struct {
	x, y         []word
	pairs        []pair
	usedX, usedY []bool
	looks        looks
}

// looks says which bonds there may be.
type looks struct {
	people        bool // nicknames and initials
	abbreviations bool
}

// tooLong is how many words of a text are looked at.
const tooLong = 48

// align pairs the words of two names: equal ones first, then such as are
// spaced in another way, then the most alike. It finds the same for (y, x) as
// for (x, y) only if both are put in an order before; see [likeness].
func align(x, y []word, l looks) alignment {
	x, y = x[:min(len(x), tooLong)], y[:min(len(y), tooLong)]
	used := make([]bool, len(x)+len(y))
	a := alignment{x: x, y: y, usedX: used[:len(x)], usedY: used[len(x):], looks: l, pairs: make([]pair, 0, min(len(x), len(y)))}
	a.pairEqual()
	if a.open() {
		a.pairJoint()
		a.pairAlike()
	}
	return a
}

func (a *alignment) pairEqual() {
	for i := range a.x {
		for d := range len(a.y) {
			j := (i + d) % len(a.y) // the same place first
			if !a.usedY[j] && a.x[i].text == a.y[j].text {
				a.take(i, j, equal)
				break
			}
		}
	}
}

func (a *alignment) take(i, j int, b bond) {
	a.usedX[i], a.usedY[j] = true, true
	a.pairs = append(a.pairs, pair{i, j, b})
}

// open reports whether both names have words left.
func (a *alignment) open() bool {
	return slices.Contains(a.usedX, false) && slices.Contains(a.usedY, false)
}

// pairJoint finds a word of one name that is two neighbours of the other
// written together, up to a letter if it is long.
func (a *alignment) pairJoint() {
	for i := range a.x {
		for j := 0; j < len(a.y); j++ {
			if a.usedX[i] || a.usedY[j] {
				continue
			}
			switch {
			case j+1 < len(a.y) && !a.usedY[j+1] && sameJoint(a.x[i], a.y[j], a.y[j+1]):
				a.usedY[j+1] = true
				a.take(i, j, joint)
			case i+1 < len(a.x) && !a.usedX[i+1] && sameJoint(a.y[j], a.x[i], a.x[i+1]):
				a.usedX[i+1] = true
				a.take(i, j, joint)
			}
		}
	}
}

func sameJoint(whole, first, second word) bool {
	if d := len(whole.text) - len(first.text) - len(second.text); d < -1 || d > 1 || whole.text[0] != first.text[0] {
		return false
	}
	if rest, ok := strings.CutPrefix(whole.text, first.text); ok && rest == second.text {
		return true
	}
	return len(whole.text) >= 7 && !whole.code && !whole.exact && !second.code && !first.code &&
		compareSpelling(whole.text, first.text+second.text) <= oneEdit
}

// pairAlike takes the strongest bond there is until there is none.
func (a *alignment) pairAlike() {
	for {
		best := pair{bond: unbound}
		for i := range a.x {
			if a.usedX[i] {
				continue
			}
			for j := range a.y {
				if a.usedY[j] {
					continue
				}
				if b := a.bond(a.x[i], a.y[j]); b != unbound && (best.bond == unbound || b < best.bond) {
					best = pair{i, j, b}
				}
			}
		}
		if best.bond == unbound {
			return
		}
		a.take(best.x, best.y, best.bond)
	}
}

func (a *alignment) bond(x, y word) bond {
	switch {
	case x.code || y.code || x.exact || y.exact:
		return unbound
	case x.letter || y.letter:
		if a.looks.people && strings.HasPrefix(x.text, y.text) || a.looks.people && strings.HasPrefix(y.text, x.text) {
			return initial
		}
		return unbound
	case a.looks.people && Nickname(x.text, y.text):
		return nicknamed
	}
	return a.spelling(x.text, y.text)
}

func (a *alignment) spelling(x, y string) bond {
	shorter, longer := x, y
	if len(x) > len(y) {
		shorter, longer = y, x
	}
	n := utf8.RuneCountInString(shorter)
	switch d := compareSpelling(x, y); {
	case d == slip && n >= 3:
		return slipped
	case d == oneEdit && n >= 3:
		return misspelt
	case d == twoEdits && n >= 6 && x[0] == y[0]:
		return garbled
	}
	if a.looks.abbreviations && abbreviates(shorter, longer) {
		return abbreviated
	}
	return unbound
}

// left are the words of one name that stand for none of the other, without
// fillers.
func left(words []word, used []bool) []word {
	var out []word
	for i, w := range words {
		if !used[i] && !w.filler {
			out = append(out, w)
		}
	}
	return out
}

// onlyEnds reports whether the further words of a name stand behind the shared ones.
func (a *alignment) onlyEnds() bool {
	for _, used := range [][]bool{a.usedX, a.usedY} {
		open := false
		for _, u := range used {
			if u && open {
				return false
			}
			open = open || !u
		}
	}
	return true
}

// inOrder reports whether the paired words follow each other in both names.
func (a *alignment) inOrder() bool {
	at := make([]int, len(a.x))
	for i := range at {
		at[i] = -1
	}
	for _, p := range a.pairs {
		at[p.x] = p.y
	}
	last := -1
	for _, j := range at {
		if j >= 0 && j < last {
			return false
		}
		last = max(last, j)
	}
	return true
}
