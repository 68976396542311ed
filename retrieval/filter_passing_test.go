package retrieval_test

import (
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

// Rows that pass a filter are found even if so many others rank before them that the first
// candidates are all refused.
func TestFiltersFindWhatRanksLow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(`INSERT INTO annals.groups (group_id) VALUES ('g')`)
	alice, harbour := w.node("Alice"), w.node("the harbour")
	var facts []uuid.UUID
	for i := range 200 {
		facts = append(facts, w.edge(alice, harbour, "harbour", "[2024-01-01,)"))
		w.exec(`INSERT INTO annals.episodes (group_id, id, content, actor) VALUES ('g', $1, 'harbour', 'Ann')`, facts[i])
	}
	seldom := w.edge(alice, harbour, "a long tale of the harbour and of much else that was seen there", "[2024-01-01,)")
	w.exec(`UPDATE annals.facts SET predicate = 'TELLS' WHERE id = $1`, seldom)
	w.exec(`INSERT INTO annals.episodes (group_id, id, content, actor) VALUES ('g', $1, 'a long tale of the harbour and of much else', 'Bob')`, seldom)
	w.exec(`INSERT INTO annals_internal.fact_embeddings (group_id, model, fact_id, embedding) SELECT 'g', $1, id, $2 FROM annals.facts`,
		w.embedder.Name(), db.Vector(w.vectorOf("harbour")))
	w.exec(`UPDATE annals_internal.fact_embeddings SET embedding = $2 WHERE fact_id = $1`, seldom, db.Vector(w.vectorOf("a tale of the sea")))
	for _, counted := range []bool{false, true} {
		if counted && !w.count().HasFew(graph.KindFact) {
			t.Fatal("201 facts are not few")
		}
		for _, tt := range []struct {
			kind   graph.Kind
			method retrieval.Method
			filter retrieval.Filter
		}{
			{graph.KindFact, retrieval.MethodTerms, retrieval.Filter{Predicates: []string{"TELLS"}}},
			{graph.KindFact, retrieval.MethodVector, retrieval.Filter{Predicates: []string{"TELLS"}}},
			{graph.KindEpisode, retrieval.MethodTerms, retrieval.Filter{Actors: []string{"Bob"}}},
		} {
			got, err := w.search.Search(t.Context(), retrieval.Query{
				GroupID: "g", Text: "harbour", Limit: 1, Conversation: true,
				Scopes: []graph.Kind{tt.kind}, Methods: []retrieval.Method{tt.method}, Filter: tt.filter,
			})
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Facts)+len(got.Episodes) != 1 {
				t.Errorf("counted %t, %s by %s: found %v, want the one that passes", counted, tt.kind, tt.method, got)
			}
		}
	}
	both, err := w.search.Search(t.Context(), retrieval.Query{ // episodes, which have no predicates, have the ids of the facts here
		GroupID: "g", Text: "harbour", Limit: 5, Conversation: true, Filter: retrieval.Filter{Predicates: []string{"TELLS"}},
		Scopes: []graph.Kind{graph.KindEpisode, graph.KindFact}, Methods: []retrieval.Method{retrieval.MethodTerms},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(both.Facts) != 1 || len(both.Episodes) != 5 {
		t.Errorf("found %d facts and %d episodes, want one and five", len(both.Facts), len(both.Episodes))
	}
	hub := w.find(retrieval.Query{
		GroupID: "g", Text: "harbour", Seeds: []uuid.UUID{alice}, Scopes: []graph.Kind{graph.KindFact},
		Methods: []retrieval.Method{retrieval.MethodGraph}, Filter: retrieval.Filter{Predicates: []string{"LEADS_TO"}},
	})
	if len(hub) != 10 {
		t.Errorf("a walk found %d facts of a hub, want ten", len(hub))
	}
}

// Filters do not apply to communities: all are kept.
func TestFiltersLeaveCommunities(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(`INSERT INTO annals.groups (group_id) VALUES ('g')`)
	w.exec(`INSERT INTO annals.communities (group_id, id, name, summary) VALUES ('g', gen_random_uuid(), 'Harbour', 'People of the harbour.')`)
	w.exec(`INSERT INTO annals_internal.community_embeddings (group_id, model, community_id, embedding) SELECT 'g', $1, id, $2 FROM annals.communities`,
		w.embedder.Name(), db.Vector(w.vectorOf("harbour")))
	for _, counted := range []bool{false, true} {
		if counted {
			w.count()
		}
		for _, method := range []retrieval.Method{retrieval.MethodTerms, retrieval.MethodVector} {
			got, err := w.search.Search(t.Context(), retrieval.Query{
				GroupID: "g", Text: "harbour", Scopes: []graph.Kind{graph.KindCommunity}, Methods: []retrieval.Method{method},
				Filter: retrieval.Filter{Labels: []string{"Person"}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Communities) != 1 {
				t.Errorf("counted %t, by %s: found %d communities, want one", counted, method, len(got.Communities))
			}
		}
	}
}
