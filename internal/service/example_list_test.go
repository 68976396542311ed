package service_test

import (
	"context"
	"fmt"
	"log"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
)

func ExampleService_ThreadMessages() {
	ctx := context.Background()
	client, done := story()
	defer done()
	messages, err := service.New(client).ThreadMessages(ctx, "alice", "chat", 0, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(messages[0].Content)
	// Output: I live in Paris.
}

func ExampleService_ListEntities() {
	ctx := context.Background()
	client, done := story()
	defer done()
	entities, err := service.New(client).ListEntities(ctx, service.List{GroupID: "alice", OrderBy: "degree"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(entities[0].Name, entities[0].Facts)
	// Output: Alice 2
}

func ExampleService_ListFacts() {
	ctx := context.Background()
	client, done := story()
	defer done()
	facts, err := service.New(client).ListFacts(ctx, service.List{GroupID: "alice", OrderBy: "valid_at", Ascending: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(facts[0].Fact)
	// Output: Alice lives in Paris.
}

func ExampleService_ListStatements() {
	ctx := context.Background()
	client, done := story()
	defer done()
	statements, err := service.New(client).ListStatements(ctx, service.List{GroupID: "alice", IDs: []uuid.UUID{home(client).ID}})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range statements {
		fmt.Println(len(s.Facts), s.Facts[0].Fact)
	}
	// Output: 1 Alice lives in Paris.
}

func ExampleService_ListEpisodes() {
	ctx := context.Background()
	client, done := story()
	defer done()
	episodes, err := service.New(client).ListEpisodes(ctx, service.List{GroupID: "alice", Mentions: []uuid.UUID{home(client).TargetID}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(episodes), episodes[0].Content)
	// Output: 1 I live in Paris.
}

func ExampleService_EpisodesMentioning() {
	ctx := context.Background()
	client, done := story()
	defer done()
	paris := home(client).TargetID
	episodes, err := service.New(client).EpisodesMentioning(ctx, "alice", []uuid.UUID{paris}, 10)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(episodes[paris]))
	// Output: 1
}

func ExampleService_FactsByID() {
	ctx := context.Background()
	client, done := story()
	defer done()
	facts, err := service.New(client).FactsByID(ctx, "alice", []uuid.UUID{home(client).ID})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(facts[0].Fact)
	// Output: Alice lives in Paris.
}

func ExampleService_EpisodesByID() {
	ctx := context.Background()
	client, done := story()
	defer done()
	latest, err := client.Episodes(ctx, annals.EpisodeFilter{GroupID: "alice", Limit: 1})
	if err != nil {
		log.Fatal(err)
	}
	episodes, err := service.New(client).EpisodesByID(ctx, "alice", []uuid.UUID{latest[0].ID})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(episodes), episodes[0].Content == latest[0].Content)
	// Output: 1 true
}

func ExampleService_EditEach() {
	ctx := context.Background()
	client, done := story()
	defer done()
	words := "Alice has a flat in Paris."
	facts, err := service.New(client).EditEach(ctx, "alice", []service.FactChange{{ID: home(client).ID, Edit: annals.FactEdit{Fact: &words}}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(facts[0].Fact)
	// Output: Alice has a flat in Paris.
}

func ExampleService_WithdrawFacts() {
	ctx := context.Background()
	client, done := story()
	defer done()
	paris := []uuid.UUID{home(client).ID}
	if err := service.New(client).WithdrawFacts(ctx, "alice", paris); err != nil {
		log.Fatal(err)
	}
	statements, err := service.New(client).ListStatements(ctx, service.List{GroupID: "alice", IDs: paris})
	fmt.Println(len(statements), err)
	// Output: 0 <nil>
}

func ExampleService_EntitiesByID() {
	ctx := context.Background()
	client, done := story()
	defer done()
	entities, err := service.New(client).EntitiesByID(ctx, "alice", []uuid.UUID{home(client).TargetID})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(entities[0].Name)
	// Output: Paris
}

func ExampleService_EntitiesMentioned() {
	ctx := context.Background()
	client, done := story()
	defer done()
	entities, err := service.New(client).EntitiesMentioned(ctx, "alice", last(client).ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(entities))
	// Output: 2
}

func ExampleService_ThreadMessageCount() {
	client, done := story()
	defer done()
	n, err := service.New(client).ThreadMessageCount(context.Background(), "alice", "chat")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n > 1)
	// Output: true
}

// A document is a thread of its parts.
func ExampleService_DocumentParts() {
	client, done := story()
	defer done()
	parts, err := service.New(client).DocumentParts(context.Background(), "alice", "chat", 0, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(parts[0].Content)
	// Output: I live in Paris.
}
