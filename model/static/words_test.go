package static

import (
	"strings"
	"testing"
)

// Words are cached, except those longer than real words, which would fill the
// memory at 24 kB each.
func TestLongWordsAreNotRemembered(t *testing.T) {
	t.Parallel()
	w, cuts := newWords(), 0
	cut := func(part string) []int {
		cuts++
		return []int{len(part)}
	}
	for range 2 {
		w.tokens("paris", cut)
		if got := w.tokens(strings.Repeat("x", 2*mostWordBytes+1), cut); len(got) != 3 || got[2] != 1 {
			t.Errorf("the parts of a long word have the lengths %v", got)
		}
	}
	if _, known := w.known["paris"]; !known || len(w.known) != 1 || cuts != 1+2*3 {
		t.Errorf("%d words are remembered after %d cuts", len(w.known), cuts)
	}
}
