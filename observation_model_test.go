package annals_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/prompts"
)

// booking is a model that reads that Alice books seats, and sees what she prefers, in other words
// each time. It also names facts that were not shown, and observations with a single fact.
func booking() script {
	seat := func(r modeltest.Request) string {
		_, current, _ := strings.Cut(r.User, "The current")
		for n := 1; n < 100; n++ {
			if strings.Contains(current, fmt.Sprintf("flight %d.", n)) {
				return fmt.Sprintf("Seat %d", n)
			}
		}
		return ""
	}
	return script{
		"extract_entities": func(r modeltest.Request) modeltest.Reply {
			return modeltest.Reply{JSON: prompts.ExtractedEntities{Entities: []prompts.ExtractedEntity{{Name: "Alice"}, {Name: seat(r)}}}}
		},
		"extract_facts": func(r modeltest.Request) modeltest.Reply {
			return modeltest.Reply{JSON: prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{
				{Source: 1, Target: 2, Predicate: "BOOKED", Fact: "Alice booked the aisle " + seat(r) + ".", Kind: prompts.Event},
			}}}
		},
		"derive_observations": func(r modeltest.Request) modeltest.Reply {
			text := []string{"Alice prefers aisle seats.", "Alice prefers an aisle seat."}[r.N%2]
			return modeltest.Reply{JSON: prompts.DerivedObservations{Observations: []prompts.DerivedObservation{
				{Predicate: "prefers", Observation: text, Facts: []int{1, 2, 3}},
				{Predicate: "HATES", Observation: "Alice hates trains.", Facts: []int{1}},
				{Predicate: "OWNS", Observation: "Alice owns a plane.", Facts: []int{900, 901}},
			}}}
		},
	}
}

func TestObservationsOfAModel(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, server := openScripted(t, booking(), func(c *annals.Config, _ *modeltest.Server) { c.Observations, c.Window = true, 1 })
	const messages = 32
	for n := range messages {
		stored := clienttest.Alice(fmt.Sprintf("I booked an aisle seat on flight %d.", n+1), "2024-05-01")
		stored.OccurredAt = stored.OccurredAt.AddDate(0, 0, n)
		if _, err := client.Add(t.Context(), stored); err != nil {
			t.Fatal(err)
		}
		if err := client.Process(t.Context(), "t", nil); err != nil {
			t.Fatal(err)
		}
	}
	asked := 0
	for _, name := range server.Prompts() {
		if name == "derive_observations" {
			asked++
		}
	}
	if asked == 0 || float64(asked) > 0.3*messages {
		t.Errorf("%d messages took %d calls", messages, asked)
	}
	list, err := client.Observations(t.Context(), annals.ObservationFilter{GroupID: "t"})
	if err != nil || len(list) != 1 || list[0].Predicate != "PREFERS" || list[0].Reader != "openai:main" || list[0].Proof < 3 || list[0].Subject != "Alice" {
		t.Fatalf("observed is %+v (%v)", list, err)
	}
	found, err := client.Search(t.Context(), annals.Query{GroupID: "t", Text: "Which seats does Alice prefer?", Scopes: []graph.Kind{graph.KindObservation}})
	if err != nil || len(found.Observations) != 1 || found.Observations[0].ID != list[0].ID {
		t.Errorf("found is %+v (%v)", found.Observations, err)
	}
	before := time.Now()
	if _, err := client.UndoAll(t.Context(), annals.Undoing{GroupID: "t", EpisodeIDs: list[0].Episodes[:1], AnyReader: true}); err != nil {
		t.Fatal(err)
	}
	if now, err := client.Observations(t.Context(), annals.ObservationFilter{GroupID: "t", Ended: true}); err != nil || len(now) != 0 {
		t.Errorf("without an episode that it rested on there is %+v (%v)", now, err)
	}
	then, err := client.Observations(t.Context(), annals.ObservationFilter{GroupID: "t", KnownAt: before})
	if err != nil || len(then) != 1 || then[0].Text != list[0].Text {
		t.Errorf("as known before there is %+v (%v)", then, err)
	}
}

// Erasing leaves nothing of the content in any version; other observations stay.
func TestErasingReachesObservations(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	conn := clienttest.Dial(t, url)
	for _, said := range []string{"I like Zanzibar.", "I like opera.", "I like opera.", "I like Zanzibar.", "I like opera."} {
		if _, err := client.Add(t.Context(), clienttest.Alice(said, "2024-05-01")); err != nil {
			t.Fatal(err)
		}
		if err := client.Process(t.Context(), "t", nil); err != nil {
			t.Fatal(err)
		}
		if err := client.Observe(t.Context(), "t"); err != nil {
			t.Fatal(err)
		}
	}
	list, err := client.Observations(t.Context(), annals.ObservationFilter{GroupID: "t"})
	if err != nil || len(list) != 2 || list[0].Proof != 3 || list[1].Proof != 2 {
		t.Fatalf("observed is %+v (%v)", list, err)
	}
	if _, err := client.Erase(t.Context(), annals.Erasure{GroupID: "t", EpisodeIDs: list[1].Episodes}); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{
		"annals.observations", "annals_internal.observations_history", "annals_internal.observation_facts", "annals_internal.observation_episodes",
	} {
		var n int
		if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM "+table+" r WHERE r::text ILIKE '%zanzibar%' OR r::text LIKE '%' || $1 || '%'", list[1].ID.String()).Scan(&n); err != nil || n > 0 {
			t.Errorf("%s has %d rows of what was erased (%v)", table, n, err)
		}
	}
	left, err := client.Observations(t.Context(), annals.ObservationFilter{GroupID: "t"})
	if err != nil || len(left) != 1 || left[0].ID != list[0].ID || left[0].Proof != 3 {
		t.Errorf("left is %+v (%v)", left, err)
	}
	entity, err := client.Entity(t.Context(), "t", "opera")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Erase(t.Context(), annals.Erasure{GroupID: "t", EntityID: entity.ID}); err != nil {
		t.Fatal(err)
	}
	var n int
	if err := conn.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM annals.observations) + (SELECT count(*) FROM annals_internal.observations_history)`).Scan(&n); err != nil || n > 0 {
		t.Errorf("%d versions are left of what names it (%v)", n, err)
	}
}
