package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/prompts"
)

// A model describes and names the communities, each once.
func TestCommunitiesWithAModel(t *testing.T) {
	t.Parallel()
	s := newScripted(t)
	s.answers["name_community"] = says(map[string]string{"name": "Staff of Acme in Lisbon"})
	for _, prompt := range []string{"summarise_members", "combine_summaries"} {
		s.answers[prompt] = says(map[string]string{"summary": "Alice and Bob work at Acme in Lisbon."})
	}
	for i, triple := range [][]string{{"Alice", "WORKS_AT", "Acme"}, {"Bob", "WORKS_AT", "Acme"}, {"Alice", "LIVES_IN", "Lisbon"}, {"Bob", "LIVES_IN", "Lisbon"}} {
		s.must(append([]string{"triple", "-g", "t", "--valid-at", fmt.Sprintf("2024-01-%02d", i+1)}, triple...)...)
	}
	if got := s.must("communities", "build", "-g", "t"); !strings.HasPrefix(got, "Communities: 1, of 4 entities; 1 new,") || strings.Contains(got, "offline") {
		t.Errorf("build says %q", got)
	}
	asked := s.server.Chats()
	if got := s.must("communities", "build", "-g", "t"); !strings.Contains(got, "1 as before") || s.server.Chats() != asked {
		t.Errorf("build again says %q, after %d more questions", got, s.server.Chats()-asked)
	}
	if got := s.must("communities", "-g", "t"); !strings.Contains(got, "Staff of Acme in Lisbon") || !strings.Contains(got, "Alice and Bob work at Acme") {
		t.Errorf("communities are %q", got)
	}
	s.run("", "communities", "-g", "t", "--limit", "-1").failsWith(t, "limit")
}

// With ANNALS_COMMUNITIES they are kept up to date automatically.
func TestCommunitiesAreTended(t *testing.T) {
	t.Parallel()
	s := newScripted(t)
	s.answers["name_community"] = says(map[string]string{"name": "Staff"})
	s.answers["summarise_members"] = says(map[string]string{"summary": "They work together."})
	for _, name := range []string{"Alice", "Bob"} {
		s.must("triple", "-g", "t", name, "WORKS_AT", "Acme")
	}
	s.must("communities", "build", "-g", "t")
	s.environ["ANNALS_COMMUNITIES"] = "true"
	s.answers["extract_entities"] = says(prompts.ExtractedEntities{Entities: []prompts.ExtractedEntity{{Name: "Carol"}, {Name: "Acme"}}})
	s.answers["extract_facts"] = func(modeltest.Request) modeltest.Reply {
		return modeltest.Reply{JSON: prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{
			{Source: 1, Target: 2, Predicate: "WORKS_AT", Fact: "Carol works at Acme."},
		}}}
	}
	s.must("add", "-g", "t", "--actor", "Carol", "I work at Acme.")
	if got := s.must("communities", "-g", "t"); !strings.Contains(got, "4: ") || !strings.Contains(got, "Carol") {
		t.Errorf("communities are %q, want Carol among them", got)
	}
}
