package graph

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"
)

func TestLoneSurrogate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		``:                            ``,
		`"plain 東京 🎉"`:                ``,
		`"\ud83c\udf89"`:              ``,
		`"\u0041\uD83C\uDF89\n"`:      ``,
		`"\\ud800 is how it is said"`: ``,
		`"\"\\\ud800"`:                `\ud800`,
		`"\ud800"`:                    `\ud800`,
		`"\udc00\ud800"`:              `\udc00`,
		`"\ud800\ud800\udc00"`:        `\ud800`,
		`"\uDBFF\u0041"`:              `\uDBFF`,
	} {
		if got := loneSurrogate([]byte(text)); got != want {
			t.Errorf("loneSurrogate(%s) = %q, want %q", text, got, want)
		}
	}
}

// A half character is found exactly where the decoder would change the text.
func TestLoneSurrogateAgreesWithTheDecoder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.OneOf(rapid.Uint16(), rapid.Uint16Range(0xd800, 0xdfff), rapid.SampledFrom([]uint16{'\\', 'u', '"', 'd'}))
		units := rapid.SliceOf(unit).Draw(t, "units")
		var text strings.Builder
		for _, u := range units {
			fmt.Fprintf(&text, `\u%04x`, u)
		}
		var decoded string
		if err := json.Unmarshal([]byte(`"`+text.String()+`"`), &decoded); err != nil {
			t.Fatal(err)
		}
		same := slices.Equal(utf16.Encode([]rune(decoded)), units)
		if got := loneSurrogate([]byte(text.String())); (got == "") != same {
			t.Errorf("loneSurrogate(%s) = %q, but it decodes to %q", text.String(), got, decoded)
		}
	})
}

// What is stored as JSON holds neither half of a character nor a NUL, however
// either is written; an escaped backslash before u0000 is no escape.
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
