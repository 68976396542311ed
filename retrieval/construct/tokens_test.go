package construct

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Counts that OpenAI's own tokenizer gives.
func TestCounts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		encoding, text string
		want           int
	}{
		{"", "", 0},
		{"", "tiktoken is great!", 6},
		{"o200k_base", "お誕生日おめでとう", 8},
		{"cl100k_base", "tiktoken is great!", 6},
		{"cl100k_base", "お誕生日おめでとう", 9},
		{"cl100k_base", "antidisestablishmentarianism", 6},
		{"cl100k_base", "2 + 2 = 4", 7},
	} {
		c, err := newCounter(tt.encoding)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.count(tt.text); got != tt.want {
			t.Errorf("%s: %q has %d tokens; want %d", tt.encoding, tt.text, got, tt.want)
		}
	}
	if _, err := newCounter("gpt2"); err == nil {
		t.Error("an unknown encoding opens")
	}
}

// awkward writes texts whose tokens tend to span line breaks.
func awkward() *rapid.Generator[string] {
	bits := []string{
		"\n", "\n", "\n\n", "\r\n", "\r", " ", "  ", "\t", "\u00a0", "\u0085", "\u2028", "/", "//", "\n/", ".\n", "...", "'s", "'", "\n's", "-", "- ",
		"<FACTS>", "</FACTS>\n", "word", "Word", "WORD", "é", "e\u0301", "\u0301", "世界", "\n世", "123", "\n4567", "👋🏽", "ǅ", "ʰ", "_", "{}", "\x00", "\x7f", "\ufffd",
	}
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(bits), rapid.String()), 0, 30).Draw(t, "bits"), "")
	})
}

// The count of a text is the sum of its pieces, in whatever order they were counted.
func TestPiecesCountAsTheWhole(t *testing.T) {
	t.Parallel()
	for encoding, whole := range encodings {
		t.Run(encoding, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				c, err := newCounter(encoding)
				if err != nil {
					t.Fatal(err)
				}
				for range 2 {
					text := awkward().Draw(t, "text")
					if got, want := c.count(text), whole().Count(text); got != want {
						t.Fatalf("%q has %d tokens; want %d", text, got, want)
					}
				}
			})
		})
	}
}

func TestPieces(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"":                      nil,
		"\n":                    {"\n"},
		"a":                     {"a"},
		"a\nb":                  {"a\n", "b"},
		"a\n\n<F>\n- b\n</F>\n": {"a\n\n", "<F>\n", "- b\n", "</F>\n"},
		"a.\n/b\n c\n\td\ne":    {"a.\n/b\n c\n\td\n", "e"},
		"a\n世\nb":               {"a\n世\n", "b"},
		"a\r\nb\r\n\r\nc":       {"a\r\n", "b\r\n\r\n", "c"},
	} {
		var got []string
		for piece := range pieces(text) {
			got = append(got, piece)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q, -want +got:\n%s", text, diff)
		}
	}
}
