package engine_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
)

func (w *world) entity(name string) graph.Entity {
	w.t.Helper()
	e, err := w.engine.FindEntity(w.t.Context(), "g", name)
	if err != nil {
		w.t.Fatal(err)
	}
	return e
}

// relates makes the analyst find these entities and facts in the next episodes.
func (w *world) relates(ends []string, said ...prompts.ExtractedFact) {
	w.analyst.entities, w.analyst.facts = names(ends...), facts(said...)
}

func TestMergedEntitiesAreOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.relates([]string{"Bob", "Acme"}, prompts.ExtractedFact{Source: 1, Target: 2, Predicate: "WORKS_AT", Fact: "He works at Acme."})
	w.says("2024-01-01", "", "one")
	w.relates([]string{"Robert Smith", "Acme", "Bob"},
		prompts.ExtractedFact{Source: 1, Target: 2, Predicate: "WORKS_AT", Fact: "He works at Acme."},
		prompts.ExtractedFact{Source: 1, Target: 2, Predicate: "LIKES", Fact: "Robert Smith likes Acme."},
		prompts.ExtractedFact{Source: 1, Target: 3, Predicate: "IS", Fact: "Robert Smith is Bob."})
	w.says("2024-01-01", "", "two")
	bob, robert := w.entity("Bob"), w.entity("robert smith")

	merged, err := w.engine.MergeEntities(t.Context(), "g", bob.ID, robert.ID)
	if err != nil {
		t.Fatal(err)
	}
	if merged.Name != "Robert Smith" || !slices.Equal(merged.Aliases, []string{"Bob"}) {
		t.Errorf("merged into %s, also called %v", merged.Name, merged.Aliases)
	}
	got := w.facts()
	works := got["He works at Acme."]
	if len(got) != 2 || works.Source != "Robert Smith" || len(works.Episodes) != 2 {
		t.Errorf("facts %+v, want the two facts about Acme, the first stated twice", got)
	}
	if n := w.count(`SELECT count(*) FROM annals.facts`); n != 2 {
		t.Errorf("%d facts, want 2", n)
	}
	if w.entity("Bob").ID != robert.ID || w.entity(bob.ID.String()).ID != robert.ID {
		t.Error("the old name or id does not lead to the merged entity")
	}
	if n := w.count(`SELECT count(*) FROM annals.mentions WHERE entity_id = '` + robert.ID.String() + `'`); n != 2 {
		t.Errorf("%d episodes mention the merged entity, want 2", n)
	}
	// The history still knows of both, with their names.
	then := w.count(`SELECT count(*) FROM annals_internal.entities_history WHERE id = '` + bob.ID.String() + `'`)
	if then == 0 {
		t.Error("the history does not know Bob")
	}
	rows, err := db.New(w.pool).FactListKnown(t.Context(), db.FactListKnownParams{GroupID: "g", KnownAt: bob.Recorded.Start, MaxRows: 10})
	if err != nil {
		t.Fatal(err)
	}
	about := map[string]int{} // by entity: how many episodes state the facts believed then
	for _, row := range rows {
		about[row.Source] += len(row.Episodes)
	}
	if about["Bob"] != 1 || about["Robert Smith"] != 3 {
		t.Errorf("before the merge we believed %+v; want one fact about Bob and three about Robert Smith", rows)
	}
}

func TestASplitEntityGivesUpItsFacts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.relates([]string{"Alex", "Acme"}, prompts.ExtractedFact{Source: 1, Target: 2, Predicate: "WORKS_AT", Fact: "Alex works at Acme."})
	w.says("2024-01-01", "", "one")
	w.relates([]string{"Alex", "Oslo"}, prompts.ExtractedFact{Source: 1, Target: 2, Predicate: "LIVES_IN", Fact: "Alex lives in Oslo."})
	w.says("2024-01-02", "", "two")
	alex, home := w.entity("Alex"), w.facts()["Alex lives in Oslo."]

	part, err := w.engine.SplitEntity(t.Context(), "g", alex.ID, "Alex Chen", []uuid.UUID{home.ID})
	if err != nil {
		t.Fatal(err)
	}
	got := w.facts()
	if got["Alex Chen lives in Oslo."].SourceID != part.ID || got["Alex works at Acme."].SourceID != alex.ID {
		t.Errorf("facts %+v", got)
	}
	if whole, part := w.entity("Alex"), w.entity("Alex Chen"); whole.Summary != "Alex works at Acme." || part.Summary != "Alex Chen lives in Oslo." {
		t.Errorf("summaries %q and %q", whole.Summary, part.Summary)
	}
	if n := w.count(`SELECT count(*) FROM annals.mentions m JOIN annals.episodes e ON e.id = m.episode_id
		WHERE (e.content, m.entity_id) IN (('one', '` + alex.ID.String() + `'), ('two', '` + part.ID.String() + `'))`); n != 2 {
		t.Errorf("%d mentions are right, want 2", n)
	}
	if n := w.count(`SELECT count(*) FROM annals.mentions WHERE entity_id IN ('` + alex.ID.String() + `', '` + part.ID.String() + `')`); n != 2 {
		t.Errorf("%d mentions of the two, want 2", n)
	}
	_, err = w.engine.SplitEntity(t.Context(), "g", alex.ID, "Nobody", []uuid.UUID{home.ID})
	if graph.CodeOf(err) != graph.CodeNotFound {
		t.Errorf("splitting off a fact of another entity: %v", err)
	}
}

func TestARenamedEntityKeepsItsOldName(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.analyst.entities = names("Bob")
	w.says("2024-01-01", "", "one")
	bob := w.entity("Bob")
	renamed, err := w.engine.RenameEntity(t.Context(), "g", bob.ID, " Robert  Smith ")
	if err != nil || renamed.Name != "Robert Smith" || !slices.Equal(renamed.Aliases, []string{"Bob"}) {
		t.Errorf("RenameEntity = %+v, %v", renamed, err)
	}
	w.says("2024-01-02", "", "two") // speaks of Bob
	if n := w.count(`SELECT count(*) FROM annals.entities`); n != 1 {
		t.Errorf("%d entities, want 1", n)
	}
	for _, name := range []string{"", "  ", "a\x00b"} {
		if _, err := w.engine.RenameEntity(t.Context(), "g", bob.ID, name); graph.CodeOf(err) != graph.CodeInvalid {
			t.Errorf("RenameEntity to %q: %v", name, err)
		}
	}
	if _, err := w.engine.RenameEntity(t.Context(), "g", uuid.New(), "X"); graph.CodeOf(err) != graph.CodeNotFound {
		t.Errorf("RenameEntity of nobody: %v", err)
	}
	if _, err := w.engine.MergeEntities(t.Context(), "g", bob.ID, bob.ID); graph.CodeOf(err) != graph.CodeInvalid {
		t.Errorf("MergeEntities with itself: %v", err)
	}
}
