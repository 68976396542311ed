package service_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// A fact marked as wrong is still believed; Mark returns what to do next. A fact can have several
// marks.
func ExampleService_Mark() {
	ctx := context.Background()
	client, done := story()
	defer done()

	s := service.New(client)
	ids := []uuid.UUID{home(client).ID}
	marked, err := s.Mark(ctx, "alice", service.MarkChange{IDs: ids, Mark: graph.MarkWrong})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(marked[0].Kind, marked[0].Offer)
	if _, err := s.Mark(ctx, "alice", service.MarkChange{IDs: ids, Mark: graph.MarkPinned}); err != nil {
		log.Fatal(err)
	}
	fact, err := client.Fact(ctx, "alice", ids[0])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fact.Fact, fact.Marks.Pinned, fact.Marks.Wrong)
	// Output:
	// fact withdraw
	// Alice lives in Paris. true 1
}

// Marks lists who set and who ended each mark.
func ExampleService_Marks() {
	ctx := context.Background()
	client, done := story()
	defer done()

	s := service.New(client)
	ids := []uuid.UUID{home(client).ID}
	for _, change := range []service.MarkChange{
		{IDs: ids, Mark: graph.MarkExpires, ExpiresAt: time.Date(2999, 1, 1, 0, 0, 0, 0, time.UTC)},
		{IDs: ids, Mark: graph.MarkKeeps},
		{IDs: ids, Mark: graph.MarkUseful},
	} {
		if _, err := s.Mark(ctx, "alice", change); err != nil {
			log.Fatal(err)
		}
	}
	marks, err := s.Marks(ctx, service.MarkFilter{GroupID: "alice"})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range marks {
		fmt.Println(m.Mark, m.Door, m.Until.IsZero())
	}
	// Output:
	// useful library true
	// expires library false
}
