package matching

import "unicode"

// script is the script of a name. Names in two scripts have no letters in common.
type script int

const (
	unscripted script = iota // digits and signs
	latin
	cyrillic
	greek
	arabic
	hebrew
	han // Han and Kana: Japanese mixes them
	hangul
	otherScript
)

// scriptOf returns the script of the first letter of a folded name.
func scriptOf(s string) script {
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z':
			return latin
		case !unicode.IsLetter(r):
			continue
		case unicode.Is(unicode.Latin, r):
			return latin
		case unicode.Is(unicode.Cyrillic, r):
			return cyrillic
		case unicode.Is(unicode.Greek, r):
			return greek
		case unicode.Is(unicode.Arabic, r):
			return arabic
		case unicode.Is(unicode.Hebrew, r):
			return hebrew
		case unicode.In(r, unicode.Han, unicode.Katakana, unicode.Hiragana):
			return han
		case unicode.Is(unicode.Hangul, r):
			return hangul
		}
		return otherScript
	}
	return unscripted
}
