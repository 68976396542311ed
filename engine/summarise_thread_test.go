package engine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
)

// slowTeller summarises a thread by quoting every message, and calls meanwhile first.
type slowTeller struct {
	*offline.Analyst
	meanwhile func()
}

func (s *slowTeller) SummariseThread(_ context.Context, q prompts.SummariseThread) (prompts.ThreadSummary, error) {
	if do := s.meanwhile; do != nil {
		s.meanwhile = nil
		do()
	}
	told := q.Summary
	for _, m := range q.Messages {
		told += " " + m.Content
	}
	return prompts.ThreadSummary{Summary: told}, nil
}

// TestSummaryDoesNotBringBackWhatWentMeanwhile: a summary is made again if text was taken out of
// the group while it was being made.
func TestSummaryDoesNotBringBackWhatWentMeanwhile(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		before bool // the thread was summarised before, with the sentence
		remove func(*memory, uuid.UUID)
	}{
		"withdrawn while it is first told":     {false, func(m *memory, _ uuid.UUID) { m.withdraw("g", "%Paris%") }},
		"withdrawn while it is told on":        {true, func(m *memory, _ uuid.UUID) { m.withdraw("g", "%Paris%") }},
		"undone while it is first told":        {false, func(m *memory, id uuid.UUID) { m.undo("g", id) }},
		"undone while it is told on":           {true, func(m *memory, id uuid.UUID) { m.undo("g", id) }},
		"summarised by another one, withdrawn": {true, func(m *memory, _ uuid.UUID) { m.withdraw("g", "%Paris%"); m.summarise() }},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMemory(t)
			teller := &slowTeller{Analyst: offline.New()}
			m.engine = engine.New(m.pool, teller, hashEmbedder(t), engine.Options{})
			ids := m.hear("g", []graph.Episode{
				{Actor: "Alice", Role: "user", ThreadID: "chat", Content: "I live in Paris.", OccurredAt: date("2024-01-01")},
				{Actor: "Alice", Role: "user", ThreadID: "chat", Content: "I like tea.", OccurredAt: date("2024-01-02")},
			})
			if tt.before {
				if told := m.summarise(); !strings.Contains(told, "Paris") {
					t.Fatalf("the summary is %q", told)
				}
				m.hear("g", []graph.Episode{{Actor: "Alice", Role: "user", ThreadID: "chat", Content: "I like rain.", OccurredAt: date("2024-01-03")}})
			}
			teller.meanwhile = func() { tt.remove(m, ids[0]) }
			told := m.summarise()
			stored := m.one("SELECT summary FROM annals.threads WHERE id = 'chat'")
			if strings.Contains(stored, "Paris") || !strings.Contains(stored, "tea") || told != stored {
				t.Errorf("the summary is %q, and was answered as %q", stored, told)
			}
		})
	}
}

func (m *memory) summarise() string {
	m.t.Helper()
	told, err := m.engine.SummariseThread(m.t.Context(), "g", "chat")
	if err != nil {
		m.t.Fatal(err)
	}
	return told
}
