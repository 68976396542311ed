package annals_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// collected opens a memory with a batch of two messages that was not processed.
func collected() (client *annals.Client, batch annals.Batch, done func()) {
	client, done = people()
	ctx := context.Background()
	batch, err := client.CreateBatch(ctx, "acme", annals.Batch{IgnoredRoles: []string{"assistant"}})
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.AddToBatch(ctx, "acme", batch.ID, []annals.Episode{
		{GroupID: "acme:ana", Source: graph.SourceMessage, ThreadID: "hello", Role: "user", Actor: "Ana", Content: "I live in Porto.", OccurredAt: day(2024, 5, 1)},
		{GroupID: "acme:ben", Source: graph.SourceMessage, ThreadID: "support", Role: "assistant", Content: "How can I help?", OccurredAt: day(2024, 5, 2)},
	})
	if err != nil {
		log.Fatal(err)
	}
	return client, batch, done
}

// A batch collects episodes of several groups before they are added.
func ExampleClient_CreateBatch() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	batch, err := client.CreateBatch(ctx, "acme", annals.Batch{Metadata: json.RawMessage(`{"from": "archive"}`)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(batch.Items, "items, processed:", !batch.ProcessedAt.IsZero(), string(batch.Metadata))
	// Output:
	// 0 items, processed: false {"from": "archive"}
}

// Episodes have their ids from when they are collected.
func ExampleClient_AddToBatch() {
	ctx := context.Background()
	client, batch, done := collected()
	defer done()

	items, err := client.AddToBatch(ctx, "acme", batch.ID, []annals.Episode{
		{GroupID: "acme:ben", Source: graph.SourceMessage, ThreadID: "support", Role: "user", Actor: "Ben", Content: "My shoes have not come."},
	})
	if err != nil {
		log.Fatal(err)
	}
	episodes, err := client.Episodes(ctx, annals.EpisodeFilter{GroupID: "acme:ben"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("place", items[0].Place, "stored:", len(episodes))
	// Output:
	// place 2 stored: 0
}

// What a batch holds, and for whom.
func ExampleClient_Batch() {
	ctx := context.Background()
	client, batch, done := collected()
	defer done()

	batch, err := client.Batch(ctx, "acme", batch.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(batch.Items, "items for", batch.Groups)
	// Output:
	// 2 items for [acme:ana acme:ben]
}

// The batches of an application, the newest first.
func ExampleClient_Batches() {
	ctx := context.Background()
	client, first, done := collected()
	defer done()

	second, err := client.CreateBatch(ctx, "acme", annals.Batch{})
	if err != nil {
		log.Fatal(err)
	}
	batches, err := client.Batches(ctx, "acme", 0, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(batches[0].ID == second.ID, batches[1].ID == first.ID)
	// Output:
	// true true
}

// The items of a batch are added to their groups once, all or none.
func ExampleClient_ProcessBatch() {
	ctx := context.Background()
	client, batch, done := collected()
	defer done()

	groups, err := client.ProcessBatch(ctx, "acme", batch.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(groups)
	_, err = client.ProcessBatch(ctx, "acme", batch.ID)
	fmt.Println(err)
	// Output:
	// [acme:ana acme:ben]
	// batch: was processed already
}

// How far each item has come.
func ExampleClient_BatchItems() {
	ctx := context.Background()
	client, batch, done := collected()
	defer done()

	if _, err := client.ProcessBatch(ctx, "acme", batch.ID); err != nil {
		log.Fatal(err)
	}
	if err := client.Process(ctx, "acme:ana", nil); err != nil {
		log.Fatal(err)
	}
	items, err := client.BatchItems(ctx, "acme", batch.ID)
	if err != nil {
		log.Fatal(err)
	}
	for _, i := range items {
		fmt.Println(i.GroupID, i.ThreadID, i.State, "only stored:", i.Deferred)
	}
	// Output:
	// acme:ana hello done only stored: false
	// acme:ben support pending only stored: true
}

// A batch that nobody wants any more; what was added of one stays.
func ExampleClient_DeleteBatch() {
	ctx := context.Background()
	client, batch, done := collected()
	defer done()

	if err := client.DeleteBatch(ctx, "acme", batch.ID); err != nil {
		log.Fatal(err)
	}
	_, err := client.Batch(ctx, "acme", batch.ID)
	fmt.Println("gone:", annals.CodeOf(err) == annals.CodeNotFound)
	// Output:
	// gone: true
}

// How far what was stored has come.
func ExampleClient_Progress() {
	ctx := context.Background()
	client, done := story()
	defer done()

	id, err := client.Add(ctx, annals.Episode{GroupID: "alice", Actor: "Alice", Content: "I have a cat called Miso."})
	if err != nil {
		log.Fatal(err)
	}
	waiting, err := client.Progress(ctx, "alice", id.ID, id.ID)
	if err != nil {
		log.Fatal(err)
	}
	if err := client.Process(ctx, "alice", nil); err != nil {
		log.Fatal(err)
	}
	read, err := client.Progress(ctx, "alice", id.ID, id.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("ended:", waiting.Ended(), "then:", read.Ended(), read.Done == read.Episodes)
	// Output:
	// ended: false then: true true
}

// What an application notes about an episode; null takes a key away.
func ExampleClient_SetMetadata() {
	ctx := context.Background()
	client, done := story()
	defer done()

	for _, metadata := range []string{`{"channel": "web", "draft": true}`, `{"draft": null, "rating": 5}`} {
		if err := client.SetMetadata(ctx, "alice", last(client).ID, json.RawMessage(metadata)); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(string(last(client).Metadata), last(client).State == graph.StateDone)
	// Output:
	// {"rating": 5, "channel": "web"} true
}
