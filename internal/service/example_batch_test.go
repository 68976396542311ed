package service_test

import (
	"context"
	"fmt"
	"log"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// collected is an application with a batch of one message.
func collected() (client *annals.Client, batch service.Batch, done func()) {
	client, done = application()
	ctx := context.Background()
	batch, err := service.New(client).CreateBatch(ctx, "acme", service.Batch{})
	if err == nil {
		_, err = service.New(client).AddToBatch(ctx, "acme", batch.ID, []annals.Episode{{
			GroupID: "acme:alice", Source: graph.SourceMessage, Actor: "Alice", ThreadID: "chat", Content: "I live in Paris.",
		}})
	}
	if err != nil {
		log.Fatal(err)
	}
	return client, batch, done
}

func ExampleService_CreateBatch() {
	ctx := context.Background()
	client, done := application()
	defer done()
	batch, err := service.New(client).CreateBatch(ctx, "acme", service.Batch{Metadata: []byte(`{"from": "a file"}`)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(batch.Items, string(batch.Metadata))
	// Output: 0 {"from": "a file"}
}

func ExampleService_AddToBatch() {
	ctx := context.Background()
	client, batch, done := collected()
	defer done()
	items, err := service.New(client).AddToBatch(ctx, "acme", batch.ID, []annals.Episode{{GroupID: "acme:docs", Source: graph.SourceText, Content: "Bob lives in Rome."}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(items[0].GroupID, items[0].Place)
	// Output: acme:docs 1
}

func ExampleService_Batch() {
	ctx := context.Background()
	client, batch, done := collected()
	defer done()
	again, err := service.New(client).Batch(ctx, "acme", batch.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(again.Items, again.Groups)
	// Output: 1 [acme:alice]
}

func ExampleService_Batches() {
	ctx := context.Background()
	client, batch, done := collected()
	defer done()
	batches, err := service.New(client).Batches(ctx, "acme", service.BatchDraft, 0, 10)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(batches), batches[0].ID == batch.ID)
	// Output: 1 true
}

func ExampleService_BatchItems() {
	ctx := context.Background()
	client, batch, done := collected()
	defer done()
	items, err := service.New(client).BatchItems(ctx, "acme", batch.ID, service.BatchItemList{Limit: 10})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(items[0].GroupID, items[0].State == "")
	// Output: acme:alice true
}

func ExampleService_ProcessBatch() {
	ctx := context.Background()
	client, batch, done := collected()
	defer done()
	groups, err := service.New(client).ProcessBatch(ctx, "acme", batch.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(groups)
	// Output: [acme:alice]
}

func ExampleService_DeleteBatch() {
	ctx := context.Background()
	client, batch, done := collected()
	defer done()
	err := service.New(client).DeleteBatch(ctx, "acme", batch.ID)
	fmt.Println(err)
	// Output: <nil>
}

func ExampleService_BatchEpisodes() {
	ctx := context.Background()
	client, batch, done := collected()
	defer done()
	items, episodes, err := service.New(client).BatchEpisodes(ctx, "acme", batch.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(items), episodes[items[0].Place].Content)
	// Output: 1 I live in Paris.
}

func ExampleService_EndBatch() {
	ctx := context.Background()
	client, batch, done := collected()
	defer done()
	err := service.New(client).EndBatch(ctx, "acme", batch.ID, func(items []service.BatchItem, episodes map[int]annals.Episode) (annals.Episode, error) {
		together := episodes[items[0].Place]
		together.Content += " It is fine here."
		return together, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	stored, err := client.Episode(ctx, "acme:alice", batch.ID)
	if err != nil {
		log.Fatal(err)
	}
	_, err = service.New(client).Batch(ctx, "acme", batch.ID)
	fmt.Println(stored.Content, annals.CodeOf(err))
	// Output: I live in Paris. It is fine here. not_found
}
