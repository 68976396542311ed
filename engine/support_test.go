package engine_test

import (
	"testing"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// TestCorrectedFactOutlivesItsEpisode: a corrected fact counts as stated by a person. It stays when
// SQL deletes the episode that it was read in, and 'annals verify' finds no fault. Facts that
// nobody corrected go.
func TestCorrectedFactOutlivesItsEpisode(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.hear("g", []graph.Episode{
		{Actor: "Alice", Role: "user", Content: "I live in Paris. I like tea.", OccurredAt: date("2024-01-01")},
		{Actor: "Bob", Role: "user", Content: "I live in Oslo.", OccurredAt: date("2024-01-02")},
	})
	words := "Alice lives in the north of Paris."
	if _, err := m.engine.EditFact(t.Context(), "g", m.factID("g", "%Paris%"), graph.FactEdit{Fact: &words}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.pool.Exec(t.Context(), "DELETE FROM annals.episodes WHERE actor = 'Alice'"); err != nil {
		t.Fatal(err)
	}
	m.wantFacts("g", words, "Bob lives in Oslo.")
	q := db.New(m.pool)
	for name, ask := range map[string]func() ([]string, error){
		"facts":    func() ([]string, error) { return q.VerifyFactSources(t.Context(), nil) },
		"entities": func() ([]string, error) { return q.VerifyEntitySources(t.Context(), nil) },
		"links":    func() ([]string, error) { return q.VerifyLinks(t.Context(), nil) },
	} {
		if found, err := ask(); err != nil || len(found) > 0 {
			t.Errorf("verify finds %v of %s: %v", found, name, err)
		}
	}
}

// TestUndoTakesTheEntitiesOfACorrectedFact: correcting a fact changes the summaries of its ends.
// That alone keeps neither them nor the fact when their only episode is undone.
func TestUndoTakesTheEntitiesOfACorrectedFact(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	ids := m.hear("g", []graph.Episode{{Actor: "Alice", Role: "user", Content: "I live in Paris.", OccurredAt: date("2024-01-01")}})
	words := "Alice lives in the north of Paris."
	if _, err := m.engine.EditFact(t.Context(), "g", m.factID("g", "%Paris%"), graph.FactEdit{Fact: &words}); err != nil {
		t.Fatal(err)
	}
	m.undo("g", ids...)
	m.wantFacts("g")
	if left := m.texts("SELECT name FROM annals.entities WHERE group_id = 'g'"); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
}
