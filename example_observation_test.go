package annals_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/annalsdb/annals"
)

// observing opens a memory in which Alice says three times that she likes opera, and makes its
// observations.
func observing() (*annals.Client, func()) {
	ctx := context.Background()
	client, done := story()
	for day, text := range []string{"I like opera.", "I like opera!", "I like opera, and I like tea."} {
		at := time.Date(2024, time.May, 1+day, 0, 0, 0, 0, time.UTC)
		if _, err := client.Add(ctx, annals.Episode{GroupID: "alice", Actor: "Alice", Content: text, OccurredAt: at}); err != nil {
			log.Fatal(err)
		}
	}
	if err := client.Process(ctx, "alice", nil); err != nil {
		log.Fatal(err)
	}
	if err := client.Observe(ctx, "alice"); err != nil {
		log.Fatal(err)
	}
	return client, done
}

// Repeated statements become an observation, with the facts it rests on.
func ExampleClient_Observe() {
	client, done := observing()
	defer done()

	if err := client.Observe(context.Background(), "alice"); err != nil { // adds nothing
		log.Fatal(err)
	}
	fmt.Println(observations(client)[0].Told())
	// Output:
	// Alice likes opera. (3 times, last on 3 May 2024)
}

// Observations with the most proof come first.
func ExampleClient_Observations() {
	client, done := observing()
	defer done()

	for _, o := range observations(client) {
		fmt.Println(o.Predicate, o.Proof, o.Reader, len(o.Facts) > 0, len(o.Episodes))
	}
	// Output:
	// LIKES 3 offline true 3
}

func observations(client *annals.Client) []annals.Observation {
	list, err := client.Observations(context.Background(), annals.ObservationFilter{GroupID: "alice"})
	if err != nil {
		log.Fatal(err)
	}
	return list
}

// An observation ends with the facts it rests on; its history stays.
func ExampleClient_ObservationHistory() {
	ctx := context.Background()
	client, done := observing()
	defer done()

	was := observations(client)[0]
	for _, episode := range was.Episodes[1:] {
		if _, err := client.Undo(ctx, "alice", episode); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(len(observations(client)), "left")
	versions, err := client.ObservationHistory(ctx, "alice", was.ID)
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range versions {
		fmt.Println(v.Proof, v.Recorded.End.IsZero())
	}
	// Output:
	// 0 left
	// 3 false
	// 2 false
}
