package service_test

import (
	"context"
	"fmt"
	"log"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
)

// A stored episode waits until it is processed.
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

// If nothing is broken, Mend does nothing.
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

// Embed makes missing vectors; here none are missing.
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

// Vectors counts the vectors that a group lacks.
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

// Server describes the database server.
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

// Queue counts what waits for workers, in all groups.
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
