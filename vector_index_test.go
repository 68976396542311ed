package annals_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/retrieval"
)

// A large group gets an index when its episodes are processed, and searches then use it, with and
// without a filter.
func TestProcessIndexesAGroupThatHasGrown(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	client := clienttest.Open(t, annals.Config{DatabaseURL: url, IndexedVectors: 40})
	var episodes []annals.Episode
	for i := range 60 {
		episodes = append(episodes, clienttest.Alice(fmt.Sprintf("I live at number %d in street %d.", i, i%7), "2024-03-15"))
	}
	query := annals.Query{
		GroupID: "t", Text: "street 3", Scopes: []graph.Kind{graph.KindEpisode}, Methods: []retrieval.Method{retrieval.MethodVector},
		Filter: retrieval.Filter{Actors: []string{"Alice"}},
	}
	search := func() (found []string) {
		result, err := client.Search(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		for _, hit := range result.Episodes {
			found = append(found, hit.Content)
		}
		return found
	}
	if _, err := client.AddAll(t.Context(), episodes); err != nil {
		t.Fatal(err)
	}
	clienttest.AddAndProcess(t, client)
	indexed := search()

	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	var names []string
	err = conn.QueryRow(t.Context(), `SELECT array_agg(i.relname::text) FROM annals_internal.vector_indexes x JOIN pg_class i ON i.relname = x.index_name
		WHERE x.group_id = 't' AND x.kind = 'episode' AND x.valid`).Scan(&names)
	if err != nil || len(names) != 1 {
		t.Fatalf("indexes of episodes: %v, %v", names, err)
	}
	if _, err := conn.Exec(t.Context(), "DELETE FROM annals_internal.vector_indexes"); err != nil { // back to comparing all vectors
		t.Fatal(err)
	}
	if diff := cmp.Diff(search(), indexed); diff != "" {
		t.Errorf("by index and by comparing all (-all +index):\n%s", diff)
	}
	if len(indexed) != retrieval.DefaultLimit {
		t.Errorf("%d found, want %d", len(indexed), retrieval.DefaultLimit)
	}
}
