package annals_test

import (
	"context"
	"fmt"
	"log"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// Facts lists what held at a time.
func ExampleClient_Facts() {
	ctx := context.Background()
	client, done := story()
	defer done()

	facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "alice", ValidAt: day(2023, 6, 1)})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range facts {
		fmt.Println(f.Source, f.Predicate, f.Target)
	}
	// Output:
	// Alice LIVES_IN Paris
}

// Fact returns a fact as it is believed now: it ended when Alice moved.
func ExampleClient_Fact() {
	ctx := context.Background()
	client, done := story()
	defer done()

	fact, err := client.Fact(ctx, "alice", home(client).ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fact.Fact, fact.Valid)
	// Output:
	// Alice lives in Paris. [2023-01-10, 2024-03-04)
}

// The most mentioned entities come first.
func ExampleClient_Entities() {
	ctx := context.Background()
	client, done := story()
	defer done()

	entities, err := client.Entities(ctx, annals.EntityFilter{GroupID: "alice", Limit: 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range entities {
		fmt.Println(e.Name, e.Labels)
	}
	// Output:
	// Alice [Person]
}

// An entity is found by its id, or by a name that only one entity has.
func ExampleClient_Entity() {
	ctx := context.Background()
	client, done := story()
	defer done()

	alice, err := client.Entity(ctx, "alice", "alice")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(alice.Name, alice.Labels)
	// Output:
	// Alice [Person]
}

// EntityAt returns what was known at a time: nothing before the first episode was read.
func ExampleClient_EntityAt() {
	ctx := context.Background()
	client, done := story()
	defer done()

	_, err := client.EntityAt(ctx, "alice", "Alice", day(2020, 1, 1))
	fmt.Println("known in 2020:", annals.CodeOf(err) != annals.CodeNotFound)

	lisbon, err := client.Entity(ctx, "alice", "Lisbon")
	if err != nil {
		log.Fatal(err)
	}
	then, err := client.EntityAt(ctx, "alice", "Lisbon", lisbon.CreatedAt)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(then.Name, "was known when it was first mentioned")
	// Output:
	// known in 2020: false
	// Lisbon was known when it was first mentioned
}

// EntityHistory lists all versions of an entity, the oldest first.
func ExampleClient_EntityHistory() {
	ctx := context.Background()
	client, done := story()
	defer done()

	alice, err := client.Entity(ctx, "alice", "Alice")
	if err != nil {
		log.Fatal(err)
	}
	if _, err := client.RenameEntity(ctx, "alice", alice.ID, "Alice Martin"); err != nil {
		log.Fatal(err)
	}
	versions, err := client.EntityHistory(ctx, "alice", alice.ID)
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range versions {
		fmt.Println(v.Name, "by hand:", len(v.CausedBy) == 0, "current:", v.Current)
	}
	// Output:
	// Alice by hand: false current: false
	// Alice by hand: false current: false
	// Alice Martin by hand: true current: true
}

// History lists all versions of a fact: at first it was believed to hold on, then to have ended.
func ExampleClient_History() {
	ctx := context.Background()
	client, done := story()
	defer done()

	versions, err := client.History(ctx, "alice", home(client).ID)
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range versions {
		fmt.Println(v.Fact.Fact, v.Valid, "current:", v.Current)
	}
	// Output:
	// Alice lives in Paris. [2023-01-10, …) current: false
	// Alice lives in Paris. [2023-01-10, 2024-03-04) current: true
}

// Timeline lists changes, with their times in words.
func ExampleClient_Timeline() {
	ctx := context.Background()
	client, done := story()
	defer done()

	changes, err := client.Timeline(ctx, annals.TimelineFilter{GroupID: "alice"})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range changes {
		fmt.Println(c.Event, c.At.Format("2006-01-02"), "·", c.When(), "·", c.Words)
	}
	// Output:
	// began 2023-01-10 · known since 10 January 2023 · Alice lives in Paris.
	// ended 2024-03-04 · until the week of 4 March 2024 · No longer: Alice lives in Paris.
	// began 2024-03-04 · since the week of 4 March 2024 · Alice moved to Lisbon in the week of 4 March 2024.
}

// Diff compares what was believed at two times.
func ExampleClient_Diff() {
	ctx := context.Background()
	client, done := story()
	defer done()

	before := last(client).CreatedAt // both episodes were stored, none was read
	diff, err := client.Diff(ctx, annals.DiffFilter{GroupID: "alice", From: before})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range diff.Facts {
		fmt.Println(c.Change+":", c.After.Told(), c.After.Valid)
	}
	// Output:
	// added: Alice lives in Paris. [2023-01-10, 2024-03-04)
	// added: Alice moved to Lisbon in the week of 4 March 2024. [2024-03-04, …)
}

// Communities are listed with their members, the largest first.
func ExampleClient_Communities() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	for _, pair := range [][2]string{{"Ana", "Ben"}, {"Ben", "Cleo"}, {"Cleo", "Ana"}} {
		_, err := client.AddTriple(ctx, annals.Triple{
			GroupID: "staff", Source: graph.TripleEnd{Name: pair[0]}, Predicate: "KNOWS", Target: graph.TripleEnd{Name: pair[1]},
		})
		if err != nil {
			log.Fatal(err)
		}
	}
	if _, err := client.BuildCommunities(ctx, "staff"); err != nil {
		log.Fatal(err)
	}
	communities, err := client.Communities(ctx, annals.CommunityFilter{GroupID: "staff"})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range communities {
		for _, member := range c.Members {
			fmt.Println(member.Name)
		}
	}
	// Output:
	// Ana
	// Ben
	// Cleo
}
