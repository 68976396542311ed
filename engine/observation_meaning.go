package engine

import (
	"slices"
	"strings"
	"unicode"

	"github.com/kljensen/snowball/english"

	"github.com/annalsdb/annals/engine/matching"
)

// meaningOf is what makes two observations the same: the stems of the words that
// carry meaning, whatever their order.
func meaningOf(text string) []string {
	var stems []string
	for _, word := range strings.FieldsFunc(matching.Fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }) {
		if !english.IsStopWord(word) {
			stems = append(stems, english.Stem(word, true))
		}
	}
	slices.Sort(stems)
	return slices.Compact(stems)
}
