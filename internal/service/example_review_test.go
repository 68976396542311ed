package service_test

import (
	"context"
	"fmt"
	"log"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
)

// printReviewed prints the facts under review, with who said them.
func printReviewed(list []service.Reviewed, err error) []service.Reviewed {
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range list {
		by := r.Said[0].Actor
		if by == "" {
			by = string(r.Said[0].Authority)
		}
		fmt.Println(r.Kind, r.Fact.Fact, by)
	}
	return list
}

// Review lists facts that wait for a decision, with their messages.
func ExampleService_Review() {
	client, done := doubting()
	defer done()

	printReviewed(service.New(client).Review(context.Background(), service.ReviewFilter{GroupID: "alice"}))
	// Output:
	// candidate Alice likes opera. Helper
	// candidate Alice likes chess. document
}

// An approved fact is believed. A rejected fact stays rejected, even if it is said again.
func ExampleService_Decide() {
	ctx := context.Background()
	client, done := doubting()
	defer done()
	s := service.New(client)

	waiting, err := s.Review(ctx, service.ReviewFilter{GroupID: "alice"})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := s.Decide(ctx, service.ReviewDecision{GroupID: "alice", Do: "approve", FactIDs: []uuid.UUID{waiting[0].Fact.ID}}); err != nil {
		log.Fatal(err)
	}
	if _, err := s.Decide(ctx, service.ReviewDecision{GroupID: "alice", Do: "reject", All: true, Filter: service.ReviewFilter{Kind: "candidate"}}); err != nil {
		log.Fatal(err)
	}
	show(client, "all")
	// Output: Alice likes opera. believed
}

// imported opens a memory into which a file was imported by mistake.
func imported() (client *annals.Client, done func()) {
	client, done = empty()
	ctx := context.Background()
	if _, err := client.AddAll(ctx, []annals.Episode{
		{GroupID: "alice", Actor: "Alice", Content: "I like opera."},
		{GroupID: "alice", Actor: "Alice", Content: "I like chess.", SourceDescription: "mails.jsonl"},
	}); err != nil {
		log.Fatal(err)
	}
	if err := client.Process(ctx, "alice", nil); err != nil {
		log.Fatal(err)
	}
	return client, done
}

// Added shows what a file added, as a difference to the memory before it.
func ExampleService_Added() {
	client, done := imported()
	defer done()

	printReviewed(service.New(client).Added(context.Background(), service.ReviewFilter{
		GroupID: "alice", Brought: service.Brought{Source: "mails.jsonl"},
	}))
	// Output: added Alice likes chess. Alice
}

// TakeBack removes what a file added. A dry run reports first what that would do.
func ExampleService_TakeBack() {
	ctx := context.Background()
	client, done := imported()
	defer done()

	for _, dry := range []bool{true, false} {
		p, err := service.New(client).TakeBack(ctx, service.TakingBack{
			GroupID: "alice", Brought: service.Brought{Source: "mails.jsonl"}, DryRun: dry,
		})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(p.Undone.Episodes, p.Undone.FactsRemoved)
		show(client, "")
	}
	// Output:
	// 1 1
	// Alice likes opera. believed
	// Alice likes chess. believed
	// 1 1
	// Alice likes opera. believed
}

// Bringers lists the origins of facts, with how many facts each brought.
func ExampleService_Bringers() {
	client, done := doubting()
	defer done()

	bringers, err := service.New(client).Bringers(context.Background(), "alice", 10)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(bringers[0].By, bringers[0].Episodes)
	// Output: day 2
}
