package matching

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold makes spellings of one name equal. It removes differences of case, accents, width and
// ligatures, Arabic and Hebrew points and letter variants, digits of other scripts, invisible
// characters, and drawn-out letters ("Rosss"). Marks that make another letter stay: those of Kana
// and Indic scripts, and the breve of й.
func Fold(s string) string {
	if isASCII(s) {
		return shorten(strings.ReplaceAll(strings.ToLower(s), "`", "'"))
	}
	s = cases.Fold().String(norm.NFKC.String(apostrophes.Replace(s)))
	var b strings.Builder
	b.Grow(len(s))
	last := rune(-1)
	for _, r := range norm.NFD.String(s) {
		if isPoint(r) && (r != breve || last != 'и') {
			continue
		}
		last = r
		if plain, ok := plainLetters[r]; ok {
			b.WriteString(plain)
			continue
		}
		b.WriteRune(digit(unicode.ToLower(r))) // case folding turns Cherokee into capitals
	}
	return shorten(norm.NFC.String(b.String()))
}

const breve = '\u0306'

// apostrophes maps the variants of the apostrophe. Normalising would turn some of them into spaces.
var apostrophes = strings.NewReplacer("’", "'", "‘", "'", "ʼ", "'", "´", "'")

// plainLetters are letters that Unicode does not decompose, with their usual replacements.
var plainLetters = map[rune]string{
	'ø': "o", 'ł': "l", 'đ': "d", 'ħ': "h", 'ı': "i", 'æ': "ae", 'œ': "oe", 'þ': "th", 'ð': "d", 'ŋ': "n", '`': "'", 'ʼ': "'",
	'ٱ': "ا", 'ى': "ي", 'ی': "ي", 'ة': "ه", 'ک': "ك", 'ہ': "ه", 'ھ': "ه",
}

// isPoint reports whether a character only modifies the letter before it, or is invisible.
func isPoint(r rune) bool {
	switch {
	case r < 0xAD:
		return false
	case r >= 0x300 && r <= 0x36F: // accents
		return true
	case r >= 0x591 && r <= 0x5C7: // Hebrew points
		return unicode.Is(unicode.Mn, r)
	case r >= 0x610 && r <= 0x6ED: // harakat, hamza above and below, tatweel
		return r == 'ـ' || unicode.Is(unicode.Mn, r)
	}
	return unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r)
}

// digit returns a decimal digit of any script as its ASCII digit. Unicode keeps the ten digits of a
// script together, in order.
func digit(r rune) rune {
	if r < utf8.RuneSelf || !unicode.IsDigit(r) {
		return r
	}
	for _, t := range unicode.Nd.R16 {
		if r >= rune(t.Lo) && r <= rune(t.Hi) {
			return '0' + (r-rune(t.Lo))%10
		}
	}
	for _, t := range unicode.Nd.R32 {
		if r >= rune(t.Lo) && r <= rune(t.Hi) {
			return '0' + (r-rune(t.Lo))%10
		}
	}
	return r
}

// shorten cuts drawn-out letters to two, as no name has a letter three times in a row. Digits may
// repeat, and so may "www" and "iii".
func shorten(s string) string {
	if !drawnOut(s) {
		return s
	}
	var b strings.Builder
	var before, last rune
	for _, r := range s {
		if r == last && last == before && r > '9' && r != 'i' && r != 'w' && unicode.IsLetter(r) {
			continue
		}
		before, last = last, r
		b.WriteRune(r)
	}
	return b.String()
}

func drawnOut(s string) bool {
	var before, last rune
	for _, r := range s {
		if r == last && last == before {
			return true
		}
		before, last = last, r
	}
	return false
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
