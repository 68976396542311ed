package engine_test

import (
	"testing"

	"github.com/annalsdb/annals/graph"
)

// TestWhatWasTakenBackIsReadmitted: a user who repeats a fact that he took back is believed, and
// that episode lifts the rejection. Without the episode the rejection holds again. An assistant's
// statement lifts nothing.
func TestWhatWasTakenBackIsReadmitted(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	says := func(role, day, text string) graph.Episode {
		return graph.Episode{Actor: "Alice", Role: role, ThreadID: "chat", Content: text, OccurredAt: date(day)}
	}
	standing := func() string {
		return m.one("SELECT count(*) FILTER (WHERE lifted_at IS NULL) || ' stand, ' || count(*) FILTER (WHERE lifted_at IS NOT NULL) || ' lifted' FROM annals.rejections")
	}
	m.hear("g", []graph.Episode{says("user", "2024-01-01", "I live in Rome.")})
	m.hear("g", []graph.Episode{says("user", "2024-02-01", "That was wrong, I never lived in Rome.")})
	m.wantFacts("g")
	if got := standing(); got != "1 stand, 0 lifted" {
		t.Fatalf("after it was taken back %s", got)
	}
	m.hear("g", []graph.Episode{says("assistant", "2024-02-15", "Alice lives in Rome.")})
	if got := standing(); got != "1 stand, 0 lifted" {
		t.Errorf("after an assistant said it %s", got)
	}
	again := m.hear("g", []graph.Episode{says("user", "2024-03-01", "I live in Rome after all.")})
	m.wantFacts("g", "Alice lives in Rome after all.")
	if got := standing(); got != "0 stand, 1 lifted" {
		t.Errorf("after it was said again %s", got)
	}
	if by := m.one("SELECT coalesce(max(lifted_by), '') FROM annals.rejections"); by != "episode "+again[0].String() {
		t.Errorf("it was lifted by %q", by)
	}
	if said := m.one("SELECT taken_back FROM annals.episode_rows WHERE content = 'I live in Rome.'"); said != "" {
		t.Errorf("the first message is still marked as taken back: %q", said)
	}
	m.undo("g", again...)
	m.wantFacts("g")
	if got := standing(); got != "1 stand, 0 lifted" {
		t.Errorf("after that was undone %s", got)
	}
}
