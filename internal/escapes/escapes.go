// Package escapes finds what JSON may escape and no text can hold: half of a character, and NUL.
package escapes

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON escapes a character beyond U+FFFF as two UTF-16 surrogates. One without
// the other is no character: the decoder would put a question mark in its
// place and not say so, and PostgreSQL takes none in metadata.

const escapeLength = len(`\ud83d`)

// Unfit says what valid JSON holds that no text can, and what to do, or nothing.
func Unfit(text []byte) string {
	if half := Lone(text); half != "" {
		return fmt.Sprintf("holds %s, which is half of a character; write the other half too, or remove it", half)
	}
	for rest := text; ; {
		i := bytes.IndexByte(rest, '\\')
		if i < 0 {
			return ""
		}
		if rest = rest[i:]; escapedUnit(rest) == 0 {
			return "holds \\u0000, a NUL, which text cannot; remove it"
		}
		rest = rest[len(`\n`):]
	}
}

// Lone returns the first escape in valid JSON that is half of a
// character, or nothing.
func Lone(text []byte) string {
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
