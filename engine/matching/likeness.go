package matching

import (
	"strings"
	"unicode/utf8"
)

// alike reports whether a word of one list resembles a word of the other: it begins alike or is
// nearly spelt alike.
func alike(lx, ly []word) bool {
	for _, x := range lx {
		for _, y := range ly {
			if x.exact || y.exact {
				if strings.Contains(x.text, y.text) || strings.Contains(y.text, x.text) {
					return true
				}
				continue
			}
			short := min(utf8.RuneCountInString(x.text), utf8.RuneCountInString(y.text))
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

// beginsAlike reports whether two words share their first three letters.
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

// weakest returns the weakest bond of an alignment.
func weakest(a *alignment) bond {
	var out bond
	for _, p := range a.pairs {
		out = max(out, p.bond)
	}
	return out
}

// inexact counts the bonds between words with different letters, and returns the pair with the
// weakest.
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
