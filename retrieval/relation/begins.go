package relation

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/annalsdb/annals/internal/pattern"
)

// Most questions ask about one or two relations, and an unanchored regular expression takes long to
// find no match. The letters with which its matches can begin rule most expressions out.

// told is how many letters of a beginning are compared.
const told = 4

// beginnings are the first letters of the matches of a pattern, in lower case; none: a match may
// begin with anything.
type beginnings []string

// asking is the pattern of questions about a relation, with the beginnings of its matches.
type asking struct {
	*regexp.Regexp
	begins beginnings
}

// mayMatch reports whether a text has one of the beginnings at a word boundary.
func (a asking) mayMatch(boundaries []string) bool {
	return len(a.begins) == 0 || slices.ContainsFunc(boundaries, func(at string) bool {
		return slices.ContainsFunc(a.begins, func(b string) bool { return strings.HasPrefix(at, b) })
	})
}

func askingOf(p pattern.Pattern) asking {
	a := asking{Regexp: p()}
	if parsed, err := syntax.Parse(a.String(), syntax.Perl); err == nil {
		a.begins = beginningsOf(parsed)
	}
	if slices.Contains(a.begins, "") {
		a.begins = nil
	}
	return a
}

// beginningsOf returns the beginnings of an expression, up to told letters each; an empty one
// stands for any.
func beginningsOf(re *syntax.Regexp) beginnings {
	switch re.Op {
	case syntax.OpLiteral:
		letters := re.Rune[:min(told, len(re.Rune))]
		return beginnings{strings.ToLower(string(letters))}
	case syntax.OpCharClass:
		var all beginnings
		for i := 0; i < len(re.Rune); i += 2 {
			if re.Rune[i+1]-re.Rune[i] > 'z'-'a' {
				return beginnings{""}
			}
			for letter := re.Rune[i]; letter <= re.Rune[i+1]; letter++ {
				all = append(all, strings.ToLower(string(letter)))
			}
		}
		return all
	case syntax.OpAlternate:
		var all beginnings
		for _, sub := range re.Sub {
			all = append(all, beginningsOf(sub)...)
		}
		return all
	case syntax.OpCapture, syntax.OpPlus:
		return beginningsOf(re.Sub[0])
	case syntax.OpConcat:
		return beginningsInTurn(re.Sub)
	}
	return beginnings{""}
}

// beginningsInTurn returns the beginnings of a concatenation.
func beginningsInTurn(parts []*syntax.Regexp) beginnings {
	all := beginnings{""}
	for _, part := range parts {
		switch part.Op {
		case syntax.OpWordBoundary, syntax.OpBeginText:
			continue
		case syntax.OpQuest, syntax.OpStar: // it may be left out
			return all
		}
		var longer beginnings
		for _, b := range all {
			for _, more := range beginningsOf(part) {
				both := b + more
				longer = append(longer, both[:min(told, len(both))])
			}
		}
		all = longer
		whole := part.Op == syntax.OpLiteral || part.Op == syntax.OpCharClass // the continuation of other expressions is not known
		if !whole || !slices.ContainsFunc(all, func(b string) bool { return len(b) < told }) {
			return all
		}
	}
	return all
}

// boundariesIn returns what follows each word boundary of a text, in lower case. ok is false unless
// the text is ASCII: other letters may match in more ways than by lower case.
func boundariesIn(text string) (at []string, ok bool) {
	text = strings.ToLower(text)
	within := false
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return nil, false
		}
		if is := isWord(text[i]); is != within || i == 0 {
			at, within = append(at, text[i:]), is
		}
	}
	return at, true
}

func isWord(b byte) bool { return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' }
