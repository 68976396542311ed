package retrieval_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/retrieval"
)

// A search and a context take three round trips on one connection, whatever the size of the group,
// unless they walk along the graph or few rows pass a filter.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	for _, rows := range []int{44, 500, 5000, 100_000} {
		t.Run(fmt.Sprint(rows), func(t *testing.T) {
			if rows > 44 {
				slow.Test(t)
			}
			if rows > 5000 && !slow.Long() {
				t.Skip("rows are stored for minutes: ANNALS_TEST_LONG=1 does so")
			}
			t.Parallel()
			w := newWorld(t)
			w.conversation(rows)
			w.harbours(rows, rows/5) // which counts both
			count := &pgtest.Trips{}
			pool, err := db.Open(t.Context(), w.pool.Config().ConnString(), func(c *pgxpool.Config) { c.ConnConfig.Tracer = count })
			if err != nil {
				t.Fatal(err)
			}
			defer pool.Close()
			for _, bound := range []db.Pool{pool, db.Tenant(pool, "g")} {
				w.tripsWithin(retrieval.New(bound, w.embedder, nil), count)
			}
		})
	}
}

// tripsWithin counts the round trips of searches that have cached the shape of the group.
func (w *world) tripsWithin(search *retrieval.Searcher, count *pgtest.Trips) {
	w.t.Helper()
	whole := retrieval.Query{GroupID: "g", Text: "Who painted harbour 7?"}
	filtered, past, known, facts, context := whole, whole, whole, whole, whole
	filtered.Filter = retrieval.Filter{Predicates: []string{"SAYS"}, Sources: []graph.Source{graph.SourceMessage}}
	past.ValidAt = time.Now().AddDate(0, -1, 0)
	known.KnownAt = time.Now()
	facts.Scopes = []graph.Kind{graph.KindFact}
	context.Pinned, context.SaidByThen, context.Former, context.Changes, context.Replies, context.MinFit = true, true, true, true, true, retrieval.NothingKnown
	for name, c := range map[string]struct {
		query             retrieval.Query
		trips, statements int
	}{
		"plain": {whole, 3, 10}, "filtered": {filtered, 4, 10}, "as of": {past, 3, 10}, "facts alone": {facts, 2, 6},
		"as known": {known, 3, 15}, "context": {context, 3, 13},
	} {
		for range 2 { // the first caches the shape of the group
			count.Begin()
			if _, err := search.Search(w.t.Context(), c.query); err != nil {
				w.t.Fatal(err)
			}
		}
		if count.N > c.trips || count.Statements > c.statements || len(count.Connections) != 1 {
			w.t.Errorf("%s: %d round trips, %d statements, %d connections; want %d, %d and 1", name, count.N, count.Statements, len(count.Connections), c.trips, c.statements)
		}
	}
}

// conversation stores so many messages of threads of twenty, with their vectors.
func (w *world) conversation(messages int) {
	w.t.Helper()
	vector := db.Vector(w.vectorOf("the harbour"))
	w.exec(`INSERT INTO annals.groups (group_id) VALUES ('g')`)
	w.exec(`WITH e AS (
			INSERT INTO annals.episodes (group_id, id, content, thread_id, actor, occurred_at)
			SELECT 'g', gen_random_uuid(), 'the harbour ' || n || CASE WHEN n % 7 = 0 THEN ', is it deep?' ELSE '' END, 't' || n / 20, CASE n % 2 WHEN 0 THEN 'Ana' ELSE 'Ben' END,
				'2024-01-01'::timestamptz + n * interval '1 minute'
			FROM generate_series(1, $1::int) AS n RETURNING id)
		INSERT INTO annals_internal.episode_embeddings (group_id, model, episode_id, embedding) SELECT 'g', $2, e.id, $3::text::halfvec FROM e`,
		messages, w.embedder.Name(), vector.String())
}
