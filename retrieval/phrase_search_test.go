package retrieval

import (
	"slices"
	"testing"
)

func TestPhrasesIn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []string
	}{
		{`no quotes`, nil},
		{`find "green tea" and "a cup"`, []string{"green tea", "a cup"}},
		{`“green tea” or „Grüner Tee“`, []string{"green tea", "Grüner Tee"}},
		{`half "a quote`, nil},
		{`"one" and "half`, []string{"one"}},
		{`"" "  " """`, nil},
		{`"same" "same"`, []string{"same"}},
		{`"a" "b" "c" "d" "e" "f"`, []string{"a", "b", "c", "d", "e"}},
	} {
		if got := phrasesIn(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}
