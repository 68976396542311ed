package offline_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/prompts"
)

func ExampleAnalyst_ExtractFacts() {
	ctx := context.Background()
	analyst := offline.New()
	episode := prompts.Episode{
		Source: "message", Speaker: "Alice", Content: "Hey Bob! I moved from Paris to Lisbon last week.",
		OccurredAt: time.Date(2024, 3, 15, 10, 0, 0, 0, time.UTC),
	}
	found, err := analyst.ExtractEntities(ctx, prompts.ExtractEntities{Episode: episode})
	if err != nil {
		log.Fatal(err)
	}
	question := prompts.ExtractFacts{Episode: episode}
	for i, e := range found.Entities {
		question.Entities = append(question.Entities, prompts.NamedEntity{ID: i + 1, Name: e.Name, Label: e.Label})
		fmt.Println(i+1, e.Name, e.Label)
	}
	answer, err := analyst.ExtractFacts(ctx, question)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range answer.Facts {
		fmt.Println(f.Source, f.Predicate, f.Target, f.Kind, f.Valid.Interval)
	}
	fmt.Println(answer.Facts[0].Fact)
	// Output:
	// 1 Alice Person
	// 2 Paris Place
	// 3 Lisbon Place
	// 4 Bob Person
	// 1 NO_LONGER_LIVES_IN 2 event [2024-03-04, 2024-03-11)
	// 1 LIVES_IN 3 state [2024-03-04, …)
	// Alice moved from Paris to Lisbon last week.
}
