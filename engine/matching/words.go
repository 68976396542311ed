package matching

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is a folded word of a name or a value.
type word struct {
	text   string
	letter bool // a single letter: an initial of a person, else a code
	code   bool // it contains digits: only an equal word matches
	exact  bool // Han or Hangul, where one character makes another name
	filler bool // "the", "of": carries no evidence
	form   bool // "Inc.", "GmbH": the legal form of a company
	rare   float64
}

// splitWords splits folded text. Apostrophes vanish ("O'Brien", "McDonald's"). A possessive after a
// space joins its word ("masa 's"). A plus or a number sign belongs to the word before it ("C++",
// "C#").
func splitWords(folded string) []word {
	clean := respell(folded)
	words := make([]word, 0, strings.Count(clean, " ")+1)
	for text := range strings.FieldsSeq(clean) {
		if w, ok := newWord(text, len(words) == 0); ok {
			words = append(words, w)
		}
	}
	return words
}

// respell replaces everything but words with spaces.
func respell(s string) string {
	if isPlain(s) {
		return s
	}
	b := make([]byte, 0, len(s))
	inWord := false
	for i, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			b = utf8.AppendRune(b, r)
			inWord = true
		case inWord && (r == '+' || r == '#'):
			b = append(b, byte(r))
		case r == '\'' && possessive(s[i:]):
			b = []byte(strings.TrimRight(string(b), " "))
		case r == '\'' && inWord:
		default:
			b = append(b, ' ')
			inWord = false
		}
	}
	return string(b)
}

// isPlain reports whether a folded string contains only ASCII words.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && c != ' ' && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// possessive reports whether a string that begins with an apostrophe begins with 's.
func possessive(s string) bool {
	if len(s) < 2 || s[1] != 's' {
		return false
	}
	next, _ := utf8.DecodeRuneInString(s[2:])
	return len(s) == 2 || !unicode.IsLetter(next) && !unicode.IsDigit(next)
}

func newWord(text string, first bool) (word, bool) {
	known := lexicon[text]
	w := word{text: text, filler: known.filler, form: known.form}
	if number := asNumber(text, first, known); number != "" {
		w.text, w.code = number, true
		return w, true
	}
	if isASCII(text) {
		w.letter = len(text) == 1
		w.code = strings.ContainsAny(text, "0123456789")
	} else {
		w.text = finishKana(text)
		w.letter = utf8.RuneCountInString(text) == 1
		w.exact = strings.ContainsFunc(text, isIdeograph)
		w.letter = w.letter && !w.exact
		w.code = strings.ContainsFunc(text, unicode.IsDigit)
	}
	w.rare = guessRarity(w.text)
	return w, w.text != ""
}

// asNumber returns the number that a word stands for, without leading zeros: "007", "5th", "fifth",
// "iii". It is empty for any other word. The first word is never a Roman numeral, and nor is a
// single letter.
func asNumber(s string, first bool, known entry) string {
	if known.number != "" && (!first || !known.roman) {
		return known.number
	}
	if s[0] > '9' {
		return ""
	}
	digits := strings.TrimLeft(s, "0123456789")
	if digits == s || digits != "" && digits != "st" && digits != "nd" && digits != "rd" && digits != "th" {
		return ""
	}
	n := strings.TrimLeft(strings.TrimSuffix(s, digits), "0")
	if n == "" {
		return "0"
	}
	return n
}

// isIdeograph reports whether a character is a syllable or word of its own.
func isIdeograph(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hangul) }

// finishKana writes Hiragana as Katakana, without the long mark at the end, which is optional
// ("サーバ", "サーバー").
func finishKana(s string) string {
	katakana := strings.Map(func(r rune) rune {
		if r >= 'ぁ' && r <= 'ゖ' {
			return r + 'ァ' - 'ぁ'
		}
		return r
	}, s)
	if short := strings.TrimSuffix(katakana, "ー"); utf8.RuneCountInString(short) >= 3 {
		return short
	}
	return katakana
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// entry is the meaning of a word of the lexicon.
type entry struct {
	number       string
	roman        bool
	filler, form bool
}

var lexicon = func() map[string]entry {
	out := map[string]entry{}
	for i, w := range strings.Fields(`first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth`) {
		out[w] = entry{number: strconv.Itoa(i + 1)}
	}
	// A Roman numeral of one letter is more often an initial.
	for w, n := range map[string]string{
		"ii": "2", "iii": "3", "iv": "4", "vi": "6", "vii": "7", "viii": "8", "ix": "9", "xi": "11", "xii": "12",
		"xiii": "13", "xiv": "14", "xv": "15", "xvi": "16", "xvii": "17", "xviii": "18", "xix": "19",
	} {
		out[w] = entry{number: n, roman: true}
	}
	for w := range strings.FieldsSeq(`the of and an in at for on to by with de la le les el los du des di da del der die das den von van
		zu und et`) {
		out[w] = entry{filler: true}
	}
	for w := range strings.FieldsSeq(`inc incorporated corp corporation co company ltd limited llc llp lp plc gmbh mbh ag kg ohg ug sa sas
		sarl srl spa nv bv ab oy as aps kk pty pte group holding holdings ооо оао зао пао`) {
		out[w] = entry{form: true}
	}
	return out
}()
