package engine_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/graph"
)

func (m *memory) facts(group string) []string {
	m.t.Helper()
	return m.texts("SELECT fact FROM annals.facts WHERE group_id = '" + group + "' ORDER BY fact")
}

func (m *memory) factID(group, like string) uuid.UUID {
	m.t.Helper()
	return uuid.MustParse(m.one("SELECT id::text FROM annals.facts WHERE group_id = $1 AND fact LIKE $2", group, like))
}

func (m *memory) withdraw(group, like string) uuid.UUID {
	m.t.Helper()
	id := m.factID(group, like)
	if err := m.engine.WithdrawFact(m.t.Context(), group, id); err != nil {
		m.t.Fatal(err)
	}
	return id
}

func (m *memory) wantFacts(group string, want ...string) {
	m.t.Helper()
	if diff := cmp.Diff(want, m.facts(group), cmpopts.EquateEmpty()); diff != "" {
		m.t.Errorf("facts (-want +got):\n%s", diff)
	}
}

// TestWithdrawnFactStaysAway: no restatement, whatever way it comes, brings back a fact that a
// person withdrew. The statement stays as evidence, with a trace.
func TestWithdrawnFactStaysAway(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.hear("g", []graph.Episode{{Actor: "Alice", Role: "user", Content: "I live in Paris.", OccurredAt: date("2024-01-01")}})
	m.withdraw("g", "%Paris%")
	said := m.hear("g", []graph.Episode{
		{Actor: "Alice", Role: "user", Content: "I live in Paris.", OccurredAt: date("2024-05-01")},
		{Actor: "Alice", Role: "user", Content: "i LIVE in Paris", OccurredAt: date("2024-05-02")},
		{Actor: "Bob", Role: "user", Content: "Alice lives in Paris.", OccurredAt: date("2024-05-03")},
		{Actor: "Helper", Role: "assistant", Content: "Alice lives in Paris.", OccurredAt: date("2024-05-04")},
		{Content: "Alice lives in Paris.", Source: graph.SourceText, OccurredAt: date("2024-05-05")},
		{Actor: "Alice", Role: "user", Content: "I have lived in Paris since 2020.", OccurredAt: date("2024-05-06")},
	})
	m.wantFacts("g")
	for _, id := range said {
		trace, err := m.engine.Trace(t.Context(), "g", id)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(trace, func(e engine.TraceEntry) bool {
			return e.Decision == "refused" && strings.Contains(e.Reason, "withdrawn on") && strings.Contains(e.Reason, "a person")
		}) {
			t.Errorf("the trace does not say that it was refused: %+v", trace)
		}
	}
	_, err := m.engine.AddTriple(t.Context(), graph.Triple{
		GroupID: "g", Source: graph.TripleEnd{Name: "Alice"}, Predicate: "LIVES_IN", Target: graph.TripleEnd{Name: "Paris"}, Fact: "Alice resides in Paris.",
	})
	if graph.CodeOf(err) != graph.CodeConflict || !strings.Contains(err.Error(), "annals facts restore") {
		t.Errorf("the triple was taken in: %v", err)
	}
	_, err = m.pool.Exec(t.Context(), `
		INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id)
		SELECT 'g', gen_random_uuid(), a.id, p.id, 'LIVES_IN', 'Alice lives there.', '(,)', gen_random_uuid()
		FROM annals.entities a, annals.entities p WHERE a.name = 'Alice' AND p.name = 'Paris'`)
	if pg := (*pgconn.PgError)(nil); !errors.As(err, &pg) || pg.Code != "AN002" || !strings.Contains(pg.Hint, "annals facts restore") {
		t.Errorf("SQL inserted it: %v", err)
	}
	m.wantFacts("g")
	if told := m.texts("SELECT summary FROM annals.entities WHERE group_id = 'g' AND summary LIKE '%Paris%'"); len(told) > 0 {
		t.Errorf("summaries still tell it: %q", told)
	}
	m.hear("g", []graph.Episode{{Actor: "Bob", Role: "user", Content: "I live in Paris.", OccurredAt: date("2024-05-07")}})
	m.wantFacts("g", "Bob lives in Paris.")
}

// TestWithdrawnFactOfAnotherTime: a user may state the withdrawn fact again with a later beginning,
// since that is another valid range. An assistant's statement is not enough.
func TestWithdrawnFactOfAnotherTime(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.hear("g", []graph.Episode{{Actor: "Alice", Role: "user", Content: "I live in Paris.", OccurredAt: date("2024-01-01")}})
	m.withdraw("g", "%Paris%")
	m.hear("g", []graph.Episode{{Actor: "Helper", Role: "assistant", Content: "Alice has lived in Paris since 1 March 2090.", OccurredAt: date("2090-05-01")}})
	m.wantFacts("g")
	m.hear("g", []graph.Episode{{Actor: "Alice", Role: "user", Content: "I have lived in Paris since 1 March 2090.", OccurredAt: date("2090-05-01")}})
	if got := m.facts("g"); len(got) != 1 || !strings.Contains(got[0], "Paris") {
		t.Errorf("facts %q, want that Alice lives in Paris", got)
	}
}

// TestWithdrawnFactSurvives: a rejection survives undo, retention of others, a merge and a rename.
func TestWithdrawnFactSurvives(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	ids := m.hear("g", []graph.Episode{
		{Actor: "Alice", Role: "user", Content: "I live in Paris.", OccurredAt: date("2024-01-01")},
		{Actor: "Bob", Role: "user", Content: "I live in Oslo.", OccurredAt: date("2024-01-02")},
		{Actor: "Carol", Role: "user", Content: "I live in Bern.", OccurredAt: date("2024-01-03")},
	})
	m.withdraw("g", "%Paris%")
	m.undo("g", ids[0])
	m.undo("g", ids[1])
	again := graph.Episode{Actor: "Alice", Role: "user", Content: "I live in Paris.", OccurredAt: date("2024-06-01")}
	said := m.hear("g", []graph.Episode{again})
	m.wantFacts("g", "Carol lives in Bern.")
	m.undo("g", ids[2])
	m.wantFacts("g")
	alice, err := m.engine.FindEntity(t.Context(), "g", "Alice")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.engine.RenameEntity(t.Context(), "g", alice.ID, "Alice Smith"); err != nil {
		t.Fatal(err)
	}
	again.Content = "Alice Smith lives in Paris."
	m.hear("g", []graph.Episode{again})
	m.wantFacts("g")
	m.undo("g", said...)
	m.wantFacts("g")
}

// TestRestoreFact: restoring readmits a fact on record, unchanged, and the facts that it had ended
// end again. A lower authority may not restore.
func TestRestoreFact(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.hear("g", []graph.Episode{
		{Actor: "Alice", Role: "user", Content: "I live in Paris.", OccurredAt: date("2024-01-01")},
		{Actor: "Alice", Role: "user", Content: "I moved to Lisbon on 1 May 2024.", OccurredAt: date("2024-05-02")},
	})
	before := m.believed("g")
	id := m.withdraw("g", "%Lisbon%")
	if withdrawn := m.believed("g"); slices.Equal(before, withdrawn) {
		t.Fatal("withdrawing changed nothing")
	}
	assistant := graph.WithOrigin(t.Context(), graph.Origin{Door: "mcp", Cap: graph.AuthorityAssistant})
	if _, err := m.engine.RestoreFact(assistant, "g", id); graph.CodeOf(err) != graph.CodeForbidden {
		t.Errorf("an assistant restored it: %v", err)
	}
	restored, err := m.engine.RestoreFact(t.Context(), "g", id)
	if err != nil {
		t.Fatal(err)
	}
	if restored.ID != id || len(restored.Episodes) != 1 {
		t.Errorf("restored %+v", restored)
	}
	if diff := cmp.Diff(before, m.believed("g")); diff != "" {
		t.Errorf("after restoring (-before +after):\n%s", diff)
	}
	if lifted := m.one("SELECT lifted_by FROM annals.rejections WHERE fact_id = $1 AND lifted_at IS NOT NULL", id); lifted != "library" {
		t.Errorf("it was lifted by %q", lifted)
	}
	if _, err := m.engine.RestoreFact(t.Context(), "g", id); graph.CodeOf(err) != graph.CodeNotFound {
		t.Errorf("restored twice: %v", err)
	}
}
