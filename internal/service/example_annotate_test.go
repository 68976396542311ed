package service_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
)

// Annotate adds to listed rows what has changed since, as a search does.
func ExampleService_Annotate() {
	ctx := context.Background()
	client, done := story()
	defer done()
	episodes, err := client.Episodes(ctx, annals.EpisodeFilter{GroupID: "alice"})
	if err != nil {
		log.Fatal(err)
	}
	found, err := service.New(client).Annotate(ctx, annals.Query{GroupID: "alice"}, service.Rows{Episodes: episodes})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range found.Episodes {
		fmt.Printf("%s %q\n", hit.Content, hit.Note(time.Now()))
	}
	// Output:
	// I moved to Lisbon last week. ""
	// I live in Paris. "until the week of 4 March 2024, now Lisbon"
}
