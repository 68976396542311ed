package annals_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/annalsdb/annals"
)

// profiled opens a memory that keeps a profile of Alice.
func profiled() (*annals.Client, annals.StandingAnswer, func()) {
	client, done := story()
	kept, err := client.KeepAnswer(context.Background(), annals.Question{
		Query:  annals.Query{GroupID: "alice", Text: "Who is Alice?"},
		Schema: json.RawMessage(`{"type": "object", "properties": {"lives_in": {"type": "string"}}}`),
	})
	if err != nil {
		log.Fatal(err)
	}
	return client, kept, done
}

// A profile is a standing question with a schema for its answer.
func ExampleClient_KeepAnswer() {
	ctx := context.Background()
	client, kept, done := profiled()
	defer done()

	fmt.Printf("%s\n", kept.Answer.Data)
	moved := annals.Episode{GroupID: "alice", Actor: "Alice", Content: "I live in Porto now.", OccurredAt: day(2024, 6, 1)}
	if _, err := client.Add(ctx, moved); err != nil {
		log.Fatal(err)
	}
	if err := client.Process(ctx, "alice", nil); err != nil { // a worker does the same
		log.Fatal(err)
	}
	list, err := client.StandingAnswers(ctx, annals.StandingFilter{GroupID: "alice"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", list[0].Answer.Data)
	// Output:
	// {"lives_in":"Lisbon"}
	// {"lives_in":"Porto"}
}

// Answers for another time are read without calling a model.
func ExampleClient_StandingAnswers() {
	client, _, done := profiled()
	defer done()

	list, err := client.StandingAnswers(context.Background(), annals.StandingFilter{GroupID: "alice", ValidAt: day(2023, 6, 1)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s %s\n", list[0].Question, list[0].Answer.Data)
	// Output:
	// Who is Alice? {"lives_in":"Paris"}
}

// A dropped question is no longer answered.
func ExampleClient_DropAnswer() {
	ctx := context.Background()
	client, kept, done := profiled()
	defer done()

	if err := client.DropAnswer(ctx, "alice", kept.ID); err != nil {
		log.Fatal(err)
	}
	list, err := client.StandingAnswers(ctx, annals.StandingFilter{GroupID: "alice"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(list), "left")
	// Output:
	// 0 left
}
