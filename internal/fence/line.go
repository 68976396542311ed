package fence

import (
	"strings"
	"unicode"

	"github.com/annalsdb/annals/internal/pattern"
)

// What a memory shows is written in lines, and a line begins with a note in
// parentheses where it may not be believed without: "(until May 2024, now Porto) Nora: I
// live in Bergen." Nothing that is stored may be read as such a note, or as the name with
// which a line goes on after it.

// Noted puts notes before a text, in which nothing can be read as one. Notes that are empty
// are left out.
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

// opening and closing are the characters that a model may read as parentheses.
const (
	opening = "(（﹙⁽₍❨❪⦅⟮⸨"
	closing = ")）﹚⁾₎❩❫⦆⟯⸩"
)

// otherBrackets are those that parentheses become.
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

// ending finds the colons at which a name would end: not those of user:7. What is not
// seen counts as a space.
var ending = pattern.New(`[:꞉∶]+([ \x{AD}\x{200B}-\x{200F}\x{2060}-\x{2064}\x{FEFF}]|$)|[：﹕]`)

// Plain is a name of one line that cannot be read as a note, or as a name with a text
// after it.
func Plain(name string) string {
	return strings.TrimSuffix(ending().ReplaceAllString(otherBrackets(name), " -$1"), " -")
}

// Name makes a name safe to begin a line.
func (f Fence) Name(s string) string { return Plain(f.Line(s)) }

// likeNotes finds what stands in a text as a note would.
var likeNotes = pattern.New(`(?i)[` + opening + `]\s*((?:known|said|planned|was planned|until|since|from|in part|taken back|called off|disputed|corrected|some time|at an unknown|` +
	`no longer|pinned|again|date range|by|on|in)\b[^` + opening + closing + `\n]*|[^` + opening + closing + `\n]*\bsays otherwise\b[^` + opening + closing + `\n]*)[` + closing + `]`)

// turn finds a text that begins as somebody's words do in a line.
var turn = pattern.New(`^[^.!?\n]{1,60}(?:[:꞉∶]+(?:[ \x{AD}\x{200B}-\x{200F}\x{2060}-\x{2064}\x{FEFF}]|$)|[：﹕])`)

// LikeTurn reports whether a text begins as a name with what somebody said does.
func LikeTurn(text string) bool { return turn().MatchString(text) }

// WithoutNotes is a text in which nothing is written like a note: that gets other brackets.
func WithoutNotes(text string) string {
	if !strings.ContainsAny(text, opening) {
		return text
	}
	return likeNotes().ReplaceAllString(text, "‹$1›")
}

// Said makes a text safe to stand in a line, behind a note or a name.
func (f Fence) Said(s string) string { return WithoutNotes(f.Line(s)) }

// Opening is a text that may begin a line, where a note would stand: it loses the
// parentheses before its first letter.
func Opening(text string) string {
	first := strings.IndexFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	if first < 0 {
		first = len(text)
	}
	return otherBrackets(text[:first]) + text[first:]
}
