package service_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// Load keeps the episodes before a line that is refused, and names the line.
func ExampleLoad() {
	ctx := context.Background()
	client, done := empty()
	defer done()
	lines := graph.NewEpisodeLines("alice", strings.NewReader(`{"content": "I live in Paris."}
{"content": "I work at Acme."}
{"content": ""}
{"content": "I like tea."}`))
	_, _, err := service.Load(ctx, client, lines.Next, func(episodes []annals.Episode, _ []annals.Stored) {
		fmt.Println(len(episodes), "stored")
	})
	fmt.Println(err)
	kept, err := client.Episodes(ctx, annals.EpisodeFilter{GroupID: "alice"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(kept), "in the memory")
	// Output:
	// 2 stored
	// line 3: content: is empty
	// 2 in the memory
}
