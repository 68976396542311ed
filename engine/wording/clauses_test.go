package wording

import (
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
)

func TestPartOfSentence(t *testing.T) {
	t.Parallel()
	fact := func(source, predicate, target string) graph.Fact {
		id := func(name string) uuid.UUID { return uuid.NewSHA1(uuid.Nil, []byte(name)) }
		return graph.Fact{Source: source, SourceID: id(source), Predicate: predicate, Target: target, TargetID: id(target)}
	}
	job, boss := fact("Ilva Berg", "WORKS_AT", "Sundby"), fact("Nils", "HAS_BOSS", "Ilva Berg")
	sushi, chess := fact("Nils", "LIKES", "sushi"), fact("Nils", "LIKES", "chess")
	for _, tt := range []struct {
		sentence   string
		kept, gone graph.Fact
		want       string
	}{
		{"Ilva Berg works at Sundby and is my boss.", job, boss, "Ilva Berg works at Sundby."},
		{"Ilva Berg works at Sundby and is the boss of Nils.", job, boss, "Ilva Berg works at Sundby."},
		{"Ilva Berg works at Sundby and is the boss of Nils.", boss, job, "Ilva Berg is the boss of Nils."},
		{"Nils likes sushi, chess and jazz.", chess, sushi, "Nils likes chess and jazz."},
		{"Nils likes sushi, chess and jazz.", sushi, chess, "Nils likes sushi."},
		{"His boss at Sundby is Ilva Berg.", job, boss, "Ilva Berg works at Sundby."},
	} {
		if got := PartOfSentence(tt.sentence, tt.kept, []graph.Fact{tt.gone}); got != tt.want {
			t.Errorf("%q for %s %s: %q, want %q", tt.sentence, tt.kept.Source, tt.kept.Predicate, got, tt.want)
		}
	}
}

func TestWithoutItem(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"Kim plays the piano and the cello.", "cello", "Kim plays the piano."},
		{"Kim plays the piano and the cello every Friday.", "piano", "Kim plays the cello every Friday."},
		{"Kim plays the piano, the flute and the cello.", "cello", "Kim plays the piano and the flute."},
		{"Kim plays the piano, the flute and the cello.", "flute", "Kim plays the piano and the cello."},
		{"Since 2020 Kim plays the piano, the flute, and the cello.", "piano", "Since 2020 Kim plays the flute, and the cello."},
		{"Kim plays the piano.", "piano", ""},
	} {
		if got := withoutItem(c[0], c[1]); got != c[2] {
			t.Errorf("%q without the %s: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func TestReplaceName(t *testing.T) {
	t.Parallel()
	if got := ReplaceName("Ana knows Anatol, and Ana's boss knows Ana.", "Ana", "Jana"); got != "Jana knows Anatol, and Jana's boss knows Jana." {
		t.Error(got)
	}
	got := ReplaceName("User reads the User Guide; User's mother and Ana User don't.", "User", "Ana", "User Guide", "Ana User", "User")
	if want := "Ana reads the User Guide; Ana's mother and Ana User don't."; got != want {
		t.Errorf("got %q, want %q", got, want)
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
		if got := Extends(c.name, c.old); got != c.want {
			t.Errorf("%q extends %q: %v, want %v", c.name, c.old, got, c.want)
		}
	}
}
