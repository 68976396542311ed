package engine

import "testing"

func TestWithoutSentence(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ summary, sentence, want string }{
		{"Ann likes tea. Ann likes teasing Bob.", "Ann likes tea", "Ann likes teasing Bob."},
		{"Ann likes tea. Ann lives in Oslo. Ann likes tea.", "Ann likes tea.", "Ann lives in Oslo."},
		{"Ann likes tea.", "Ann likes tea.", ""},
		{"Ann likes tea.", "", "Ann likes tea."},
		{"安喜欢茶。", "安喜欢茶。", ""},
	} {
		if got := withoutSentence(c.summary, c.sentence); got != c.want {
			t.Errorf("%q without %q is %q, want %q", c.summary, c.sentence, got, c.want)
		}
	}
}

func TestExtends(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, old string
		want      bool
	}{
		{"Caroline Smith", "Caroline", true},
		{"Mr Robert Smithson", "Bob", false},
		{"Caroline", "Caroline Smith", false},
		{"caroline", "Caroline", false},
	} {
		if got := extends(c.name, c.old); got != c.want {
			t.Errorf("%q extends %q: %v, want %v", c.name, c.old, got, c.want)
		}
	}
}
