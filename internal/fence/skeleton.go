package fence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// brackets are the characters that a model may read as an opening bracket.
const brackets = "<[＜﹤≮［"

// reading is a way in which a model may read characters beyond ASCII.
type reading int

const (
	asASCII     reading = iota // look-alikes as ASCII, others ignored: </faФcts>
	withLetters                // look-alikes as ASCII, others separate words: </factsФmore>
	asWritten                  // look-alikes separate words too: </factsаnd>, whose last a is Cyrillic
)

// skeleton returns a text as a model may read it: in lower case, without
// invisible characters, with plain letters for wide, slanted and look-alike
// ones. at holds, for each byte of the skeleton, the offset of its character in
// s.
func skeleton(s string, how reading) (plain string, at []int) {
	var b strings.Builder
	b.Grow(len(s))
	at = make([]int, 0, len(s))
	for i, r := range s {
		if r < utf8.RuneSelf {
			if c := ascii(byte(r)); c != 0 {
				b.WriteByte(c)
				at = append(at, i)
			}
			continue
		}
		for _, part := range norm.NFKD.String(string(r)) {
			if part = folded(part, how); part == 0 || part >= utf8.RuneSelf && part != '‹' && how == asASCII {
				continue
			}
			n, _ := b.WriteRune(part)
			for range n {
				at = append(at, i)
			}
		}
	}
	return b.String(), at
}

// ascii folds a character; 0: invisible.
func ascii(c byte) byte {
	switch {
	case 'A' <= c && c <= 'Z':
		return c + 'a' - 'A'
	case '\t' <= c && c <= '\r':
		return ' '
	case c < ' ' || c == 0x7F:
		return 0
	}
	return c
}

// folded folds a character; 0: invisible.
func folded(r rune, how reading) rune {
	if r < utf8.RuneSelf {
		return rune(ascii(byte(r)))
	}
	if plain, ok := lookalikes[r]; ok && how != asWritten {
		return plain
	}
	switch {
	case unicode.IsSpace(r) || unicode.Is(unicode.Z, r):
		return ' '
	case unicode.In(r, unicode.C, unicode.Mn, unicode.Me, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
		return 0
	}
	if lower := unicode.ToLower(r); lower != r {
		return folded(lower, how)
	}
	return r
}

// lookalikes maps letters of other scripts, and strokes, to the ASCII
// characters that they resemble. Both cases of a letter map to the same
// character.
var lookalikes = func() map[rune]rune {
	m := map[rune]rune{'⁄': '/', '∕': '/', '╱': '/', '⧸': '/', 'ı': 'i', 'ɡ': 'g', 'ɑ': 'a', 'ʟ': 'l', 'ᴀ': 'a', 'ᴄ': 'c', 'ᴇ': 'e', 'ᴏ': 'o', 'ᴛ': 't', 'ꜱ': 's', 'ꜰ': 'f', '⎸': '|', '∣': '|', '❘': '|', 'ǀ': '|'}
	for from, to := range map[string]string{
		"АВЕКМНОРСТУХЅІЈԚԜԌавекмнорстухѕіјԛԝԍ": "abekmhopctyxsijqwgabekmhopctyxsijqwg",
		"ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεζηικμνορτυχ":         "abezhikmnoptyxabezhikmnoptyx",
		"ԁһӏԀҺӀ": "dhldhl",
	} {
		targets := []rune(to)
		for i, r := range []rune(from) {
			m[r] = targets[i]
		}
	}
	return m
}()
