package matching

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// bond is why two words match. The constants are ordered from strongest to weakest.
type bond int

const (
	unbound     bond = iota
	equal            // the same word
	joint            // the same letters with other spacing
	slipped          // a typing slip
	nicknamed        // "Bill", "William"
	initial          // "J.", "John"
	misspelt         // one letter added, missing or replaced
	abbreviated      // "blvd", "boulevard"
	garbled          // two letters differ
)

// weight is the share of a word's evidence that a bond keeps.
var weight = [...]float64{equal: 1, joint: 1, slipped: 0.9, nicknamed: 0.8, initial: 0.4, misspelt: 0.7, abbreviated: 0.6, garbled: 0.5}

// pair is a word of one name and its match in the other.
type pair struct {
	x, y int // the first of two words, if the bond is joint
	bond bond
}

// alignment holds which words of two names match.
type alignment struct {
	x, y         []word
	pairs        []pair
	usedX, usedY []bool
	looks        looks
}

// looks says which bonds are allowed.
type looks struct {
	people        bool // nicknames and initials
	abbreviations bool
}

// tooLong is how many words of a text are compared.
const tooLong = 48

// align pairs the words of two names: first equal words, then words that differ in spacing, then
// the most similar. The result does not depend on the order of x and y only if the caller sorts
// them; see [likeness].
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
			j := (i + d) % len(a.y) // the same position first
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

// pairJoint pairs a word of one name with two neighbours of the other that it joins. A long word
// may differ by a letter.
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

// pairAlike pairs the words with the strongest bond until none is left.
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

// left returns the unmatched words of a name, without fillers.
func left(words []word, used []bool) []word {
	var out []word
	for i, w := range words {
		if !used[i] && !w.filler {
			out = append(out, w)
		}
	}
	return out
}

// onlyEnds reports whether the unmatched words of both names come after the matched ones.
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

// inOrder reports whether the paired words have the same order in both names.
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
