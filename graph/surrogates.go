package graph

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON escapes a character beyond U+FFFF as two UTF-16 surrogates. One without
// the other is no character: the decoder would put a question mark in its
// place and not say so, and PostgreSQL takes none in metadata.

const escapeLength = len(`\ud83d`)

// wholeCharacters refuses a JSON object with half a character, naming the key.
func wholeCharacters(object []byte) error {
	if loneSurrogate(object) == "" {
		return nil
	}
	var values map[string]json.RawMessage
	if err := json.Unmarshal(object, &values); err != nil {
		return fmt.Errorf("is not a JSON object: %w", err)
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if half := loneSurrogate(values[key]); half != "" {
			return Invalid(key, "holds %s, which is half of a character; write the other half too, or remove it", half)
		}
	}
	return nil
}

// storable refuses valid JSON with an escape that the database cannot hold: half
// of a character, or a NUL.
func storable(field string, text []byte) error {
	if half := loneSurrogate(text); half != "" {
		return Invalid(field, "holds %s, which is half of a character; write the other half too, or remove it", half)
	}
	for rest := text; ; {
		i := bytes.IndexByte(rest, '\\')
		if i < 0 {
			return nil
		}
		if rest = rest[i:]; escapedUnit(rest) == 0 {
			return Invalid(field, "holds \\u0000, a NUL, which text cannot; remove it")
		}
		rest = rest[len(`\n`):]
	}
}

// loneSurrogate returns the first escape in valid JSON that is half of a
// character, or nothing.
func loneSurrogate(text []byte) string {
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			return ""
		}
		text = text[i:]
		unit := escapedUnit(text)
		switch {
		case unit < 0:
			text = text[len(`\n`):]
		case !utf16.IsSurrogate(unit):
			text = text[escapeLength:]
		case utf16.DecodeRune(unit, escapedUnit(text[escapeLength:])) == utf8.RuneError:
			return string(text[:escapeLength])
		default:
			text = text[2*escapeLength:]
		}
	}
}

// escapedUnit reads the \uXXXX that the text begins with; -1 where it does not.
func escapedUnit(text []byte) rune {
	if len(text) < escapeLength || !bytes.HasPrefix(text, []byte(`\u`)) {
		return -1
	}
	unit, err := strconv.ParseUint(string(text[len(`\u`):escapeLength]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(unit)
}
