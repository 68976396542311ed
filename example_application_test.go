package annals_test

import (
	"context"
	"fmt"
	"log"

	"github.com/annalsdb/annals"
)

func ExampleClient_UpdateGroup() {
	ctx := context.Background()
	client, done := story()
	defer done()
	name := "Alice's memory"
	group, err := client.UpdateGroup(ctx, "alice", annals.GroupChange{Name: &name})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(group.ID, group.Name)
	// Output: alice Alice's memory
}

func ExampleClient_CreateThread() {
	ctx := context.Background()
	client, done := story()
	defer done()
	thread, err := client.CreateThread(ctx, annals.NewThread{GroupID: "alice", ID: "chat-2"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(thread.ID, thread.Messages)
	// Output: chat-2 0
}

func ExampleClient_DeleteThread() {
	ctx := context.Background()
	client, done := story()
	defer done()
	undone, err := client.DeleteThread(ctx, "alice", "chat", false)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(undone.Episodes, undone.FactsRemoved)
	// Output: 2 2
}

func ExampleClient_Clone() {
	ctx := context.Background()
	client, done := story()
	defer done()
	if err := client.Clone(ctx, "alice", "alice-2"); err != nil {
		log.Fatal(err)
	}
	facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "alice-2"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(facts[0].Fact, facts[0].ID == home(client).ID)
	// Output: Alice lives in Paris. false
}
