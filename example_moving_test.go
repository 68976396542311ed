package annals_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/model"
)

// Export writes a group as lines of JSON, with its history and a checksum.
func ExampleClient_Export() {
	ctx := context.Background()
	client, done := story()
	defer done()

	var file bytes.Buffer
	moved, err := client.Export(ctx, "alice", &file, annals.ExportOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(moved.Rows["episodes"], "episodes,", moved.Rows["facts"], "facts")
	// Output:
	// 2 episodes, 2 facts
}

// Import restores the memory under another name, or in another database.
func ExampleClient_Import() {
	ctx := context.Background()
	client, done := story()
	defer done()

	var file bytes.Buffer
	if _, err := client.Export(ctx, "alice", &file, annals.ExportOptions{}); err != nil {
		log.Fatal(err)
	}
	moved, err := client.Import(ctx, &file, annals.ImportOptions{GroupID: "alice-copy"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(moved.Rows["episodes"], "episodes,", moved.Rows["facts"], "facts")
	// Output:
	// 2 episodes, 2 facts
}

// Reembed makes all vectors with another embedder. Clients opened with it search by the new
// vectors.
func ExampleClient_Reembed() {
	ctx := context.Background()
	client, done := story()
	defer done()

	wider, err := model.NewHashEmbedder(512)
	if err != nil {
		log.Fatal(err)
	}
	made, err := client.Reembed(ctx, wider, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(made.Dimensions, "dimensions,", made.Made, "vectors")
	// Output:
	// 512 dimensions, 7 vectors
}

// Close a client that is no longer needed.
func ExampleClient_Close() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	bound, err := client.ForTenant(ctx, "alice")
	if err != nil {
		log.Fatal(err)
	}
	bound.Close() // does nothing: the connections are those of client
	_, err = client.Groups(ctx, annals.GroupFilter{})
	fmt.Println(err)
	// Output:
	// <nil>
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
