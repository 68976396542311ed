package service_test

import (
	"context"
	"fmt"
	"log"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
)

// An episode that was stored and not processed yet waits.
func ExampleService_Health() {
	ctx := context.Background()
	client, done := story()
	defer done()

	if _, err := client.Add(ctx, annals.Episode{GroupID: "alice", Content: "Alice likes tea."}); err != nil {
		log.Fatal(err)
	}
	health, err := service.New(client).Health(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(health.Waiting, "waits,", health.Failed, "failed,", len(health.InvalidIndexes), "indexes are broken")
	// Output:
	// 1 waits, 0 failed, 0 indexes are broken
}

// Where nothing is broken there is nothing to mend.
func ExampleService_Mend() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	mended, err := service.New(client).Mend(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(mended), "things were mended")
	// Output:
	// 0 things were mended
}

// Vectors that are missing are made; here none is.
func ExampleService_Embed() {
	ctx := context.Background()
	client, done := story()
	defer done()

	made, err := service.New(client).Embed(ctx, "alice", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(made, "vectors made")
	// Output:
	// 0 vectors made
}

// Whether a group lacks vectors.
func ExampleService_Vectors() {
	ctx := context.Background()
	client, done := story()
	defer done()

	vectors, err := service.New(client).Vectors(ctx, "alice")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(vectors.Missing.Total(), "vectors are missing")
	// Output:
	// 0 vectors are missing
}

// What the database runs on.
func ExampleService_Server() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	server, err := service.New(client).Server(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("known:", server.Version != "" && server.PgvectorVersion != "", "dimensions:", server.EmbeddingDimension)
	// Output:
	// known: true dimensions: 384
}

func ExampleService_Progress() {
	ctx := context.Background()
	client, done := story()
	defer done()
	progress, err := service.New(client).Progress(ctx, "alice", last(client).ID, last(client).ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(progress.Done, progress.Ended())
	// Output: 1 true
}

// What waits for a worker, of all groups.
func ExampleService_Queue() {
	ctx := context.Background()
	client, done := story()
	defer done()

	if _, err := client.Add(ctx, annals.Episode{GroupID: "bob", Content: "I like tea."}); err != nil {
		log.Fatal(err)
	}
	queue, err := service.New(client).Queue(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(queue.Episodes, "episode of", queue.Groups, "group")
	// Output:
	// 1 episode of 1 group
}
