package dates

import (
	"strconv"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	wordToken tokenKind = iota
	numberToken
	markToken // punctuation and symbols, one rune each
)

// token is an indivisible piece of text: a word with its inner apostrophes, a run of digits, or one
// mark.
type token struct {
	kind       tokenKind
	text       string // lower case, apostrophes straight
	start, end int    // byte offsets
	value      int    // of a number
	width      int    // digits of a number
	ordinal    bool   // number written "1st"; the suffix belongs to the token
	spaced     bool   // white space or the start of the text is before it
	capital    bool   // word that begins with an upper-case letter
}

// maxDigits limits numbers: longer runs of digits name no date and have the value -1.
const maxDigits = 8

// tokenize splits text in one pass.
func tokenize(text string) []token {
	toks := make([]token, 0, len(text)/5+4)
	spaced := true
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if unicode.IsSpace(r) {
			spaced = true
			i += size
			continue
		}
		t := scan(text, i, r, size)
		t.spaced = spaced
		toks = append(toks, t)
		spaced = false
		i = t.end
	}
	return toks
}

func scan(text string, i int, r rune, size int) token {
	switch {
	case isDigit(r):
		return scanNumber(text, i)
	case unicode.IsLetter(r):
		return scanWord(text, i)
	default:
		if t, ok := possessive(text, i); ok && i > 0 && unicode.IsLetter(lastRune(text[:i])) {
			return t
		}
		return token{kind: markToken, text: mark(r), start: i, end: i + size}
	}
}

func scanNumber(text string, i int) token {
	end := i
	for end < len(text) && isDigit(rune(text[end])) {
		end++
	}
	t := token{kind: numberToken, text: text[i:end], start: i, end: end, width: end - i, value: -1}
	if t.width <= maxDigits {
		t.value, _ = strconv.Atoi(text[i:end])
	}
	if w := scanWord(text, end); w.end > end && (w.text == "st" || w.text == "nd" || w.text == "rd" || w.text == "th") {
		t.ordinal, t.end = true, w.end
	}
	return t
}

// scanWord reads letters and the apostrophes between them.
func scanWord(text string, i int) token {
	lower := make([]rune, 0, 12)
	end, first := i, rune(0)
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		if isApostrophe(r) && end > i {
			if _, owner := possessive(text, end); owner {
				break
			}
			if next, _ := utf8.DecodeRuneInString(text[end+size:]); unicode.IsLetter(next) {
				lower = append(lower, '\'')
				end += size
				continue
			}
		}
		if !unicode.IsLetter(r) {
			break
		}
		if first == 0 {
			first = r
		}
		lower = append(lower, unicode.ToLower(r))
		end += size
	}
	return token{kind: wordToken, text: string(lower), start: i, end: end, capital: unicode.IsUpper(first)}
}

// possessive reads the 's of an owner, which is not part of a date: "today's news".
func possessive(text string, i int) (token, bool) {
	r, size := utf8.DecodeRuneInString(text[i:])
	if !isApostrophe(r) || i+size >= len(text) || text[i+size] != 's' && text[i+size] != 'S' {
		return token{}, false
	}
	end := i + size + 1
	if next, _ := utf8.DecodeRuneInString(text[end:]); unicode.IsLetter(next) || isApostrophe(next) {
		return token{}, false
	}
	return token{kind: markToken, text: "'s", start: i, end: end}, true
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

func isDigit(r rune) bool      { return r >= '0' && r <= '9' }
func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == '‘' }

// mark returns the plain form of a mark that dates are written with.
func mark(r rune) string {
	switch {
	case isApostrophe(r):
		return "'"
	case r == '–' || r == '—' || r == '−' || r == '‐' || r == '‑':
		return "-"
	default:
		return string(r)
	}
}
