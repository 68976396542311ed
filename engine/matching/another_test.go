package matching_test

import (
	"testing"

	"github.com/annalsdb/annals/engine/matching"
)

// "Another Max" is somebody else; "another dog" beside the name is not.
func TestAnother(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"My other friend Max works at Initech.": true, "I met another Max today.": true, "I have a second dog called Max.": true, "A different Max called.": true,
		"My friend Max works at Initech.": false, "Max has another dog.": false, "On the other hand, Max is late.": false, "I drank another coffee with old Max.": false,
		"The other day I saw Max.": false,
	} {
		if got := matching.Another(text, "Max"); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// Labels distinguish kinds only where both labels name a kind.
func TestOtherKinds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"Person", "Organization", true},
		{"City", "Person", true},
		{"Pet", "Person", true},
		{"Company", "Organization", false},
		{"", "Person", false},
		{"User", "Person", false},
		{"City", "Place", false},
	} {
		if got := matching.OtherKinds([]string{tt.a}, []string{tt.b}); got != tt.want {
			t.Errorf("%q and %q: %t", tt.a, tt.b, got)
		}
	}
}
