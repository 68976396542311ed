package matching_test

import (
	"testing"

	"github.com/annalsdb/annals/engine/matching"
)

// A sister is not the colleague of the same name, but a friend may be.
func TestBonds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		known, said string
		want        bool
	}{
		{"Sam's sister Anna lives in Oslo.", "My colleague Anna lives in Madrid.", true},
		{"Sam's colleague Anna lives in Madrid.", "My little sister Anna lives in Oslo.", true},
		{"Anna is Sam's sister.", "Anna is my boss.", true},
		{"Sam's son Anna sleeps.", "Our daughter Anna sleeps.", true},
		{"Sam's mother Anna sleeps.", "My aunt Anna sleeps.", true},
		{"Sam's mother Anna sleeps.", "My mum Anna sleeps.", false},
		{"Sam's child Anna sleeps.", "My daughter Anna sleeps.", false},
		{"Sam's friend Anna sleeps.", "My colleague Anna sleeps.", false},
		{"Sam's girlfriend Anna sleeps.", "My wife Anna sleeps.", false},
		{"Tom's sister Anna lives in Oslo.", "My colleague Anna lives in Madrid.", false},
		{"Sam's sister Anna lives in Oslo. Sam's colleague Anna lives in Madrid.", "My colleague Anna moved.", false},
		{"Sam's sister Anna lives in Oslo.", "Anna moved to Rome.", false},
		{"Sam's sister Anna lives in Oslo.", "My sister called Anna's colleague.", false},
	} {
		if got := matching.OfOther(matching.Bonds(tt.said, "Anna", "Sam"), matching.Bonds(tt.known, "Anna", "")); got != tt.want {
			t.Errorf("%q, then %q: %t", tt.known, tt.said, got)
		}
	}
}
