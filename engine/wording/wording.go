// Package wording works on the words of sentences and names: it cleans them, finds names, and
// removes parts of sentences.
package wording

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/annalsdb/annals/internal/fence"
	"github.com/annalsdb/annals/internal/pattern"
)

// CleanText folds white space and reports whether the result can be stored.
func CleanText(s string, limit int) (string, bool) {
	s = strings.Join(strings.Fields(s), " ")
	return s, s != "" && len(s) <= limit && utf8.ValidString(s) && !strings.ContainsRune(s, 0)
}

// Sentence is [CleanText] for text that is shown to readers later. It removes what could be read as
// one of our notes.
func Sentence(s string, limit int) (string, bool) { return CleanText(fence.WithoutNotes(s), limit) }

// Cut shortens a text to at most limit bytes, at a character boundary, and makes it storable.
func Cut(s string, limit int) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "�"), "\x00", "�")
	if len(s) <= limit {
		return s
	}
	limit -= len("…")
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + "…"
}

// ContainsFold reports whether names contain a name, ignoring case.
func ContainsFold(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}

// BareWords returns a text in lower case without punctuation.
func BareWords(s string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	}), " "))
}

// MaxFact is the longest sentence of a fact, in bytes.
const MaxFact = 2000

var notInPredicates = pattern.New(`[^\p{L}\p{N}]+`)

// Predicate writes a relation in our form: LIVES_IN. It is empty if the relation has no letter or
// digit.
func Predicate(s string) string {
	return strings.Trim(notInPredicates().ReplaceAllString(strings.ToUpper(s), "_"), "_")
}

// Extends reports whether a name has all words of another, and more.
func Extends(name, old string) bool {
	words := strings.Fields(strings.ToLower(name))
	missing := func(word string) bool { return !slices.Contains(words, word) }
	return len(name) > len(old) && !slices.ContainsFunc(strings.Fields(strings.ToLower(old)), missing)
}
