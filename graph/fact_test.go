package graph_test

import (
	"testing"
	"time"

	"github.com/annalsdb/annals/graph"
)

// Told returns the stored words without reading the sentence.
func TestStoredWordsAreToldAsTheyAre(t *testing.T) {
	t.Parallel()
	f := graph.Fact{Fact: "Eva joined Siemens last week.", Attributes: []byte("{}"), SaidAt: time.Date(2024, 3, 15, 0, 0, 0, 0, time.UTC)}
	const dated = "Eva joined Siemens in the week of 4 March 2024."
	if told := f.Told(); told != dated {
		t.Errorf("a fact that was not stored is told as %q", told)
	}
	f.ToldAs = "Eva joined Siemens in spring."
	if told, shown := f.Told(), f.JSON(); told != f.ToldAs || shown.Told != f.ToldAs || shown.Fact != f.Fact {
		t.Errorf("it is told as %q, and shown as %q and %q", told, shown.Fact, shown.Told)
	}
	if other, err := (graph.FactEdit{Fact: &f.Fact}).Of(f); err != nil || other.Told() != f.ToldAs || !other.SameAs(f) {
		t.Errorf("with the same sentence it is told as %q (%v)", other.Told(), err)
	}
	sentence := "Eva joined Siemens two years ago."
	if edited, err := (graph.FactEdit{Fact: &sentence}).Of(f); err != nil || edited.Told() != "Eva joined Siemens in 2022." {
		t.Errorf("with another sentence it is told as %q (%v)", edited.Told(), err)
	}
	version := graph.Fact{Fact: "Eva joined Bosch last week.", ToldAs: "Eva joined Bosch in May."}
	if back := f.As(version); back.Told() != version.ToldAs || back.SameAs(f) {
		t.Errorf("as it was before it is told as %q", back.Told())
	}
	if by := (graph.Fact{Fact: "Eva joined Siemens last week."}); by.Told() != by.Fact {
		t.Errorf("what was made by hand is told as %q", by.Told())
	}
}

// Resolving the sentence would take thousands of times as long.
func BenchmarkToldOfAStoredFact(b *testing.B) {
	f := graph.Fact{Fact: "Eva joined Siemens last week.", SaidAt: time.Date(2024, 3, 15, 0, 0, 0, 0, time.UTC)}
	f.ToldAs = f.Told()
	for b.Loop() {
		f.Told()
	}
}
