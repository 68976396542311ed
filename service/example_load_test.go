package service_test

import (
	"context"
	"fmt"
	"io"
	"log"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/service"
)

// Load keeps what came before a line that is refused, and says which it is.
func ExampleLoad() {
	ctx := context.Background()
	client, done := empty()
	defer done()
	said := []string{"I live in Paris.", "I work at Acme.", "", "I like tea."}
	line := 0
	err := service.Load(ctx, client, func() (service.Line, error) {
		if line == len(said) {
			return service.Line{}, io.EOF
		}
		line++
		return service.Line{Number: line, Episode: annals.Episode{GroupID: "alice", Content: said[line-1]}}, nil
	}, func(episodes []annals.Episode, _ []annals.Stored) { fmt.Println(len(episodes), "stored") })
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
