package prose

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/internal/pattern"
)

// QuestionMarks end the sentences that ask something.
const QuestionMarks = "?？؟"

// LastQuestion is the last question of a text, with … where that is cut;
// empty if it asks nothing.
func LastQuestion(text string) string {
	parts := Sentences(text)
	for i := len(parts) - 1; i >= 0; i-- {
		part := strings.TrimRightFunc(parts[i], func(r rune) bool {
			return unicode.IsSpace(r) || unicode.In(r, unicode.Pe, unicode.Pf, unicode.So) || r == '"'
		})
		if last, _ := utf8.DecodeLastRuneInString(part); part == "" || !strings.ContainsRune(QuestionMarks, last) {
			continue
		}
		question := OneLine(parts[i])
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

// answers finds consent or refusal at the start of a text. A text that begins so answers something,
// unless it is long.
var answers = pattern.New(`(?i)^\W*(?:yes|yeah|yep|yup|no|nope|nah|sure|exactly|right|correct|absolutely|definitely|of course|not yet|never|ja|nein|doch|oui|non|si|sí|sim|não|да|нет|はい|いいえ|是|不)(?:$|[^\pL\pN])`)

const (
	shortAnswer = 8  // words
	shortAssent = 16 // of what begins with yes or no
)

// MostAnswering is the most bytes of a message that needs its question.
const MostAnswering = 200

// NeedsQuestion reports whether a message is hardly understood without the question that it
// answers.
func NeedsQuestion(text string) bool {
	if len(text) > MostAnswering {
		return false
	}
	n := len(strings.Fields(text))
	return n <= shortAnswer || n <= shortAssent && answers().MatchString(text)
}

// WithoutTimes is a question without the times that it names.
func WithoutTimes(text string, at time.Time) string {
	var b strings.Builder
	from := 0
	for _, e := range dates.Find(text, at) {
		if e.Kind == dates.Dated && e.Start >= from {
			b.WriteString(text[from:e.Start])
			from = e.End
		}
	}
	return b.String() + text[from:]
}

// AsksClass reports whether the word after a word in lower case says of what kind the answer is:
// "which car".
func AsksClass(word string) bool { return word == "what" || word == "which" }

var class = pattern.New(`\b((?i:what|which)) \p{Ll}[\p{Ll}-]*`)

// WithoutClass is a question without the words that say of what kind the answer is. They name
// nothing.
func WithoutClass(question string) string { return class().ReplaceAllString(question, "$1") }
