package retrieval_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/retrieval"
)

// A search for facts takes two round trips, in a small group and in a larger one: the shape with
// the rankings, and the rows of the hits. With one more scope it finds the same facts, also if many
// near ones have ended.
func TestSmallGroupsAreReadAhead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ facts, ended, trips int }{
		{facts: 3, trips: 2},
		{facts: 3, ended: 2, trips: 2},
		{facts: 240, ended: 130, trips: 2},
		{facts: 400, trips: 2},
		{facts: 400, ended: 100, trips: 2},
		{facts: 600, trips: 2}, // they are many
	} {
		t.Run(fmt.Sprintf("%d facts, %d ended", c.facts, c.ended), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.harbours(c.facts, c.ended)
			count := &pgtest.Trips{}
			pool, err := db.Open(t.Context(), w.pool.Config().ConnString(), func(c *pgxpool.Config) { c.ConnConfig.Tracer = count })
			if err != nil {
				t.Fatal(err)
			}
			defer pool.Close()
			search := retrieval.New(pool, w.embedder, nil)
			query := retrieval.Query{
				GroupID: "g", Text: "the harbour 7", Scopes: []graph.Kind{graph.KindFact},
				Methods: []retrieval.Method{retrieval.MethodTerms, retrieval.MethodVector},
			}
			if _, err := search.Search(t.Context(), query); err != nil { // the searcher caches the shape of the group
				t.Fatal(err)
			}
			count.N = 0
			alone, err := search.Search(t.Context(), query)
			if err != nil {
				t.Fatal(err)
			}
			if count.N != c.trips {
				t.Errorf("the search took %d round trips, want %d", count.N, c.trips)
			}
			query.Scopes = append(query.Scopes, graph.KindCommunity)
			among, err := search.Search(t.Context(), query)
			if err != nil {
				t.Fatal(err)
			}
			if want := min(c.facts-c.ended, retrieval.DefaultLimit); len(alone.Facts) != want {
				t.Errorf("found %d facts, want %d", len(alone.Facts), want)
			}
			if diff := cmp.Diff(among.Facts, alone.Facts); diff != "" {
				t.Errorf("(-one after the other +read ahead):\n%s", diff)
			}
		})
	}
}

// At KnownAt, communities are ranked by their texts of that time.
func TestCommunitiesAreRankedAsTheyWereKnown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("g", "The harbour is deep.", "[2023-01-10,)")
	w.exec(`INSERT INTO annals.communities (group_id, id, name, summary) VALUES ('g', gen_random_uuid(), 'Harbour', 'They look after the harbour.')`)
	before := time.Now()
	w.exec(`UPDATE annals.communities SET name = 'Painters', summary = 'They paint.' WHERE group_id = 'g'`)
	w.count()
	for text, ranked := range map[string]bool{"harbour": true, "paint": false} {
		result, err := w.search.Search(t.Context(), retrieval.Query{
			GroupID: "g", Text: text, Scopes: []graph.Kind{graph.KindCommunity}, KnownAt: before, Explain: true,
			Methods: []retrieval.Method{retrieval.MethodTerms, retrieval.MethodVector},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, hit := range result.Explanation.Hits {
			if _, is := hit.Places[retrieval.MethodTerms]; is != ranked {
				t.Errorf("%q is found at %+v", text, hit.Places)
			}
		}
		if ranked && len(result.Communities) != 1 {
			t.Errorf("%q finds %d communities", text, len(result.Communities))
		}
	}
}

// harbours stores so many facts about harbours, of which the first ones have ended.
func (w *world) harbours(facts, ended int) {
	w.t.Helper()
	w.fact("g", "The harbour 0 is deep.", "[2023-01-10,)")
	sentences, vectors := make([]string, facts-1), make([]string, facts-1)
	for i := range sentences {
		sentences[i] = fmt.Sprintf("The harbour %d is deep.", i+1)
		vectors[i] = db.Vector(w.vectorOf(sentences[i])).String()
	}
	w.exec(`WITH f AS (
			INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id)
			SELECT 'g', gen_random_uuid(), f.source_id, f.target_id, 'SAYS', s.sentence,
				CASE WHEN s.n <= $3 THEN '[2023-01-10,2024-03-08)' ELSE '[2023-01-10,)' END::tstzrange, f.statement_id
			FROM annals.facts f, unnest($1::text[]) WITH ORDINALITY AS s(sentence, n) WHERE f.group_id = 'g' RETURNING id, fact)
		INSERT INTO annals_internal.fact_embeddings (group_id, model, fact_id, embedding)
		SELECT 'g', $4, f.id, v.vector::halfvec FROM f JOIN unnest($1::text[], $2::text[]) AS v(sentence, vector) ON v.sentence = f.fact`,
		sentences, vectors, ended, w.embedder.Name())
	if err := db.New(w.pool).StatisticsRefresh(w.t.Context(), "g"); err != nil {
		w.t.Fatal(err)
	}
}
