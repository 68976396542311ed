package annals_test

import (
	"context"
	"fmt"
	"log"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
)

func ExampleClient_PreviewUndo() {
	ctx := context.Background()
	client, done := story()
	defer done()

	preview, err := client.PreviewUndo(ctx, annals.Undoing{GroupID: "alice", EpisodeIDs: []uuid.UUID{last(client).ID}})
	if err != nil {
		log.Fatal(err)
	}
	for _, change := range preview.Facts {
		fmt.Println(change.Change, change.Before.Told())
	}
	fmt.Println(home(client).Valid) // unchanged
	// Output:
	// reopened Alice lives in Paris.
	// withdrawn Alice moved to Lisbon in the week of 4 March 2024.
	// [2023-01-10, 2024-03-04)
}

func ExampleClient_PreviewErase() {
	ctx := context.Background()
	client, done := story()
	defer done()

	paris, err := client.Entity(ctx, "alice", "Paris")
	if err != nil {
		log.Fatal(err)
	}
	preview, err := client.PreviewErase(ctx, annals.Erasure{GroupID: "alice", EntityID: paris.ID})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(preview.Undone.Episodes, preview.Facts[0].Change, preview.Facts[0].Before.Fact)
	for _, table := range preview.Removed {
		if table.Table == "episodes" || table.Table == "facts_history" {
			fmt.Println(table.Table, table.Rows)
		}
	}
	// Output:
	// 2 withdrawn Alice lives in Paris.
	// episodes 2
	// facts_history 3
}

func ExampleCountTokens() {
	size, err := annals.CountTokens("Alice lives in Paris.", "")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(size)
	// Output: 5
}
