package annals_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
)

// Those that are known already are added to.
func ExampleClient_AddEntities() {
	ctx := context.Background()
	client, done := story()
	defer done()

	ids, err := client.AddEntities(ctx, "alice", []annals.Entity{
		{Name: "Lisbon", Labels: []string{"City"}}, {Name: "Miso", Labels: []string{"Cat"}, Summary: "Alice's cat."},
	})
	if err != nil {
		log.Fatal(err)
	}
	lisbon, err := client.Entity(ctx, "alice", "Lisbon")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(ids), "ids, the first is Lisbon's:", ids[0] == lisbon.ID)
	// Output:
	// 2 ids, the first is Lisbon's: true
}

// What is nil stays as it is; the old name becomes an alias.
func ExampleClient_EditEntity() {
	ctx := context.Background()
	client, done := story()
	defer done()

	alice, err := client.Entity(ctx, "alice", "Alice")
	if err != nil {
		log.Fatal(err)
	}
	name := "Alice Martin"
	alice, err = client.EditEntity(ctx, "alice", alice.ID, annals.EntityEdit{Name: &name, Attributes: json.RawMessage(`{"vip": true}`)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(alice.Name, alice.Aliases, alice.Labels, string(alice.Attributes))
	// Output:
	// Alice Martin [Alice] [Person] {"vip":true}
}

// With an entity go its facts; the history keeps them.
func ExampleClient_DeleteEntity() {
	ctx := context.Background()
	client, done := story()
	defer done()

	paris, err := client.Entity(ctx, "alice", "Paris")
	if err != nil {
		log.Fatal(err)
	}
	if err := client.DeleteEntity(ctx, "alice", paris.ID); err != nil {
		log.Fatal(err)
	}
	fmt.Println(home(client).Fact)
	// Output:
	// Alice moved to Lisbon last week.
}

// A fact is believed no more, and it can still be seen that it was.
func ExampleClient_DeleteFact() {
	ctx := context.Background()
	client, done := story()
	defer done()

	paris := home(client).ID
	if err := client.DeleteFact(ctx, "alice", paris); err != nil {
		log.Fatal(err)
	}
	versions, err := client.History(ctx, "alice", paris)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(home(client).Fact)
	fmt.Println(versions[0].Fact.Fact, "current:", versions[len(versions)-1].Current)
	// Output:
	// Alice moved to Lisbon last week.
	// Alice lives in Paris. current: false
}

// The entities with the most facts come first.
func ExampleClient_ListEntities() {
	ctx := context.Background()
	client, done := story()
	defer done()

	entities, err := client.ListEntities(ctx, annals.List{GroupID: "alice", OrderBy: "degree", Limit: 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range entities {
		fmt.Println(e.Name, "has", e.Facts, "facts")
	}
	// Output:
	// Alice has 2 facts
}

// Of what is known about an entity, what began last comes first.
func ExampleClient_ListFacts() {
	ctx := context.Background()
	client, done := story()
	defer done()

	alice, err := client.Entity(ctx, "alice", "Alice")
	if err != nil {
		log.Fatal(err)
	}
	facts, err := client.ListFacts(ctx, annals.List{GroupID: "alice", EntityID: alice.ID, OrderBy: "valid_at"})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range facts {
		fmt.Println(f.Fact)
	}
	// Output:
	// Alice moved to Lisbon last week.
	// Alice lives in Paris.
}

// What was said about an entity.
func ExampleClient_ListEpisodes() {
	ctx := context.Background()
	client, done := story()
	defer done()

	paris, err := client.Entity(ctx, "alice", "Paris")
	if err != nil {
		log.Fatal(err)
	}
	episodes, err := client.ListEpisodes(ctx, annals.List{GroupID: "alice", Mentions: []uuid.UUID{paris.ID}})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range episodes {
		fmt.Println(e.Content)
	}
	// Output:
	// I live in Paris.
}

// In the order in which they were asked for.
func ExampleClient_FactsByID() {
	ctx := context.Background()
	client, done := story()
	defer done()

	facts, err := client.FactsByID(ctx, "alice", []uuid.UUID{uuid.New(), home(client).ID})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range facts {
		fmt.Println(f.Fact)
	}
	// Output:
	// Alice lives in Paris.
}

// Both ends of a fact.
func ExampleClient_EntitiesByID() {
	ctx := context.Background()
	client, done := story()
	defer done()

	fact := home(client)
	entities, err := client.EntitiesByID(ctx, "alice", []uuid.UUID{fact.TargetID, fact.SourceID})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range entities {
		fmt.Println(e.Name)
	}
	// Output:
	// Paris
	// Alice
}

// Of whom an episode speaks.
func ExampleClient_Mentioned() {
	ctx := context.Background()
	client, done := story()
	defer done()

	entities, err := client.Mentioned(ctx, "alice", last(client).ID)
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range entities {
		fmt.Println(e.Name)
	}
	// Output:
	// Alice
	// Lisbon
}
