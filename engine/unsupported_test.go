package engine_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/erase"
	"github.com/annalsdb/annals/engine/undo"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/slow"
)

// An entity whose last fact was taken away by hand goes with the last episode that mentions it,
// whichever way each is removed: the name may be the thing to forget. 'annals verify' reports an
// entity left behind.
func TestEntitiesGoWithWhatSupportsThem(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	m := newMemory(t)
	each := func(do func(group string, fact uuid.UUID) error) func(string) {
		return func(group string) {
			for _, id := range m.texts("SELECT id::text FROM annals.facts WHERE group_id = '" + group + "' ORDER BY id") {
				if err := do(group, uuid.MustParse(id)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	withdraw := func(group string, fact uuid.UUID) error { return m.engine.WithdrawFact(t.Context(), group, fact) }
	first := map[string]func(group string){
		"withdrawn": each(withdraw),
		"restored": each(func(group string, fact uuid.UUID) error {
			if err := withdraw(group, fact); err != nil {
				return err
			}
			_, err := m.engine.RestoreFact(t.Context(), group, fact)
			return err
		}),
		"deleted": func(group string) { m.exec("DELETE FROM annals.facts WHERE group_id = $1", group) },
	}
	then := map[string]func(group string, episodes []uuid.UUID) error{
		"undone": func(group string, episodes []uuid.UUID) error {
			_, err := m.engine.Undo(t.Context(), undo.Undoing{GroupID: group, EpisodeIDs: episodes})
			return err
		},
		"erased": func(group string, episodes []uuid.UUID) error {
			_, err := m.engine.Erase(t.Context(), erase.Erasure{GroupID: group, EpisodeIDs: episodes})
			return err
		},
		"thread": func(group string, _ []uuid.UUID) error {
			_, err := m.engine.UndoThread(t.Context(), group, "visit", false)
			return err
		},
		"sql": func(group string, episodes []uuid.UUID) error {
			m.exec("DELETE FROM annals.episodes WHERE group_id = $1 AND id = ANY($2)", group, episodes)
			return nil
		},
	}
	for facts, take := range first {
		for episodes, remove := range then {
			group := facts + "-" + episodes
			ids := m.hear(group, []graph.Episode{
				{Actor: "Alice", Role: "user", ThreadID: "visit", Content: "My doctor is Dr. Weber.", OccurredAt: date("2024-01-01")},
				{Actor: "Alice", Role: "user", ThreadID: "visit", Content: "I was diagnosed with HIV. I live in Paris.", OccurredAt: date("2024-01-02")},
			})
			take(group)
			if err := remove(group, ids); err != nil {
				t.Fatalf("%s: %v", group, err)
			}
			if left := m.texts("SELECT name FROM annals.entities WHERE group_id = '" + group + "'"); len(left) > 0 {
				t.Errorf("%s: %q are left", group, left)
			}
		}
	}
	m.supported()
}

// An entity that no episode mentions depends on its facts: it goes with the last of them, and
// returns with it. An entity made by hand stays.
func TestEntitiesOfFactsAlone(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.hear("g", []graph.Episode{{Actor: "Alice", Role: "user", Content: "My doctor is Dr. Weber.", OccurredAt: date("2024-01-01")}})
	words := "Dr. Weber is the doctor of Alice."
	fact := m.factID("g", "%Weber%")
	if _, err := m.engine.EditFact(t.Context(), "g", fact, graph.FactEdit{Fact: &words}); err != nil {
		t.Fatal(err)
	}
	m.exec("DELETE FROM annals.episodes WHERE group_id = 'g'") // a person's correction stays
	m.wantFacts("g", words)
	if _, err := m.engine.AddEntities(t.Context(), "g", []graph.Entity{{Name: "Alice", Summary: "She was told of by hand."}}); err != nil {
		t.Fatal(err)
	}
	if err := m.engine.WithdrawFact(t.Context(), "g", fact); err != nil {
		t.Fatal(err)
	}
	const names = "SELECT name FROM annals.entities WHERE group_id = 'g' ORDER BY name"
	if left := m.texts(names); !slices.Equal(left, []string{"Alice"}) {
		t.Errorf("%q are left", left)
	}
	m.supported()
	if _, err := m.engine.RestoreFact(t.Context(), "g", fact); err != nil {
		t.Fatal(err)
	}
	m.wantFacts("g", words)
	if back := m.texts(names); !slices.Equal(back, []string{"Alice", "Dr. Weber"}) {
		t.Errorf("%q are back", back)
	}
	if vectors := m.one("SELECT count(*)::text FROM annals_internal.entity_embeddings WHERE group_id = 'g'"); vectors != "2" {
		t.Errorf("%s of them have vectors, want 2", vectors)
	}
}

// Restoring a fact does not bring back entities that went since with their episode.
func TestRestoringBringsNobodyBack(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	ids := m.hear("g", []graph.Episode{{Actor: "Alice", Role: "user", Content: "My doctor is Dr. Weber.", OccurredAt: date("2024-01-01")}})
	fact := m.withdraw("g", "%Weber%")
	m.undo("g", ids...)
	if back, err := m.engine.RestoreFact(t.Context(), "g", fact); err != nil || back.ID != uuid.Nil {
		t.Errorf("restored is %+v (%v)", back, err)
	}
	if left := m.texts("SELECT name FROM annals.entities WHERE group_id = 'g'"); len(left) > 0 {
		t.Errorf("%q are back", left)
	}
}

// supported fails where 'annals verify' finds an entity that nothing supports.
func (m *memory) supported() {
	m.t.Helper()
	if found, err := db.New(m.pool).VerifyEntitySources(m.t.Context(), nil); err != nil || len(found) > 0 {
		m.t.Errorf("verify finds %v: %v", found, err)
	}
}
