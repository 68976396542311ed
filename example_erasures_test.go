package annals_test

import (
	"context"
	"fmt"
	"log"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
)

// Several episodes are stored together with what a program writes itself.
func ExampleClient_AddAllTx() {
	ctx := context.Background()
	client, done := story()
	defer done()

	err := client.InGroup(ctx, "alice", func(tx pgx.Tx) error {
		stored, err := client.AddAllTx(ctx, tx, []annals.Episode{
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

// The certificates of what was erased are kept.
func ExampleClient_Erasures() {
	ctx := context.Background()
	client, done := story()
	defer done()

	if _, err := client.Erase(ctx, annals.Erasure{GroupID: "alice", EpisodeIDs: []uuid.UUID{last(client).ID}}); err != nil {
		log.Fatal(err)
	}
	list, err := client.Erasures(ctx, "alice", 10)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(list), list[0].Certificate.Scope, list[0].Certificate.Episodes, list[0].Door)
	// Output: 1 episode 1 library
}

// A server answers before the vacuum, which is done later for all.
func ExampleClient_FinishErasures() {
	ctx := context.Background()
	client, done := story()
	defer done()

	if _, err := client.Erase(ctx, annals.Erasure{GroupID: "alice", EpisodeIDs: []uuid.UUID{last(client).ID}, Later: true}); err != nil {
		log.Fatal(err)
	}
	n, err := client.FinishErasures(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n, "finished")
	// Output: 1 finished
}
