package engine_test

import (
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// A sentence about several pairs is one episode and one statement. A further pair can be added
// later.
func TestATripleOfSeveralPairs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all := func() (facts []graph.Fact) {
		rows, err := db.New(w.pool).FactList(t.Context(), db.FactListParams{GroupID: "g", MaxRows: 100})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			facts = append(facts, db.Fact(row))
		}
		return facts
	}
	named := func(name string) graph.TripleEnd { return graph.TripleEnd{Name: name} }
	added, err := w.engine.AddTriple(t.Context(), graph.Triple{
		GroupID: "g", Source: named("Ada"), Target: named("Bob"), Predicate: "MET", Fact: "Ada, Bob and Eve met.", ValidAt: date("2024-05-01"),
		More: []graph.TriplePair{{Source: named("Ada"), Target: named("Eve"), Predicate: "MET"}, {Source: named("Bob"), Target: named("Eve"), Predicate: "met with"}},
	})
	if err != nil || len(added.FactIDs) != 3 || added.FactIDs[0] != added.FactID {
		t.Fatalf("added %+v: %v", added, err)
	}
	statement := uuid.Nil
	for _, f := range all() {
		if statement != uuid.Nil && f.StatementID != statement || f.Fact != "Ada, Bob and Eve met." || len(f.Episodes) != 1 || !f.Valid.Start.Equal(date("2024-05-01")) {
			t.Errorf("a pair is %+v", f)
		}
		statement = f.StatementID
	}
	more, err := w.engine.AddTriple(t.Context(), graph.Triple{
		GroupID: "g", Source: named("Eve"), Target: named("Kai"), Predicate: "MET", Fact: "Ada, Bob and Eve met.", ValidAt: date("2024-05-01"), StatementID: statement,
	})
	if err != nil || more.Repeated || len(all()) != 4 {
		t.Errorf("the fourth pair is %+v of %d: %v", more, len(all()), err)
	}
	for _, f := range all() {
		if f.StatementID != statement {
			t.Errorf("of another statement is %+v", f)
		}
	}
	_, err = w.engine.AddTriple(t.Context(), graph.Triple{
		GroupID: "g", Source: named("Ada"), Target: named("Bob"), Predicate: "KNOWS", ValidAt: date("2024-05-01"),
		More: []graph.TriplePair{{Source: named("Eve"), Target: named("eve"), Predicate: "KNOWS"}},
	})
	if graph.CodeOf(err) != graph.CodeInvalid || len(all()) != 4 {
		t.Errorf("a pair of one entity: %v, %d facts", err, len(all()))
	}
}

// An end given by its id is that entity, even where another has the same name. An unknown id is
// refused.
func TestATripleOfEndsNamedByID(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, _ := w.triple(graph.Triple{Source: graph.TripleEnd{Name: "Alex"}, Target: graph.TripleEnd{Name: "Acme"}, Predicate: "WORKS_AT", ValidAt: date("2024-05-01")})
	if _, err := w.engine.AddEntities(t.Context(), "g", []graph.Entity{{Name: "Alexandra"}}); err != nil {
		t.Fatal(err)
	}
	other, _ := w.triple(graph.Triple{Source: graph.TripleEnd{Name: "Alexandra"}, Target: graph.TripleEnd{Name: "Globex"}, Predicate: "WORKS_AT", ValidAt: date("2024-05-01")})
	if _, err := w.engine.RenameEntity(t.Context(), "g", other.SourceID, "Alex"); err != nil {
		t.Fatal(err)
	}
	for _, source := range []uuid.UUID{first.SourceID, other.SourceID} {
		f, _ := w.triple(graph.Triple{Source: graph.TripleEnd{ID: source}, Target: graph.TripleEnd{Name: "Paris"}, Predicate: "LIVES_IN", ValidAt: date("2024-05-01")})
		if f.SourceID != source || f.Source != "Alex" {
			t.Errorf("%s is taken for %s, %s", source, f.SourceID, f.Source)
		}
	}
	_, err := w.engine.AddTriple(t.Context(), graph.Triple{GroupID: "g", Source: graph.TripleEnd{ID: uuid.New(), Name: "Zed"}, Target: graph.TripleEnd{Name: "Paris"}, Predicate: "LIVES_IN"})
	if graph.CodeOf(err) != graph.CodeNotFound {
		t.Errorf("an id of nothing: %v", err)
	}
	if ids, err := w.engine.AddEntities(t.Context(), "g", []graph.Entity{{ID: other.SourceID, Name: "Alex", Labels: []string{"Person"}}}); err != nil || ids[0] != other.SourceID {
		t.Errorf("an entity given by its id is %v: %v", ids, err)
	}
	if _, err := w.engine.AddEntities(t.Context(), "g", []graph.Entity{{ID: uuid.New(), Name: "Zed"}}); graph.CodeOf(err) != graph.CodeNotFound {
		t.Errorf("an entity of an id of nothing: %v", err)
	}
}
