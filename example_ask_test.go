package annals_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/annalsdb/annals"
)

// Without a model the answer consists of the facts that answer the question, each with the message
// it rests on.
func ExampleClient_Ask() {
	ctx := context.Background()
	client, done := story()
	defer done()

	answer, err := client.Ask(ctx, annals.Question{
		Query:  annals.Query{GroupID: "alice", Text: "Where does Alice live?"},
		Schema: json.RawMessage(`{"type": "object", "properties": {"lives_in": {"type": "string"}}}`),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Form, "of", answer.By)
	for _, s := range answer.Sentences {
		fmt.Println(s.Cites[0].Kind, s.Text)
	}
	fmt.Printf("%s\n", answer.Data)
	nothing, err := client.Ask(ctx, annals.Question{Query: annals.Query{GroupID: "alice", Text: "Who painted the Louvre?"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(nothing.Text)
	// Output:
	// answer of offline
	// fact Alice moved to Lisbon in the week of 4 March 2024. (since the week of 4 March 2024)
	// {"lives_in":"Lisbon"}
	// Not known.
}
