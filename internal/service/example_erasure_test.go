package service_test

import (
	"context"
	"fmt"
	"log"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
)

// Several episodes are stored in one transaction with the program's own rows.
func ExampleService_AddAllTx() {
	ctx := context.Background()
	client, done := story()
	defer done()

	err := client.InGroup(ctx, "alice", func(tx pgx.Tx) error {
		stored, err := service.New(client).AddAllTx(ctx, tx, []annals.Episode{
			{GroupID: "alice", Actor: "Alice", Content: "I like tea."}, {GroupID: "alice", Actor: "Alice", Content: "I like jazz."},
		})
		fmt.Println(len(stored), "stored")
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output: 2 stored
}

// Certificates of erasures are kept.
func ExampleService_Erasures() {
	ctx := context.Background()
	client, done := story()
	defer done()

	if _, err := client.Erase(ctx, annals.Erasure{GroupID: "alice", EpisodeIDs: []uuid.UUID{last(client).ID}}); err != nil {
		log.Fatal(err)
	}
	list, err := service.New(client).Erasures(ctx, "alice", 10)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(list), list[0].Certificate.Scope, list[0].Certificate.Episodes, list[0].Door)
	// Output: 1 episode 1 library
}

// A server answers before the vacuum, which FinishErasures does later for all erasures.
func ExampleService_FinishErasures() {
	ctx := context.Background()
	client, done := story()
	defer done()

	if _, err := client.Erase(ctx, annals.Erasure{GroupID: "alice", EpisodeIDs: []uuid.UUID{last(client).ID}, Later: true}); err != nil {
		log.Fatal(err)
	}
	n, err := service.New(client).FinishErasures(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n, "finished")
	// Output: 1 finished
}

// After a restore from an older backup, EraseAgain applies a certificate again: what it names is
// erased again.
func ExampleService_EraseAgain() {
	ctx := context.Background()
	client, done := story()
	defer done()

	certificate, err := client.Erase(ctx, annals.Erasure{GroupID: "alice", EpisodeIDs: []uuid.UUID{last(client).ID}})
	if err != nil {
		log.Fatal(err)
	}
	restored, drop := story() // a second database, as the older backup
	defer drop()
	certificate.EpisodeIDs = []uuid.UUID{last(restored).ID} // a backup has the same ids
	again, err := service.New(restored).EraseAgain(ctx, "alice", certificate)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(again), again[0].Scope, "with", last(restored).Content, "left")
	// Output: 1 episode with I live in Paris. left
}
