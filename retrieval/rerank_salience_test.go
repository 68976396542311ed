package retrieval_test

import (
	"slices"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
)

// An entity with many old mentions ranks behind one with recent ones.
func TestRerankBySalience(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{})
	at := time.Date(2024, 6, 1, 0, 0, 0, 0, time.UTC)
	say := func(content string, daysAgo int) annals.Episode {
		return annals.Episode{GroupID: "g", Actor: "Alice", Content: content, OccurredAt: at.AddDate(0, 0, -daysAgo)}
	}
	if _, err := client.AddAll(t.Context(), []annals.Episode{
		say("I work at Acme.", 200), say("I like Acme.", 190), say("I visited Acme.", 180), say("I visited Globex.", 2), say("I like Globex.", 1),
	}); err != nil {
		t.Fatal(err)
	}
	if err := client.Process(t.Context(), "g", nil); err != nil {
		t.Fatal(err)
	}
	for recency, want := range map[time.Duration]string{0: "Globex", 100_000 * time.Hour: "Acme"} {
		found, err := client.Search(t.Context(), annals.Query{
			GroupID: "g", Text: "Acme Globex", Scopes: []graph.Kind{graph.KindEntity}, Rerank: []annals.Rerank{annals.RerankSalience}, AskedAt: at, Recency: recency,
		})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range found.Entities {
			if e.Name != "Alice" {
				names = append(names, e.Name)
			}
		}
		if len(names) != 2 || names[0] != want {
			t.Errorf("with a half-life of %v: %q, want %s first", recency, names, want)
		}
		if !slices.IsSortedFunc(found.Entities, func(a, b annals.EntityHit) int {
			return int(max(-1, min(1, (b.Score-a.Score)*1e9)))
		}) {
			t.Errorf("not in the order of their scores: %+v", found.Entities)
		}
	}
}
