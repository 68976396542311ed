package retrieval_test

import (
	"fmt"
	"time"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/temporal"
)

func ExampleConstruct() {
	day := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }
	result := retrieval.Result{
		Facts: []retrieval.FactHit{
			{Fact: graph.Fact{Fact: "Alice lives in Lisbon.", Valid: temporal.From(day(2024, 3, 8))}},
			{Fact: graph.Fact{Fact: "Alice lives in Paris.", Valid: temporal.Interval{Start: day(2023, 1, 10), End: day(2024, 3, 8)}}},
		},
		Entities: []retrieval.EntityHit{{Entity: graph.Entity{Name: "Alice", Summary: "Alice lives in Lisbon."}}},
		Episodes: []retrieval.EpisodeHit{{Episode: graph.Episode{
			Actor: "Alice", Content: "I moved to\nLisbon last week.", OccurredAt: time.Date(2024, 3, 15, 9, 30, 0, 0, time.UTC),
		}}},
	}
	fmt.Println(retrieval.Construct(result))
	// Output:
	// FACTS, ENTITIES and EPISODES below are relevant to the current conversation.
	// Each fact is followed by the dates between which it holds; "present" means that it still does.
	//
	// <FACTS>
	// - Alice lives in Lisbon. (date range: 2024-03-08 – present)
	// - Alice lives in Paris. (date range: 2023-01-10 – 2024-03-08)
	// </FACTS>
	//
	// <ENTITIES>
	// - Alice: Alice lives in Lisbon.
	// </ENTITIES>
	//
	// <EPISODES>
	// - Alice: I moved to Lisbon last week. (2024-03-15 09:30)
	// </EPISODES>
}
