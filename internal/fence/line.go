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

// Noted puts notes before a text. Those that are empty are left out.
func Noted(text string, notes ...string) string {
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

// parentheses are the characters that a model may read as parentheses.
var parentheses = strings.NewReplacer(
	"(", "‹", "（", "‹", "﹙", "‹", "⁽", "‹", "₍", "‹", "❨", "‹", "❪", "‹", "⦅", "‹", "⟮", "‹", "⸨", "‹",
	")", "›", "）", "›", "﹚", "›", "⁾", "›", "₎", "›", "❩", "›", "❫", "›", "⦆", "›", "⟯", "›", "⸩", "›",
)

// ending are the colons at which a name would end: not those of user:7.
var ending = pattern.New(`[:：﹕꞉∶]+([^\pL\pN/]|$)`)

// Plain is a name that cannot be read as a note or as a name with a text after it.
func Plain(name string) string {
	name = ending().ReplaceAllString(parentheses.Replace(name), " -$1")
	return strings.TrimRight(strings.TrimSuffix(name, " -"), " ")
}

// Inner is a text with other brackets for its parentheses, where those are the line's own.
func Inner(text string) string { return parentheses.Replace(text) }

// Opening is a text that cannot be read as beginning with a note: it loses the
// parentheses before its first letter.
func Opening(text string) string {
	first := strings.IndexFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	if first < 0 {
		first = len(text)
	}
	return parentheses.Replace(text[:first]) + text[first:]
}

// Name makes a name safe to begin a line.
func (f Fence) Name(s string) string { return Plain(f.Line(s)) }
