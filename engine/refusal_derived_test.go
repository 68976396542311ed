package engine_test

import (
	"strings"
	"testing"

	"github.com/annalsdb/annals/graph"
)

// TestWithdrawnIsNotTold: texts derived from a withdrawn fact are hidden at once, and the statement
// is marked. The same words of other people are not.
func TestWithdrawnIsNotTold(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.hear("g", []graph.Episode{
		{Actor: "Alice", Role: "user", Content: "I live in Paris.", ThreadID: "t", OccurredAt: date("2024-01-01")},
		{Actor: "Bob", Role: "user", Content: "I live in Paris.", ThreadID: "u", OccurredAt: date("2024-01-02")},
		{Actor: "Alice", Role: "user", Content: "I live in Paris. I work at Siemens.", ThreadID: "v", OccurredAt: date("2024-01-03")},
	})
	if _, err := m.engine.BuildCommunities(t.Context(), "g"); err != nil {
		t.Fatal(err)
	}
	for _, thread := range []string{"t", "u"} {
		if _, err := m.engine.SummariseThread(t.Context(), "g", thread); err != nil {
			t.Fatal(err)
		}
	}
	m.exec(`INSERT INTO annals.agents (group_id, id, name) VALUES ('g', gen_random_uuid(), 'Helper')`)
	m.exec(`INSERT INTO annals.blocks (group_id, id, label, char_limit, value) VALUES ('g', gen_random_uuid(), 'human', 2000, E'Likes tea.\nLives in Paris.\nDoes not live in Paris.')`)
	m.exec(`INSERT INTO annals.episodes (group_id, id, content, thread_id, deferred, content_hash) SELECT 'g', gen_random_uuid(), 'The user lives in Paris.', 'agent/' || id || '/archive', true, ''
		FROM annals.agents`)
	told := "SELECT name || summary FROM annals.communities_at('g')"
	if got := m.texts(told); len(got) == 0 || !strings.Contains(strings.Join(got, " "), "Paris") {
		t.Fatalf("communities %q should tell of Paris", got)
	}
	alice := m.factID("g", "Alice lives in Paris%")
	if err := m.engine.WithdrawFact(t.Context(), "g", alice); err != nil {
		t.Fatal(err)
	}
	if got := m.texts(told); len(got) > 0 {
		t.Errorf("communities are still served: %q", got)
	}
	if got := m.texts("SELECT group_id FROM annals.communities WHERE stale"); len(got) == 0 {
		t.Error("upkeep does not see what is to be made anew")
	}
	if got := m.one("SELECT value FROM annals.blocks"); got != "Likes tea.\nDoes not live in Paris." {
		t.Errorf("the block says %q", got)
	}
	got := m.texts(`SELECT coalesce(nullif(actor, ''), 'archive') || ' ' || left(thread_id, 1) || ' ' || taken_back FROM annals.episode_rows ORDER BY 1`)
	want := []string{"Alice t all", "Alice v part", "Bob u ", "archive a all"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("marked as taken back: %q, want %q", got, want)
	}
	if got := m.texts("SELECT summary FROM annals.threads WHERE id = 't' AND summary <> ''"); len(got) > 0 {
		t.Errorf("the summary of the thread still says %q", got)
	}
	if summary, err := m.engine.SummariseThread(t.Context(), "g", "t"); err != nil || strings.Contains(summary, "Paris") {
		t.Errorf("made anew, the summary of the thread says %q, %v", summary, err)
	}
	if summary, err := m.engine.SummariseThread(t.Context(), "g", "u"); err != nil || !strings.Contains(summary, "Paris") {
		t.Errorf("the summary of Bob's thread says %q, %v", summary, err)
	}
	if _, err := m.engine.BuildCommunities(t.Context(), "g"); err != nil {
		t.Fatal(err)
	}
	for _, text := range m.texts(told) {
		if strings.Contains(text, "Alice lives in Paris") {
			t.Errorf("a community made anew says %q", text)
		}
	}
	context := m.one(`SELECT annals.context('g', 'Where does Alice live?')`)
	if !strings.Contains(context, "- (2024-01-01; Paris: taken back) Alice: I live in Paris.") || strings.Contains(context, "Alice lives in Paris") {
		t.Errorf("the context says\n%s", context)
	}
}
