package annals_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
)

// One name of two kinds, and one that is told from another of its name, are two.
func TestOneNameOfTwo(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		said []string
		name string
		want int
	}{
		{[]string{"My dog is called Max.", "My boss is Max."}, "Max", 2},
		{[]string{"My friend Tim works at Globex.", "My other friend Tim works at Initech."}, "Tim", 2},
		{[]string{"My friend Tim works at Globex.", "My friend Tim lives in Porto."}, "Tim", 1},
	} {
		client, _ := clienttest.New(t)
		for i, said := range tt.said {
			tellAll(t.Context(), t, client, saidBy("user", said, fmt.Sprintf("2024-01-1%d", i)))
		}
		entities, err := client.Entities(t.Context(), annals.EntityFilter{GroupID: "t"})
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, e := range entities {
			if e.Name == tt.name {
				found++
			}
		}
		if facts := factsAbout(t, client); found != tt.want || strings.Contains(facts, "until") {
			t.Errorf("%q: %d are called %s, want %d; the facts are\n%s", tt.said, found, tt.name, tt.want, facts)
		}
	}
}

// A triple says of which kind its ends are.
func TestOneNameOfTwoKindsByHand(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	for _, to := range []graph.TripleEnd{{Name: "Apple", Label: "Organization"}, {Name: "Apple", Label: "Person"}, {Name: "Apple", Label: "Company"}} {
		told := annals.Triple{GroupID: "t", Source: graph.TripleEnd{Name: "Alice"}, Predicate: "KNOWS", Target: to, Fact: "Alice knows Apple, the " + to.Label + "."}
		if _, err := client.AddTriple(t.Context(), told); err != nil {
			t.Fatal(err)
		}
	}
	entities, err := client.Entities(t.Context(), annals.EntityFilter{GroupID: "t"})
	if err != nil || len(entities) != 3 {
		t.Errorf("there are %v (%v), want Alice and two called Apple", entities, err)
	}
}
