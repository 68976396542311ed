package engine

import (
	"strings"
	"unicode/utf8"
)

// cleanText folds white space and reports whether something storable is left.
func cleanText(s string, limit int) (string, bool) {
	s = strings.Join(strings.Fields(s), " ")
	return s, s != "" && len(s) <= limit && utf8.ValidString(s) && !strings.ContainsRune(s, 0)
}

// cut shortens a text to so many bytes, at a character's boundary, and makes
// it storable.
func cut(s string, limit int) string {
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
