package retrieval

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/annalsdb/annals/internal/pattern"
)

// Words of English that say nothing of what a text is about. Those of other
// languages count as words: then more fits than need be, and nothing is lost.
var functionWords = setOf(`a about after again ago all also am an and any are as at be because been before being both but by can
	could d did do does doing don done down during each else ever few first for from further get gets go goes going got had has have having he her
	here hers him his how i if in into is it its just last let like ll m made make many may me might mine more most much must my new next no nor not
	now of off on once one only or other our out over own re really s same say said says she should since so some soon still such t take tell than
	that the their them then there these they thing things this those through to too under until up us ve very was way we were what when where
	which while who whom whose why will with would yes yet you your kind type sort name named mention mentioned know known happen happened`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// unspaced are the scripts whose words are written without spaces.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// wordsIn are the words of a text in lower case; of scripts without spaces,
// every two neighbouring letters.
func wordsIn(text string) []string {
	var words []string
	for _, word := range strings.FieldsFunc(strings.ToLower(text), betweenWords) {
		if first, _ := utf8.DecodeRuneInString(word); !unicode.In(first, unspaced...) {
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

// tellingWords are the words that say what a text is about.
func tellingWords(text string) []string {
	var words []string
	for _, word := range wordsIn(text) {
		if !functionWords[word] {
			words = append(words, word)
		}
	}
	return words
}

// How many letters two forms of one word have in common at the least, and by how
// many either may go on: painting, painted; volunteer, volunteers.
const (
	leastStem  = 4
	mostEnding = 4
)

// alike reports whether two words may be forms of one.
func alike(a, b string) bool {
	if a == b || a+"s" == b || b+"s" == a {
		return true
	}
	n := common(a, b)
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n-- // a letter of which the first bytes are the same is another letter
	}
	return utf8.RuneCountInString(a[:n]) >= leastStem && utf8.RuneCountInString(a[n:]) <= mostEnding && utf8.RuneCountInString(b[n:]) <= mostEnding
}

// holds reports whether a word, in any form, is among others.
func holds(words []string, word string) bool {
	for _, w := range words {
		if alike(w, word) {
			return true
		}
	}
	return false
}

// A text asks something where a sentence ends so.
const questionMarks = "?？؟"

// lastQuestion is the last question of a text, with … where that is cut;
// empty if it asks nothing.
func lastQuestion(text string) string {
	parts := sentencesOf(text)
	for i := len(parts) - 1; i >= 0; i-- {
		part := strings.TrimRightFunc(parts[i], func(r rune) bool {
			return unicode.IsSpace(r) || unicode.In(r, unicode.Pe, unicode.Pf, unicode.So) || r == '"'
		})
		if last, _ := utf8.DecodeLastRuneInString(part); part == "" || !strings.ContainsRune(questionMarks, last) {
			continue
		}
		question := oneLine(parts[i])
		if i > 0 {
			question = "… " + question
		}
		if i < len(parts)-1 {
			question += " …"
		}
		return question
	}
	return ""
}

// What begins with consent or refusal answers something, if it is no long text.
var answers = pattern.New(`(?i)^\W*(?:yes|yeah|yep|yup|no|nope|nah|sure|exactly|right|correct|absolutely|definitely|of course|not yet|never|ja|nein|doch|oui|non|si|sí|sim|não|да|нет|はい|いいえ|是|不)(?:$|[^\pL\pN])`)

const (
	shortAnswer = 8  // words
	shortAssent = 16 // of what begins with yes or no
)

// needsQuestion reports whether a message is hardly understood without what it
// answers.
func needsQuestion(text string) bool {
	if len(text) > 200 {
		return false
	}
	n := len(strings.Fields(text))
	return n <= shortAnswer || n <= shortAssent && answers().MatchString(text)
}
