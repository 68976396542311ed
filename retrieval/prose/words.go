package prose

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// functionWords are English words that say nothing of the subject of a text. Those of other
// languages count as words: then more fits than need be, and nothing is lost.
var functionWords = Set(`a about after again ago all also am an and any are as at be because been before being both but by can
	could d did do does doing don done down during each else ever few first for from further get gets go goes going got had has have having he her
	here hers him his how i if in into is it its just last let like ll m made make many may me might mine more most much must my new next no nor not
	now of off on once one only or other our out over own re really s same say said says she should since so some soon still such t take tell than
	that the their them then there these they thing things this those through to too under until up us ve very was way we were what when where
	which while who whom whose why will with would yes yet you your kind type sort name named mention mentioned know known happen happened happens happening`)

// Set is the set of the words in a text, which are separated by spaces.
func Set(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// unspaced are the scripts whose words are written without spaces.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// Words returns the words of a text in lower case. For scripts without spaces it returns every two
// neighbouring letters.
func Words(text string) []string {
	words := make([]string, 0, len(text)/4)
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), BetweenWords) {
		if first, _ := utf8.DecodeRuneInString(word); first < utf8.RuneSelf || !unicode.In(first, unspaced...) {
			words = append(words, word)
			continue
		}
		letters := []rune(word)
		words = append(words, string(letters[:min(2, len(letters))]))
		for i := 2; i < len(letters); i++ {
			words = append(words, string(letters[i-1:i+1]))
		}
	}
	return words
}

// TellingWords returns the words that say what a text is about.
func TellingWords(text string) []string {
	return slices.DeleteFunc(Words(text), func(word string) bool { return functionWords[word] })
}

// leastStem is how many letters two forms of one word must share; mostEnding is how many may follow
// in either: painting, painted; volunteer, volunteers.
const (
	leastStem  = 4
	mostEnding = 4
)

// Alike reports whether two words may be forms of one.
func Alike(a, b string) bool {
	n := CommonPrefix(a, b)
	switch restA, restB := a[n:], b[n:]; {
	case restA == "" && restB == "", restA == "" && restB == "s", restA == "s" && restB == "":
		return true
	case n < leastStem:
		return false
	}
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n-- // the words share only the first bytes of this letter
	}
	return utf8.RuneCountInString(a[:n]) >= leastStem && utf8.RuneCountInString(a[n:]) <= mostEnding && utf8.RuneCountInString(b[n:]) <= mostEnding
}

// Holds reports whether a word, in any form, is among others.
func Holds(words []string, word string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return Alike(w, word) })
}

// BetweenWords reports whether a character is no part of a word.
func BetweenWords(r rune) bool {
	if r < utf8.RuneSelf { // most are, and it takes a fraction of the time
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}
	return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
}

// CommonPrefix is the length of the common prefix of two texts, in bytes.
func CommonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
