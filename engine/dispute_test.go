package engine_test

import (
	"strings"
	"testing"

	"github.com/annalsdb/annals/graph"
)

// TestUndoEndsDisputes: a fact is no longer disputed once the stronger statement against it is
// undone and only one of equal authority is left.
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

// TestSummariesLeaveOutDisputes: an assistant's statement against its user is in no summary,
// whoever spoke first.
func TestSummariesLeaveOutDisputes(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	user := graph.Episode{Actor: "Alice", Role: "user", Content: "I live in Rome.", OccurredAt: date("2024-01-01")}
	helper := graph.Episode{Actor: "Helper", Role: "assistant", Content: "Alice lives in Oslo.", OccurredAt: date("2024-02-01")}
	m.hear("after", []graph.Episode{user})
	m.hear("after", []graph.Episode{helper})
	m.hear("before", []graph.Episode{helper})
	m.hear("before", []graph.Episode{user})
	for _, group := range []string{"after", "before"} {
		if n := m.one("SELECT count(*)::text FROM annals.disputes WHERE group_id = $1", group); n != "1" {
			t.Errorf("%s: %s facts are disputed, want one", group, n)
		}
		if told := m.one("SELECT string_agg(summary, ' ') FROM annals.entities WHERE group_id = $1", group); strings.Contains(told, "Oslo") || !strings.Contains(told, "Rome") {
			t.Errorf("%s: the summaries say %q", group, told)
		}
	}
}
