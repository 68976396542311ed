package retrieval_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

// said stores so many episodes that say the same.
func (w *world) said(episodes int, text string) {
	w.t.Helper()
	w.exec(`INSERT INTO annals.groups (group_id) VALUES ('g') ON CONFLICT DO NOTHING`)
	w.exec(`INSERT INTO annals.episodes (group_id, id, content) SELECT 'g', gen_random_uuid(), $2 FROM generate_series(1, $1::int)`, episodes, text)
}

// count counts the rows of the group, which has a shape then.
func (w *world) count() db.Shape {
	w.t.Helper()
	if err := db.New(w.pool).StatisticsRefresh(w.t.Context(), "g"); err != nil {
		w.t.Fatal(err)
	}
	shape, err := db.New(w.pool).Shape(w.t.Context(), db.ShapeParams{GroupID: "g", Model: w.embedder.Name()})
	if err != nil {
		w.t.Fatal(err)
	}
	return shape
}

// Few is the largest number of rows that are searched as a whole.
func TestHowManyAreFew(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.said(db.Few, "the harbour")
	if !w.count().HasFew(graph.KindEpisode) {
		t.Errorf("%d episodes are not few", db.Few)
	}
	w.said(1, "the harbour")
	if w.count().HasFew(graph.KindEpisode) {
		t.Errorf("%d episodes are few", db.Few+1)
	}
}

// If many rows were added since they were counted as few, they are ranked as in any large group.
// The best one would be the last to be read.
func TestManyAreRankedThatWereFew(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.said(3, "the harbour")
	if !w.count().HasFew(graph.KindEpisode) {
		t.Fatal("3 episodes are not few")
	}
	w.said(db.Few+50, "the harbour")
	w.said(db.Few+50, "the lantern")
	w.exec(`INSERT INTO annals.episodes (group_id, id, content) VALUES ('g', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'a lantern at the harbour')`)
	result, err := w.search.Search(t.Context(), retrieval.Query{
		GroupID: "g", Text: "lantern harbour", Conversation: true, Limit: 20,
		Scopes: []graph.Kind{graph.KindEpisode}, Methods: []retrieval.Method{retrieval.MethodTerms},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Episodes) != 20 || result.Episodes[0].Content != "a lantern at the harbour" {
		t.Errorf("found %d episodes, %+v", len(result.Episodes), result.Episodes)
	}
}

// A search finds the same in every exec mode of statements.
func TestSearchInEveryMode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("g", "Alice lives in Paris.", "[2023-01-10,2024-03-08)")
	w.fact("g", "Alice lives in Lisbon.", "[2024-03-08,)")
	w.said(20, "the harbour")
	query := retrieval.Query{
		GroupID: "g", Text: "the harbour where Alice lives",
		Scopes: []graph.Kind{graph.KindFact, graph.KindEntity, graph.KindEpisode, graph.KindCommunity, graph.KindThread},
	}
	want, err := w.search.Search(t.Context(), query)
	if err != nil || len(want.Facts) != 1 || len(want.Episodes) == 0 {
		t.Fatalf("found %+v, %v", want, err)
	}
	for _, mode := range []string{"cache_describe", "describe_exec", "exec", "simple_protocol"} {
		t.Run(mode, func(t *testing.T) {
			pool, err := db.Open(t.Context(), w.pool.Config().ConnString()+"&default_query_exec_mode="+mode)
			if err != nil {
				t.Fatal(err)
			}
			defer pool.Close()
			got, err := retrieval.New(pool, w.embedder, nil).Search(t.Context(), query)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-prepared +%s):\n%s", mode, diff)
			}
		})
	}
}
