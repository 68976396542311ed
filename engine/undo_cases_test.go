package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/engine/undo"
	"github.com/annalsdb/annals/graph"
)

func homes() []graph.Episode {
	return []graph.Episode{
		{Actor: "Alice", Content: "I live in Paris.", OccurredAt: date("2023-01-10")},
		{Actor: "Alice", Content: "I moved to Lisbon last week.", OccurredAt: date("2024-03-15")},
		{Actor: "Bob", Content: "I work at Siemens.", OccurredAt: date("2024-04-01")},
	}
}

func TestUndoKeepsIDsAndHistory(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	ids := m.hear("g", homes())
	const facts = "SELECT id::text FROM annals.facts WHERE group_id = 'g' AND fact NOT LIKE '%Lisbon%' ORDER BY id"
	before := m.texts(facts)
	done := m.undo("g", ids[1])
	if done.FactsReopened != 1 || done.FactsRemoved != 1 || done.EntitiesRemoved != 1 || done.Replayed != 1 {
		t.Errorf("undone: %+v", done)
	}
	if diff := cmp.Diff(before, m.texts(facts)); diff != "" {
		t.Errorf("facts that stay have other ids (-before +after):\n%s", diff)
	}
	if kept := m.texts("SELECT fact FROM annals_internal.facts_history WHERE group_id = 'g' AND fact LIKE '%Lisbon%'"); len(kept) != 1 {
		t.Errorf("the history has %q of what was taken back", kept)
	}
	m.causesAreThere("g")
	if kept := m.texts("SELECT fact FROM annals_internal.facts_history WHERE group_id = 'g' AND fact LIKE '%Siemens%'"); len(kept) != 0 {
		t.Errorf("a fact that has nothing to do with it has a new version: %q", kept)
	}
}

func (m *memory) texts(query string) []string {
	m.t.Helper()
	rows, err := m.pool.Query(m.t.Context(), query)
	if err != nil {
		m.t.Fatal(err)
	}
	texts, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		m.t.Fatal(err)
	}
	return texts
}

func TestUndoLeavesAloneWhatWasEditedByHand(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	ids := m.hear("g", append(homes(), graph.Episode{Actor: "Bob", Content: "I live in Oslo.", OccurredAt: date("2024-04-02")}))
	m.exec("UPDATE annals.facts SET fact = 'Bob is an engineer at Siemens.' WHERE group_id = 'g' AND fact LIKE '%Siemens%'")
	m.exec("DELETE FROM annals.facts WHERE group_id = 'g' AND fact LIKE '%Oslo%'")
	bob, err := m.engine.FindEntity(t.Context(), "g", "Bob")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.engine.RenameEntity(t.Context(), "g", bob.ID, "Robert Brown"); err != nil {
		t.Fatal(err)
	}
	m.undo("g", ids[1])
	got := m.texts("SELECT fact FROM annals.facts WHERE group_id = 'g' ORDER BY fact")
	if want := []string{"Alice lives in Paris.", "Robert Brown is an engineer at Siemens."}; !slices.Equal(got, want) {
		t.Errorf("facts %q, want %q", got, want)
	}
	if robert, err := m.engine.FindEntity(t.Context(), "g", "Bob"); err != nil || robert.ID != bob.ID || robert.Name != "Robert Brown" {
		t.Errorf("the renamed entity is %+v, %v", robert, err)
	}
	m.undo("g", ids[2], ids[3])
	got = m.texts("SELECT fact FROM annals.facts WHERE group_id = 'g' ORDER BY fact")
	if want := []string{"Alice lives in Paris."}; !slices.Equal(got, want) {
		t.Errorf("when what stated it is gone: %q, want %q", got, want)
	}
}

// Facts withdrawn by hand stay withdrawn and edited ones stay edited, whichever of the earlier
// episodes is undone.
func TestUndoLeavesWithdrawnFactsWithdrawn(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	ids := m.hear("g", append(homes(), graph.Episode{Actor: "Bob", Content: "I live in Oslo.", OccurredAt: date("2024-04-02")}))
	fact := func(word string) uuid.UUID {
		return uuid.MustParse(m.texts("SELECT id::text FROM annals.facts WHERE group_id = 'g' AND fact LIKE '%" + word + "%'")[0])
	}
	words := "Bob leads research at Siemens."
	if _, err := m.engine.EditFact(t.Context(), "g", fact("Siemens"), graph.FactEdit{Fact: &words}); err != nil {
		t.Fatal(err)
	}
	oslo := fact("Oslo")
	edited := "Bob lives in the middle of Oslo."
	if _, err := m.engine.EditFact(t.Context(), "g", oslo, graph.FactEdit{Fact: &edited}); err != nil {
		t.Fatal(err)
	}
	for _, withdrawn := range []uuid.UUID{oslo, fact("Paris")} {
		if err := m.engine.WithdrawFact(t.Context(), "g", withdrawn); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		gone uuid.UUID
		want []string
	}{
		{ids[1], []string{words}}, // had ended that Alice lives in Paris
		{ids[0], []string{words}},
		{ids[2], []string{}},
	} {
		m.undo("g", step.gone)
		if diff := cmp.Diff(step.want, m.texts("SELECT fact FROM annals.facts WHERE group_id = 'g' ORDER BY fact"), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("facts (-want +got):\n%s", diff)
		}
		m.causesAreThere("g")
	}
	if told := m.texts("SELECT summary FROM annals.entities WHERE group_id = 'g' AND summary LIKE '%Oslo%'"); len(told) > 0 {
		t.Errorf("it is still told: %q", told)
	}
}

func TestUndoOfWhatIsNotInTheGraph(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.hear("g", homes())
	before := m.believed("g")
	var stored []intake.Stored
	err := pgx.BeginFunc(t.Context(), m.pool, func(tx pgx.Tx) error {
		var err error
		stored, err = intake.Store(t.Context(), tx, []graph.Episode{{GroupID: "g", Actor: "Alice", Content: "I live in Rome."}})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if done := m.undo("g", stored[0].ID); done.Episodes != 1 || done.Replayed != 0 {
		t.Errorf("undone: %+v", done)
	}
	if diff := cmp.Diff(before, m.believed("g")); diff != "" {
		t.Errorf("the graph changed (-before +after):\n%s", diff)
	}
	for _, id := range []uuid.UUID{stored[0].ID, uuid.Nil} {
		_, err := m.engine.Undo(t.Context(), undo.Undoing{GroupID: "g", EpisodeIDs: []uuid.UUID{id}})
		if graph.CodeOf(err) != graph.CodeNotFound {
			t.Errorf("an episode that is not there: %v", err)
		}
	}
}

// other is an offline analyst under another name.
type other struct{ *offline.Analyst }

func (other) Name() string { return "other" }

func TestUndoHasTheSameReaderJudge(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	ids := m.hear("g", homes())
	m.engine = engine.New(m.pool, other{offline.New()}, hashEmbedder(t), engine.Options{})
	undoing := undo.Undoing{GroupID: "g", EpisodeIDs: ids[:1]}
	before := m.believed("g")
	if _, err := m.engine.Undo(t.Context(), undoing); graph.CodeOf(err) != graph.CodeConflict || !strings.Contains(err.Error(), "offline") {
		t.Errorf("another reader: %v", err)
	}
	if diff := cmp.Diff(before, m.believed("g")); diff != "" {
		t.Errorf("the graph changed (-before +after):\n%s", diff)
	}
	undoing.AnyReader = true
	if _, err := m.engine.Undo(t.Context(), undoing); err != nil {
		t.Errorf("any reader: %v", err)
	}
}

// An episode that another program read, such as an imported one, is never read again: its facts
// stand, even where this program would read them otherwise. Undo removes only its own facts.
func TestUndoReadsNothingAgainThatAnotherProgramRead(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	ids := m.hear("g", homes())
	m.exec("DELETE FROM annals_internal.readings")
	m.exec("UPDATE annals.episodes SET processed_at = '0001-01-01 UTC', content = 'Somebody(user): ' || content")
	if done := m.undo("g", ids[1]); done.Replayed != 0 || done.FactsReopened != 1 || done.FactsRemoved != 1 || done.EntitiesRemoved != 1 {
		t.Errorf("undone: %+v", done)
	}
	m.exec("UPDATE annals.episodes SET content = replace(content, 'Somebody(user): ', '')")
	m.hear("without", slices.Delete(homes(), 1, 2))
	if diff := cmp.Diff(m.believed("without"), m.believed("g")); diff != "" {
		t.Errorf("what is believed differs (-without +undone):\n%s", diff)
	}
}

// A replayed triple is stored as the triple that it is; its sentence is not read.
func TestUndoPlacesTriplesAgain(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	ids := m.hear("g", homes()[:1])
	added, err := m.engine.AddTriple(t.Context(), graph.Triple{
		GroupID: "g", Source: graph.TripleEnd{Name: "Alice", Label: "Pilot"}, Target: graph.TripleEnd{Name: "Acme"}, Predicate: "FLIES_FOR",
		Fact: "Something else entirely.", ValidAt: date("2024-01-01"),
	})
	if err != nil {
		t.Fatal(err)
	}
	m.undo("g", ids[0])
	got := m.texts("SELECT format('%s %s %s %s', id, predicate, fact, lower(valid)::date) FROM annals.facts WHERE group_id = 'g'")
	if want := []string{added.FactID.String() + " FLIES_FOR Something else entirely. 2024-01-01"}; !slices.Equal(got, want) {
		t.Errorf("facts %q, want %q", got, want)
	}
	if got := m.texts("SELECT name || labels::text FROM annals.entities WHERE group_id = 'g' ORDER BY name"); !slices.Equal(got, []string{"Acme{}", "Alice{Pilot}"}) {
		t.Errorf("entities %q", got)
	}
}
