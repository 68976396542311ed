package engine_test

import (
	"testing"

	"github.com/annalsdb/annals/graph"
)

// TestUndoEndsDisputes: where the stronger word is undone and only one as weak
// says the same, what stood against it is disputed no more.
func TestUndoEndsDisputes(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	says := func(role, day, text string) graph.Episode {
		return graph.Episode{Actor: "Helper", Role: role, Content: text, OccurredAt: date(day)}
	}
	strong := m.hear("g", []graph.Episode{says("user", "2024-01-01", "Alice lives in Rome.")})
	m.hear("g", []graph.Episode{says("assistant", "2024-01-02", "Alice lives in Rome.")})
	m.hear("g", []graph.Episode{says("assistant", "2024-02-01", "Alice lives in Oslo.")})
	const disputed = "SELECT count(*)::text FROM annals.disputes"
	if got := m.one(disputed); got != "1" {
		t.Fatalf("%s disputes, want one", got)
	}
	m.undo("g", strong...)
	if got := m.one(disputed); got != "0" {
		t.Errorf("%s disputes after the user's word was undone", got)
	}
}
