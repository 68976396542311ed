package prose

import (
	"strings"
	"unicode"
)

// OneLine makes every run of white space one space.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// maxBlank is how many bytes of white space in a row a content keeps.
const maxBlank = 64

// Squeeze shortens longer runs of white space to an empty line, or to one space if they have no
// line break. The tokenizers take quadratic time for such runs.
func Squeeze(s string) string {
	var b strings.Builder
	rest := s
	for rest != "" {
		blank := rest[:len(rest)-len(strings.TrimLeftFunc(rest, unicode.IsSpace))]
		switch {
		case len(blank) <= maxBlank:
			b.WriteString(blank)
		case strings.ContainsAny(blank, "\r\n"):
			b.WriteString("\n\n")
		default:
			b.WriteString(" ")
		}
		rest = rest[len(blank):]
		word := strings.IndexFunc(rest, unicode.IsSpace)
		if word < 0 {
			word = len(rest)
		}
		b.WriteString(rest[:word])
		rest = rest[word:]
	}
	return b.String()
}

// Named puts a name before a text about it; either may be empty.
func Named(name, text string) string {
	switch {
	case name == "":
		return text
	case text == "":
		return name
	}
	return name + ": " + text
}
