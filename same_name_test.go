package annals_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/prompts"
)

// Two entities of one name are kept apart if their kinds differ, or if a text distinguishes them.
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
		{[]string{"My sister Anna lives in Oslo and my colleague Anna lives in Madrid.", "My colleague Anna likes tea."}, "Anna", 2},
		{[]string{"My sister Anna lives in Oslo.", "My sister Anna likes tea and my colleague Anna lives in Madrid."}, "Anna", 2},
		{[]string{"My sister Anna lives in Oslo. Anna is my best friend."}, "Anna", 1},
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

// A model is asked whether a company with a friend's name is the friend: the name alone does not
// decide, the model's answer does.
func TestAModelIsAskedOfOneNameOfTwoKinds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ candidate, called int }{{0, 2}, {1, 1}} {
		company := func(r modeltest.Request) bool {
			_, current, _ := strings.Cut(r.User, "The current")
			return strings.Contains(current, "job at Apple")
		}
		var asked []string
		client, _ := openScripted(t, script{
			"extract_entities": func(r modeltest.Request) modeltest.Reply {
				label := "Person"
				if company(r) {
					label = "Organization"
				}
				return modeltest.Reply{JSON: prompts.ExtractedEntities{Entities: []prompts.ExtractedEntity{{Name: "Alice", Label: "Person"}, {Name: "Apple", Label: label}}}}
			},
			"extract_facts": func(r modeltest.Request) modeltest.Reply {
				fact := prompts.ExtractedFact{Source: 1, Target: 2, Predicate: "KNOWS", Fact: "Alice has a friend called Apple."}
				if company(r) {
					fact.Predicate, fact.Fact = "WORKS_AT", "Alice works at Apple."
				}
				return modeltest.Reply{JSON: prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{fact}}}
			},
			"resolve_entities": func(r modeltest.Request) modeltest.Reply {
				asked = append(asked, r.User)
				return modeltest.Reply{JSON: prompts.ResolvedEntities{Resolutions: []prompts.EntityResolution{{ID: 1, Candidate: tt.candidate, Reason: "As scripted."}}}}
			},
		}, nil)
		for i, said := range []string{"I had lunch with my friend Apple.", "I have a new job at Apple."} {
			tellAll(t.Context(), t, client, saidBy("user", said, fmt.Sprintf("2024-01-1%d", i)))
		}
		if len(asked) != 1 || !strings.Contains(asked[0], `name="Apple" type="Organization"`) || !strings.Contains(asked[0], "1: Apple (Person)") {
			t.Errorf("the model was asked %q, want once about Apple, the organization, with Apple, the person", asked)
		}
		facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t"})
		ends := map[uuid.UUID]bool{}
		for _, f := range facts {
			ends[f.TargetID] = true
		}
		if err != nil || len(facts) != 2 || len(ends) != tt.called {
			t.Errorf("told candidate %d: %d facts lead to %d called Apple (%v), want %d", tt.candidate, len(facts), len(ends), err, tt.called)
		}
	}
}

// A triple gives the kinds of its ends.
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
