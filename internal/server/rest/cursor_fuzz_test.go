package rest

import "testing"

// A cursor is refused, or is one that a list returned: it encodes to the same text again.
func FuzzCursor(f *testing.F) {
	f.Add("facts", "eyJsIjoiZmFjdHMiLCJuIjoieCJ9")
	f.Add("facts", "e30")
	f.Add("entities", "not base64!")
	f.Fuzz(func(t *testing.T, list, text string) {
		c, err := parseCursor(list, text)
		if err != nil || c == nil {
			return
		}
		if c.List != list || c.ID == nil && c.Name == "" {
			t.Fatalf("%q is taken for a cursor of %q: %+v", text, list, c)
		}
		again, err := parseCursor(list, c.String())
		if err != nil || again.String() != c.String() {
			t.Fatalf("%q is %+v, then %+v: %v", text, c, again, err)
		}
	})
}
