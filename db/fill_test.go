package db_test

import (
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
)

// A vector is not stored if its text is no longer that of the row, or if somebody is changing the
// row. The next page has both rows.
func TestFillVectors(t *testing.T) {
	t.Parallel()
	pool, err := db.Open(t.Context(), pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if _, err := pool.Exec(t.Context(), `INSERT INTO annals.groups (group_id) VALUES ('g');
		INSERT INTO annals.entities (group_id, id, name) VALUES ('g', gen_random_uuid(), 'Renamed'), ('g', gen_random_uuid(), 'Locked'),
			('g', gen_random_uuid(), 'Left alone');
		INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id)
		SELECT 'g', gen_random_uuid(), a.id, b.id, 'KNOWS', 'They know each other.', '(,)', gen_random_uuid()
		FROM annals.entities a, annals.entities b WHERE a.name = 'Locked' AND b.name = 'Renamed'`); err != nil {
		t.Fatal(err)
	}
	q := db.New(pool)
	look := func(kind graph.Kind) (missing []db.VectorsPageRow) {
		t.Helper()
		page, err := q.VectorsPage(t.Context(), db.VectorsPageParams{GroupID: "g", Kind: kind, Model: "m", After: uuid.Nil, MaxRows: 10})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range page {
			if row.Missing {
				missing = append(missing, row)
			}
		}
		return missing
	}
	fill := func(kind graph.Kind, rows []db.VectorsPageRow) int64 {
		t.Helper()
		n, err := q.FillVectors(t.Context(), kind, "g", "m", rows, [][][]float32{{{1, 0}}, {{1, 0}}, {{1, 0}}})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	entities, facts := look(graph.KindEntity), look(graph.KindFact)
	if len(entities) != 3 || len(facts) != 1 {
		t.Fatalf("%d entities and %d facts lack a vector", len(entities), len(facts))
	}
	if _, err := pool.Exec(t.Context(), `UPDATE annals.entities SET name = 'Another' WHERE name = 'Renamed';
		UPDATE annals.facts SET predicate = 'KNEW'`); err != nil {
		t.Fatal(err)
	}
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(t.Context()) }()
	if _, err := tx.Exec(t.Context(), `SELECT FROM annals.entities WHERE name = 'Locked' FOR UPDATE`); err != nil {
		t.Fatal(err)
	}
	if n := fill(graph.KindEntity, entities); n != 1 {
		t.Errorf("filled in %d of 3, one renamed and one locked; want 1", n)
	}
	if n := fill(graph.KindFact, facts); n != 0 {
		t.Errorf("filled in a fact whose predicate changed")
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if rows := look(graph.KindEntity); len(rows) != 2 || fill(graph.KindEntity, rows) != 2 {
		t.Errorf("%d entities are left, or not filled in", len(rows))
	}
	if rows := look(graph.KindFact); len(rows) != 1 || fill(graph.KindFact, rows) != 1 {
		t.Errorf("%d facts are left, or not filled in", len(rows))
	}
	if left := append(look(graph.KindEntity), look(graph.KindFact)...); len(left) != 0 {
		t.Errorf("%d rows are left", len(left))
	}

	// A text that changes while the model is the next one loses its vector.
	if err := q.EmbedderBegin(t.Context(), "m"); err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Exec(t.Context(), `UPDATE annals.entities SET name = 'Yet another' WHERE name = 'Another';
		UPDATE annals.entities SET summary = 'Same name.' WHERE name = 'Locked'`); err != nil {
		t.Fatal(err)
	}
	if rows := look(graph.KindEntity); len(rows) != 1 || rows[0].Text != "Yet another" {
		t.Errorf("after a renaming these lack a vector: %+v", rows)
	}
}
