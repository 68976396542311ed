package engine_test

import (
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// An agent's step that still summarises a withdrawn fact stores an empty summary. A summary without
// the fact is stored.
func TestAStepWritesNothingBackThatWasWithdrawn(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.hear("g", []graph.Episode{{Actor: "Alice", Role: "user", Content: "I live in Paris.", OccurredAt: date("2024-01-01")}})
	m.exec(`INSERT INTO annals.agents (group_id, id, name) VALUES ('g', gen_random_uuid(), 'Helper')`)
	if err := m.engine.WithdrawFact(t.Context(), "g", m.factID("g", "Alice lives in Paris%")); err != nil {
		t.Fatal(err)
	}
	id := uuid.MustParse(m.one("SELECT id::text FROM annals.agents"))
	for step, tt := range []struct{ summary, want string }{
		{"Alice likes tea.", "Alice likes tea."},
		{"Alice likes tea. Alice lives in Paris.", ""},
	} {
		rows, err := db.New(m.pool).AgentStep(t.Context(), db.AgentStepParams{GroupID: "g", AgentID: id, Kind: "answer", QueueStart: 1, Summary: tt.summary, ExpectedSteps: int64(step)})
		if err != nil || rows != 1 {
			t.Fatalf("step %d: %d rows, %v", step, rows, err)
		}
		if got := m.one("SELECT summary FROM annals.agents"); got != tt.want {
			t.Errorf("the summary is %q, want %q", got, tt.want)
		}
	}
}
