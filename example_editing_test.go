package annals_test

import (
	"context"
	"fmt"
	"log"

	"github.com/annalsdb/annals"
)

func ExampleClient_AddEntities() {
	ctx := context.Background()
	client, done := story()
	defer done()
	ids, err := client.AddEntities(ctx, "alice", []annals.Entity{{Name: "Apollo", Labels: []string{"Project"}}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(ids))
	// Output: 1
}

func ExampleClient_EditEntity() {
	ctx := context.Background()
	client, done := story()
	defer done()
	summary := "Lives by the sea."
	entity, err := client.EditEntity(ctx, "alice", home(client).SourceID, annals.EntityEdit{Summary: &summary})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(entity.Name+":", entity.Summary)
	// Output: Alice: Lives by the sea.
}

func ExampleClient_DeleteEntity() {
	ctx := context.Background()
	client, done := story()
	defer done()
	err := client.DeleteEntity(ctx, "alice", home(client).TargetID)
	fmt.Println(err)
	// Output: <nil>
}

func ExampleClient_SetMetadata() {
	ctx := context.Background()
	client, done := story()
	defer done()
	if err := client.SetMetadata(ctx, "alice", last(client).ID, []byte(`{"mood": "calm"}`)); err != nil {
		log.Fatal(err)
	}
	episode, err := client.Episode(ctx, "alice", last(client).ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(episode.Metadata))
	// Output: {"mood": "calm"}
}

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

func ExampleClient_UndoThread() {
	ctx := context.Background()
	client, done := story()
	defer done()
	undone, err := client.UndoThread(ctx, "alice", "chat", false)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(undone.Episodes, undone.FactsRemoved)
	// Output: 2 2
}
