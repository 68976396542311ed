// Package escapes finds JSON escapes that no text can hold: lone surrogates and NUL.
package escapes

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON escapes a character beyond U+FFFF as two UTF-16 surrogates. A lone surrogate
// is no character: encoding/json silently replaces it, and PostgreSQL refuses it in
// jsonb.

const escapeLength = len(`\ud83d`)

// Unfit describes the first escape in valid JSON that no text can hold, and what to
// do. It is empty if there is none.
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

// Lone returns the first lone surrogate escape in valid JSON, or the empty string.
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

// escapedUnit reads the \uXXXX at the start of a text; -1: there is none.
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
