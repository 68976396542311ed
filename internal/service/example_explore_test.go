package service_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
)

func ExampleService_Picture() {
	ctx := context.Background()
	client, done := story()
	defer done()
	picture, err := service.New(client).Picture(ctx, service.PictureQuery{GroupID: "alice"})
	if err != nil {
		log.Fatal(err)
	}
	facts := picture.Facts // every version of each fact, in columns
	for i := range facts.ID {
		believed := "is believed"
		if facts.KnownUntil[i] != nil {
			believed = "was believed"
		}
		fmt.Println(facts.Told[i], facts.UntilBasis[i], believed)
	}
	// Output:
	// Alice lives in Paris. unknown was believed
	// Alice lives in Paris. inferred is believed
	// Alice moved to Lisbon in the week of 4 March 2024. unknown is believed
}

func ExampleService_Lanes() {
	ctx := context.Background()
	client, done := story()
	defer done()
	found, err := service.New(client).Lanes(ctx, service.LaneQuery{GroupID: "alice", Entities: []string{"Alice"}})
	if err != nil {
		log.Fatal(err)
	}
	home := found.Lanes[0]
	fmt.Println(home.Entity, home.Name)
	for _, bar := range home.At(time.Time{}) { // the bars that exist now
		fmt.Println(bar.Label, bar.When)
	}
	// Output:
	// Alice home
	// Paris known from 10 January 2023 until the week of 4 March 2024
	// Lisbon since the week of 4 March 2024
}

func ExampleService_Times() {
	ctx := context.Background()
	client, done := story()
	defer done()
	times, err := service.New(client).Times(ctx, "alice", 0)
	if err != nil {
		log.Fatal(err)
	}
	for _, mark := range times.Valid.Marks {
		fmt.Println(mark.At.Format("2006-01-02"), mark.Facts)
	}
	fmt.Println(len(times.Known.Marks))
	// Output:
	// 2023-01-10 1
	// 2024-03-04 2
	// 2
}

func ExampleService_Overview() {
	ctx := context.Background()
	client, done := story()
	defer done()
	o, err := service.New(client).Overview(ctx, "alice")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(o.Episodes, o.Entities, o.Facts, o.FactsEnded, o.Speakers[0].Actor)
	// Output: 2 3 2 1 Alice
}

func ExampleService_Waiting() {
	ctx := context.Background()
	client, done := story()
	defer done()
	if _, err := client.Add(ctx, annals.Episode{GroupID: "alice", Actor: "Alice", Content: "I like it here."}); err != nil {
		log.Fatal(err)
	}
	waiting, err := service.New(client).Waiting(ctx, "alice")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(waiting.Pending, waiting.Failed)
	// Output: 1 0
}

func ExampleService_WaitingByGroup() {
	ctx := context.Background()
	client, done := empty()
	defer done()
	if _, err := client.Add(ctx, annals.Episode{GroupID: "alice", Content: "I live in Paris."}); err != nil {
		log.Fatal(err)
	}
	groups, err := service.New(client).WaitingByGroup(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(groups[0].GroupID, groups[0].Pending)
	// Output: alice 1
}

func ExampleService_FactTrace() {
	ctx := context.Background()
	client, done := story()
	defer done()
	trace, err := service.New(client).FactTrace(ctx, "alice", home(client).ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(trace.Versions), trace.Authority, trace.BoundedBy.Told)
	for _, e := range trace.Episodes {
		fmt.Println(e.Role, e.Sentence)
	}
	// Output:
	// 2 user Alice moved to Lisbon in the week of 4 March 2024.
	// states I live in Paris.
	// ends I moved to Lisbon last week.
}

func ExampleService_EntityTrace() {
	ctx := context.Background()
	client, done := story()
	defer done()
	entity, err := client.Entity(ctx, "alice", "Alice")
	if err != nil {
		log.Fatal(err)
	}
	trace, err := service.New(client).EntityTrace(ctx, "alice", entity.ID)
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range trace.Decisions {
		fmt.Println(d.Step, d.Decision)
	}
	// Output:
	// resolve entities created
	// resolve entities matched
}

func ExampleService_Learned() {
	ctx := context.Background()
	client, done := story()
	defer done()
	learned, err := service.New(client).Learned(ctx, "alice", []uuid.UUID{last(client).ID})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range learned[0].Facts {
		fmt.Println(f.Role, f.Told)
	}
	// Output:
	// ends Alice lives in Paris.
	// states Alice moved to Lisbon in the week of 4 March 2024.
}

func ExampleService_Why() {
	ctx := context.Background()
	client, done := story()
	defer done()
	expected, err := service.New(client).Why(ctx, annals.Query{GroupID: "alice", Text: "Where does Alice live?"}, []uuid.UUID{home(client).ID})
	if err != nil {
		log.Fatal(err)
	}
	for _, reason := range expected[0].Reasons {
		fmt.Println(reason.Code + ": " + reason.Text)
	}
	// Output:
	// ended: It has ended (known from 10 January 2023 until the week of 4 March 2024), and the search leaves that out; include_ended, or as_of with a time at which it held, finds it.
}
