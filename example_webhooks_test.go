package annals_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/annalsdb/annals"
)

// What waits for a worker, of all groups.
func ExampleClient_Queue() {
	ctx := context.Background()
	client, done := story()
	defer done()

	if _, err := client.Add(ctx, annals.Episode{GroupID: "bob", Content: "I like tea."}); err != nil {
		log.Fatal(err)
	}
	queue, err := client.Queue(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(queue.Episodes, "episode of", queue.Groups, "group")
	// Output:
	// 1 episode of 1 group
}

// A worker reads what waits until it is told to stop.
func ExampleClient_Work() {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	client, done := empty()
	defer done()
	defer stop()

	working := make(chan error)
	go func() { working <- client.Work(ctx, annals.WorkOptions{}) }()
	if _, err := client.Add(ctx, annals.Episode{GroupID: "bob", Actor: "Bob", Content: "I live in Rome."}); err != nil {
		log.Fatal(err)
	}
	for {
		facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "bob"})
		if err != nil {
			log.Fatal(err)
		}
		if len(facts) > 0 {
			fmt.Println(facts[0].Fact)
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	stop()
	<-working
	// Output:
	// Bob lives in Rome.
}
