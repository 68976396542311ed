package chunk

import (
	"bytes"
	"encoding/json"
	"strings"
)

// member is a value under its key, which may be empty.
func member(key, value string) string {
	if key == "" {
		return value
	}
	return key + ":" + value
}

// compact is a literal without white space between its tokens.
func compact(literal string) string {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(literal)); err != nil {
		return literal // it was validated, so this is never so
	}
	return b.String()
}

// unquote is the text of a string literal.
func unquote(literal string) string {
	var text string
	if err := json.Unmarshal([]byte(literal), &text); err != nil {
		return literal // it was validated, so this is never so
	}
	return text
}

// quote is the shortest usual literal of a text: it escapes no HTML.
func quote(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		return `""` // a string can always be encoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// quotedPieces splits a text into literals of at most room bytes each. Escapes
// make literals longer than what they stand for, at most sixfold.
func quotedPieces(text string, room, overlap int) []string {
	if overlap == 0 {
		overlap = -1 // none
	}
	for size := room - len(`""`); ; size /= 2 {
		pieces, long := []string(nil), false
		for _, c := range Text(text, Options{Size: max(size, minText), Overlap: overlap}) {
			piece := quote(c.Text)
			pieces, long = append(pieces, piece), long || len(piece) > room
		}
		if !long || size <= minText {
			return pieces
		}
	}
}

// shorten is the beginning of a string literal with an ellipsis, at most a few
// bytes longer than size.
func shorten(literal string, size int) string {
	begin := quotedPieces(unquote(literal), size, 0)[0]
	return strings.TrimSuffix(begin, `"`) + `…"`
}
