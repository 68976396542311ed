package graph

import (
	"testing"
)

// Stored JSON contains neither lone surrogates nor NULs, however they are
// written. An escaped backslash before u0000 is no escape.
func TestObjectsThatCannotBeStored(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`{"plan": "pro"}`: true, `{"plan": "\\u0000"}`: true, `{"plan": "\\\\u0000 \ud83d\ude00"}`: true,
		`{"plan": "\u0000"}`: false, `{"plan": "a\\\u0000"}`: false, `{"\u0000": 1}`: false, `{"plan": ["\ud800"]}`: false,
	} {
		if err := ValidateObject("metadata", []byte(text)); (err == nil) != want {
			t.Errorf("ValidateObject(%s) = %v, want it taken: %v", text, err, want)
		}
	}
}
