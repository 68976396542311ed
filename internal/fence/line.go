package fence

import (
	"strings"
	"unicode"

	"github.com/annalsdb/annals/internal/pattern"
)

// A context consists of lines. A line that may not be believed without qualification begins
// with a note in parentheses: "(until May 2024, now Porto) Nora: I live in Bergen." Stored
// text must not look like such a note, or like the name that follows it.

// Noted returns a text preceded by the notes that are not empty. Nothing in the text itself
// looks like a note.
func Noted(text string, notes ...string) string {
	text = Opening(WithoutNotes(text))
	var kept []string
	for _, note := range notes {
		if note != "" {
			kept = append(kept, note)
		}
	}
	if len(kept) == 0 {
		return text
	}
	return "(" + strings.Join(kept, "; ") + ") " + text
}

// opening and closing hold the characters that a model may read as parentheses.
const (
	opening = "(（﹙⁽₍❨❪⦅⟮⸨"
	closing = ")）﹚⁾₎❩❫⦆⟯⸩"
)

// otherBrackets replaces parentheses by angle quotes.
func otherBrackets(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(opening, r):
			return '‹'
		case strings.ContainsRune(closing, r):
			return '›'
		}
		return r
	}, s)
}

// ending matches the colons that could end a name, unlike that in user:7. Invisible
// characters count as spaces.
var ending = pattern.New(`[:꞉∶]+([ \x{AD}\x{200B}-\x{200F}\x{2060}-\x{2064}\x{FEFF}]|$)|[：﹕]`)

// Plain returns a one-line name that looks neither like a note nor like a name followed by
// a text.
func Plain(name string) string {
	return strings.TrimSuffix(ending().ReplaceAllString(otherBrackets(name), " -$1"), " -")
}

// Name makes a name safe at the start of a line.
func (f Fence) Name(s string) string { return Plain(f.Line(s)) }

// likeNotes matches text that looks like a note.
var likeNotes = pattern.New(`(?i)[` + opening + `]\s*((?:known|said|planned|was planned|until|since|from|in part|taken back|called off|disputed|corrected|some time|at an unknown|` +
	`no longer|pinned|again|date range|by|on|in)\b[^` + opening + closing + `\n]*|[^` + opening + closing + `\n]*\bsays otherwise\b[^` + opening + closing + `\n]*)[` + closing + `]`)

// turn matches a text that begins like a speaker's turn.
var turn = pattern.New(`^[^.!?\n]{1,60}(?:[:꞉∶]+(?:[ \x{AD}\x{200B}-\x{200F}\x{2060}-\x{2064}\x{FEFF}]|$)|[：﹕])`)

// LikeTurn reports whether a text begins like a speaker's turn: a name and a colon.
func LikeTurn(text string) bool { return turn().MatchString(text) }

// WithoutNotes replaces the parentheses around everything that looks like a note.
func WithoutNotes(text string) string {
	if !strings.ContainsAny(text, opening) {
		return text
	}
	return likeNotes().ReplaceAllString(text, "‹$1›")
}

// Said makes a text safe in a line after a note or a name.
func (f Fence) Said(s string) string { return WithoutNotes(f.Line(s)) }

// Opening returns a text that is safe at the start of a line, in the place of a note:
// parentheses before its first letter or digit are replaced.
func Opening(text string) string {
	first := strings.IndexFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	if first < 0 {
		first = len(text)
	}
	return otherBrackets(text[:first]) + text[first:]
}
