package offline_test

import (
	"testing"
	"time"

	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/prompts"
)

var chat = []string{
	"Hey Bob! I moved to Lisbon last week and I already love the food here.",
	"I work as a nurse at Mercy Hospital, but I'm thinking about a change.",
	"Thanks, Alice! That sounds wonderful, what did you do on Friday?",
	"My sister Anna adopted a dog called Pixel two weeks ago. She is so happy!",
	"I no longer work at Acme. My favourite colour is still blue, by the way.",
}

func BenchmarkExtract(b *testing.B) {
	a := offline.New()
	at := time.Date(2024, 3, 15, 10, 0, 0, 0, time.UTC)
	for i := 0; b.Loop(); i++ {
		e := prompts.Episode{Source: "message", Speaker: "Alice", Content: chat[i%len(chat)], OccurredAt: at}
		found, err := a.ExtractEntities(b.Context(), prompts.ExtractEntities{Episode: e})
		if err != nil {
			b.Fatal(err)
		}
		q := prompts.ExtractFacts{Episode: e}
		for i, n := range found.Entities {
			q.Entities = append(q.Entities, prompts.NamedEntity{ID: i + 1, Name: n.Name, Label: n.Label})
		}
		if _, err := a.ExtractFacts(b.Context(), q); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "messages/s")
}
