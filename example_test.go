package annals_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/pgtest"
)

// Alice's messages about where she lives become facts with dates. The older fact ends; it is not
// overwritten.
func Example() {
	ctx := context.Background()
	url, drop := pgtest.Example()
	defer drop()

	client, err := annals.Open(ctx, annals.Config{DatabaseURL: url})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	_, err = client.AddAll(ctx, []annals.Episode{
		{GroupID: "alice", Actor: "Alice", Content: "I live in Paris.", OccurredAt: time.Date(2023, 1, 10, 0, 0, 0, 0, time.UTC)},
		{GroupID: "alice", Actor: "Alice", Content: "I moved to Lisbon last week.", OccurredAt: time.Date(2024, 3, 15, 0, 0, 0, 0, time.UTC)},
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := client.Process(ctx, "alice", nil); err != nil {
		log.Fatal(err)
	}
	facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "alice"})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range facts {
		fmt.Println(f.Source, f.Predicate, f.Target, f.Valid)
	}
	// Output:
	// Alice LIVES_IN Paris [2023-01-10, 2024-03-04)
	// Alice LIVES_IN Lisbon [2024-03-04, …)
}

func ExampleClient_Context() {
	ctx := context.Background()
	url, drop := pgtest.Example()
	defer drop()

	client, err := annals.Open(ctx, annals.Config{DatabaseURL: url})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	_, err = client.Add(ctx, annals.Episode{
		GroupID: "alice", Actor: "Alice", Content: "I live in Paris.", OccurredAt: time.Date(2023, 1, 10, 0, 0, 0, 0, time.UTC),
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := client.Process(ctx, "alice", nil); err != nil {
		log.Fatal(err)
	}
	text, err := client.Context(ctx, annals.Query{GroupID: "alice", Text: "Where does Alice live?"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(text)
	// Output:
	// What is known; (…) first in a line says when it holds.
	// <FACTS>
	// - (known since 10 January 2023) Alice lives in Paris.
	// </FACTS>
}
