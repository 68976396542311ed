package main

import (
	"testing"
	"time"

	"github.com/annalsdb/annals/graph"
)

func TestSaidIDTellsMessagesApart(t *testing.T) {
	t.Parallel()
	said := graph.Episode{Content: "Yes.", Actor: "Ines", OccurredAt: time.Date(2024, time.May, 1, 9, 0, 0, 0, time.UTC)}
	same := said
	same.Source, same.OccurredAt = graph.SourceMessage, said.OccurredAt.In(time.FixedZone("CEST", 7200))
	if saidID(said, 1) != saidID(same, 1) || saidID(said, 1) == "" {
		t.Error("the same message has another id")
	}
	for name, change := range map[string]func(*graph.Episode){
		"content": func(e *graph.Episode) { e.Content = "No." },
		"actor":   func(e *graph.Episode) { e.Actor = "Rui" },
		"thread":  func(e *graph.Episode) { e.ThreadID = "t" },
		"time":    func(e *graph.Episode) { e.OccurredAt = e.OccurredAt.Add(time.Second) },
		"note":    func(e *graph.Episode) { e.Metadata = []byte(`{"row":2}`) },
	} {
		other := said
		if change(&other); saidID(other, 1) == saidID(said, 1) {
			t.Errorf("another %s has the same id", name)
		}
	}
	if saidID(said, 2) == saidID(said, 1) {
		t.Error("what was said twice at once has one id")
	}
	said.OccurredAt = time.Time{}
	if saidID(said, 1) != "" {
		t.Error("what is said now has an id")
	}
}
