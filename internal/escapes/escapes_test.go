package escapes

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"
)

func TestLone(t *testing.T) {
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
		if got := Lone([]byte(text)); got != want {
			t.Errorf("Lone(%s) = %q, want %q", text, got, want)
		}
	}
}

// Lone finds a surrogate exactly if the decoder would change the text.
func TestLoneAgreesWithTheDecoder(t *testing.T) {
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
		if got := Lone([]byte(text.String())); (got == "") != same {
			t.Errorf("Lone(%s) = %q, but it decodes to %q", text.String(), got, decoded)
		}
	})
}
