package annals_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/worker"
)

// A program changes its own rows and the memory in one transaction.
func ExampleClient_InGroup() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	err := client.InGroup(ctx, "alice", func(tx pgx.Tx) error {
		_, err := client.AddTx(ctx, tx, annals.Episode{GroupID: "alice", Actor: "Alice", Content: "I live in Paris."})
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	counts, err := client.EpisodeCounts(ctx, "alice")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("waiting:", counts["pending"])
	// Output:
	// waiting: 1
}

func ExampleClient_InSnapshot() {
	ctx := context.Background()
	client, done := story()
	defer done()

	err := client.InSnapshot(ctx, "alice", func(tx pgx.Tx) error {
		var facts int
		err := tx.QueryRow(ctx, "SELECT count(*) FROM annals.facts WHERE group_id = 'alice'").Scan(&facts)
		fmt.Println("facts:", facts)
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// facts: 2
}

// Of two concurrent calls with the same name, one does the work.
func ExampleClient_RunExclusively() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	first, err := client.RunExclusively(ctx, "alice", "newsletter", func(func() error) error {
		second, err := client.RunExclusively(ctx, "alice", "newsletter", func(func() error) error { return nil })
		fmt.Println("second:", second)
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("first:", first)
	// Output:
	// second: false
	// first: true
}

func ExampleClient_LLMs() {
	client, done := empty()
	defer done()

	main, small := client.LLMs()
	fmt.Println(main == nil, small == nil) // none was configured
	// Output:
	// true true
}

// Workers read waiting episodes until they are stopped.
func Example_workers() {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	client, done := empty()
	defer done()
	defer stop()

	working := make(chan error)
	go func() { working <- worker.Run(ctx, client, worker.Options{}) }()
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
