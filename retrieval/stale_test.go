package retrieval_test

import (
	"slices"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/retrieval"
)

// What became of hits is read only if the group has such facts, and is found then: a summary leaves
// out a fact that has ended, is not believed yet or begins later.
func TestStaleIsAskedWhereThereIsAny(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		valid, trust string
		over         bool
	}{
		"holds": {"[2020-01-01,)", "believed", false}, "has ended": {"[2020-01-01,2021-01-01)", "believed", true},
		"begins later": {"[2999-01-01,)", "believed", true}, "is not believed": {"[2020-01-01,)", "candidate", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.entity("g", "Ana", "Ana leads to Porto. Ana paints.")
			w.exec(`INSERT INTO annals.entities (group_id, id, name) VALUES ('g', gen_random_uuid(), 'Porto')`)
			w.exec(`INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, trust, statement_id)
				SELECT 'g', s.id, s.id, o.id, 'LEADS_TO', 'Ana leads to Porto.', $1::text::tstzrange, $2::text::annals.trust, s.id
				FROM annals.entities s, annals.entities o WHERE s.name = 'Ana' AND o.name = 'Porto'`, c.valid, c.trust)
			count := &pgtest.Trips{}
			pool, err := db.Open(t.Context(), w.pool.Config().ConnString(), func(p *pgxpool.Config) { p.ConnConfig.Tracer = count })
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(pool.Close)
			search := retrieval.New(pool, w.embedder, nil)
			q := retrieval.Query{GroupID: "g", Text: "Ana", Scopes: []graph.Kind{graph.KindEntity}, Methods: []retrieval.Method{retrieval.MethodTerms}}
			statements := map[bool]int{}
			for range 2 { // the first caches the shape of the group
				for _, q.Changes = range []bool{false, true} {
					count.Begin()
					found, err := search.Search(t.Context(), q)
					if err != nil {
						t.Fatal(err)
					}
					statements[q.Changes] = count.Statements
					told := func(e retrieval.EntityHit) bool { return e.Name == "Ana" && len(e.Over) > 0 }
					if is := slices.ContainsFunc(found.Entities, told); is != (q.Changes && c.over) {
						t.Errorf("that it is over is told: %t, of %v", is, found.Entities)
					}
				}
			}
			if asked := statements[true] > statements[false]; asked != c.over {
				t.Errorf("it is asked: %t", asked)
			}
		})
	}
}
