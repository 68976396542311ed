package chunk

import (
	"bytes"
	"encoding/json"
	"strings"
)

// JSON splits a JSON document into chunks that are JSON documents of the same shape, without white
// space. A document within Size is one chunk, unchanged. Only arrays, objects and strings that are
// too long are cut: {"orders": [..., ...]} becomes {"orders": [...]} and {"orders": [...]}. The
// first short members of a cut object, up to Overlap bytes, are repeated in each of its chunks.
// Every number, string, true, false and null is in a chunk, under its keys, in its order and digit
// by digit. There are three exceptions. Of deeply nested keys the outermost are left out if they
// would fill half of a chunk. A key longer than an eighth of a chunk is cut, and stands in full as
// the first value under it. A number longer than a chunk makes a longer chunk. The error says where
// the document is not JSON.
func JSON(content string, o Options) ([]Chunk, error) {
	if err := validate(content); err != nil {
		return nil, err
	}
	o = o.orDefaults(minJSON)
	if len(content) <= o.Size {
		return []Chunk{{Text: content, Start: 0, End: len(content)}}, nil
	}
	root, err := parse(content)
	if err != nil {
		return nil, err
	}
	p := packer{doc: content, size: o.Size, overlap: o.Overlap}
	p.add(root)
	p.flush()
	return p.chunks, nil
}

func member(key, value string) string {
	if key == "" {
		return value
	}
	return key + ":" + value
}

func compact(literal string) string {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(literal)); err != nil {
		return literal // cannot happen: it was validated
	}
	return b.String()
}

func unquote(literal string) string {
	var text string
	if err := json.Unmarshal([]byte(literal), &text); err != nil {
		return literal // cannot happen: it was validated
	}
	return text
}

// quote returns a string literal without escapes for HTML.
func quote(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		return `""` // a string can always be encoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// quotedPieces splits a text into literals of at most room bytes. Escapes may make a text up to six
// times as long.
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

func shorten(literal string, size int) string {
	begin := quotedPieces(unquote(literal), size, 0)[0]
	return strings.TrimSuffix(begin, `"`) + `…"`
}
