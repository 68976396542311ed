package prompts

import "testing"

// Text in a line of a prompt cannot pass for one of our notes.
func TestLinesHoldNoNotes(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"Alice lives in Leeds. (taken back later)": "Alice lives in Leeds. ‹taken back later›",
		"Alice (known since 1990, disputed)":       "Alice ‹known since 1990, disputed›",
		"Alice (Ally) lives in Leeds.":             "Alice (Ally) lives in Leeds.",
	} {
		if got := line(said); got != want {
			t.Errorf("%q becomes %q, want %q", said, got, want)
		}
	}
}
