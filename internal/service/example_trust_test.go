package service_test

import (
	"context"
	"fmt"
	"log"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// doubting opens a memory that withholds what assistants and documents say. An assistant said that
// Alice likes opera, a document that she likes chess.
func doubting() (client *annals.Client, done func()) {
	client, done = empty()
	ctx := context.Background()
	if _, err := client.CreateGroup(ctx, annals.Group{ID: "alice"}); err != nil {
		log.Fatal(err)
	}
	if err := service.New(client).SetTrustPolicy(ctx, "alice", service.TrustPolicy{Assistants: true, Documents: true}); err != nil {
		log.Fatal(err)
	}
	if _, err := client.AddAll(ctx, []annals.Episode{
		{GroupID: "alice", Actor: "Helper", Role: "assistant", Content: "Alice likes opera."},
		{GroupID: "alice", Source: graph.SourceText, Content: "Alice likes chess."},
	}); err != nil {
		log.Fatal(err)
	}
	if err := client.Process(ctx, "alice", nil); err != nil {
		log.Fatal(err)
	}
	return client, done
}

// show prints the facts of a trust.
func show(client *annals.Client, trust graph.Trust) []annals.Fact {
	facts, err := client.Facts(context.Background(), annals.FactFilter{GroupID: "alice", Trust: trust})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range facts {
		fmt.Println(f.Fact, f.Trust)
	}
	return facts
}

// With a trust policy, what assistants and documents say waits until a person confirms it.
func ExampleService_SetTrustPolicy() {
	client, done := doubting()
	defer done()

	fmt.Println("Believed:")
	show(client, "")
	fmt.Println("Waiting:")
	show(client, graph.TrustCandidate)
	// Output:
	// Believed:
	// Waiting:
	// Alice likes opera. candidate
	// Alice likes chess. candidate
}

func ExampleService_TrustPolicy() {
	client, done := doubting()
	defer done()

	policy, err := service.New(client).TrustPolicy(context.Background(), "alice")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(policy.Assistants, policy.Documents, policy.Doors)
	// Output: true true []
}

// A fact that a person confirms is believed from then on.
func ExampleService_Confirm() {
	ctx := context.Background()
	client, done := doubting()
	defer done()

	waiting := show(client, graph.TrustCandidate)
	if _, err := service.New(client).Confirm(ctx, "alice", []uuid.UUID{waiting[0].ID}, true); err != nil {
		log.Fatal(err)
	}
	fmt.Println("Believed:")
	show(client, "")
	// Output:
	// Alice likes opera. candidate
	// Alice likes chess. candidate
	// Believed:
	// Alice likes opera. believed
}

// A confirmation can be taken back.
func ExampleService_Confirm_takenBack() {
	ctx := context.Background()
	client, done := doubting()
	defer done()

	ids := []uuid.UUID{show(client, graph.TrustCandidate)[0].ID}
	if _, err := service.New(client).Confirm(ctx, "alice", ids, true); err != nil {
		log.Fatal(err)
	}
	facts, err := service.New(client).Confirm(ctx, "alice", ids, false)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(facts[0].Trust)
	// Output:
	// Alice likes opera. candidate
	// Alice likes chess. candidate
	// candidate
}

// A fact from a document is believed once it is released.
func ExampleService_Release() {
	client, done := doubting()
	defer done()

	n, err := service.New(client).Release(context.Background(), "alice", service.Release{All: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n, "released")
	show(client, "")
	// Output:
	// 1 released
	// Alice likes chess. believed
}
