package retrieval_test

import (
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

// between stores a fact between two named entities.
func (w *world) between(source, predicate, target, sentence string) {
	w.t.Helper()
	w.exec(`INSERT INTO annals.groups (group_id) VALUES ('g') ON CONFLICT DO NOTHING`)
	for _, name := range []string{source, target} {
		w.exec(`INSERT INTO annals.entities (group_id, id, name) SELECT 'g', gen_random_uuid(), $1
			WHERE NOT EXISTS (SELECT FROM annals.entities WHERE group_id = 'g' AND name = $1)`, name)
	}
	id := uuid.Must(uuid.NewV7())
	w.exec(`INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id)
		SELECT 'g', $1, s.id, t.id, $2, $3, '[2024-01-01,)', $1 FROM annals.entities s, annals.entities t
		WHERE s.group_id = 'g' AND s.name = $4 AND t.group_id = 'g' AND t.name = $5`, id, predicate, sentence, source, target)
	w.exec(`INSERT INTO annals_internal.fact_embeddings (group_id, model, fact_id, embedding) VALUES ('g', $1, $2, $3)`,
		w.embedder.Name(), id, db.Vector(w.vectorOf(sentence)))
}

// Facts about the entity that a question names come first, before others whose facts hold the name
// and the question's words more often.
func TestFactsOfWhomAQuestionNamesComeFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.between("Nora Quinn", "LIVES_IN", "Lisbon", "Nora Quinn has been living with her two cats in a small flat near the old harbour of Lisbon.")
	w.between("Ben", "LIVES_IN", "Porto", "Ben lives where Nora Quinn used to live: live music next door.")
	w.between("Ivo", "LIKES", "Nora Quinn", "Ivo likes where Nora Quinn lives.")
	w.between("Ivo", "LIVES_IN", "Braga", "Ivo lives in Braga.")
	w.between("Ivo", "WORKS_AT", "Acme Corp.", "Ivo works at Acme Corp. in its office by the sea.")
	w.between("Ben", "WORKS_AT", "Globex", "Ben works at the Globex of old, not at Acme Corp.")
	if err := db.New(w.pool).StatisticsRefresh(t.Context(), "g"); err != nil {
		t.Fatal(err)
	}
	for question, first := range map[string]string{
		"Where does Nora Quinn live?":          "Nora Quinn has been living with her two cats in a small flat near the old harbour of Lisbon.",
		"what about NORA QUINN's place?":       "Nora Quinn has been living with her two cats in a small flat near the old harbour of Lisbon.",
		"Where does Ivo live?":                 "Ivo lives in Braga.",
		"Who lives where?":                     "Ben lives where Nora Quinn used to live: live music next door.",
		"Do you know who works at Acme Corp.?": "Ivo works at Acme Corp. in its office by the sea.",
	} {
		q := retrieval.Query{GroupID: "g", Text: question, Scopes: []graph.Kind{graph.KindFact}}
		if found := w.find(q); len(found) == 0 || found[0] != first {
			t.Errorf("%s\n  found %q,\n  want %q first", question, found, first)
		}
	}
}

// The same holds if the entity has more facts than are read beforehand, the newest first.
func TestFactsOfWhomMuchIsKnownComeFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const lives, beside = "She lives by the harbour of Lisbon.", "Where by the harbour does he live? He does live by the harbour."
	w.between("Ben", "LIVES_IN", "Porto", beside)
	w.between("Nora Quinn", "LIKES", "Lisbon", "She likes Lisbon.")
	w.exec(`INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id)
		SELECT f.group_id, i.id, f.source_id, f.target_id, 'LIKES', 'Fado ' || i.n, f.valid, i.id
		FROM annals.facts f, (SELECT overlay(gen_random_uuid()::text PLACING 'ffffffff' FROM 1)::uuid AS id, n FROM generate_series(1, $1) n) i
		WHERE f.group_id = 'g' AND f.fact = 'She likes Lisbon.'`, db.Few+100)
	w.between("Nora Quinn", "LIVES_IN", "Lisbon", lives)
	if err := db.New(w.pool).StatisticsRefresh(t.Context(), "g"); err != nil {
		t.Fatal(err)
	}
	q := retrieval.Query{GroupID: "g", Text: "Where by the harbour does Nora Quinn live?", Scopes: []graph.Kind{graph.KindFact}}
	if found := w.find(q); len(found) == 0 || found[0] != lives {
		t.Errorf("found %q, want %q first", found, lives)
	}
}
