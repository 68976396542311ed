package db_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/db/embeddings"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
)

const (
	dimensions = 384
	embedder   = `test:it's "a" \model`
	threshold  = 300 // vectors from which on the tests build an index
)

func open(t testing.TB) *pgxpool.Pool {
	t.Helper()
	pool, err := db.Open(t.Context(), pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

func exec(t testing.TB, pool *pgxpool.Pool, statement string, args ...any) {
	t.Helper()
	if _, err := pool.Exec(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
}

func one[T any](t testing.TB, pool *pgxpool.Pool, query string, args ...any) T {
	t.Helper()
	rows, err := pool.Query(t.Context(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	value, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// point is a vector that lies near one of ten centres.
func point(r *rand.Rand) []float32 {
	centre := rand.New(rand.NewPCG(r.Uint64N(10), 7))
	v := make([]float32, dimensions)
	for i := range v {
		v[i] = float32(centre.NormFloat64() + 0.7*r.NormFloat64())
	}
	return v
}

// fill gives a group so many more facts between two entities. Every tenth is of
// 2020 only; half of those are events, which do not end.
func fill(t testing.TB, pool *pgxpool.Pool, group string, facts int, seed uint64) {
	t.Helper()
	exec(t, pool, `INSERT INTO annals.groups (group_id) VALUES ($1) ON CONFLICT DO NOTHING`, group)
	ends := []uuid.UUID{uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())}
	exec(t, pool, `INSERT INTO annals.entities (group_id, id, name) SELECT $1, unnest($2::uuid[]), 'x'`, group, ends)
	r := rand.New(rand.NewPCG(seed, 1))
	ids, vectors := make([]uuid.UUID, facts), make([]string, facts)
	for i := range facts {
		ids[i] = uuid.Must(uuid.NewV7())
		vectors[i] = db.Vector(point(r)).String()
	}
	exec(t, pool, `INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, kind, valid, statement_id)
		SELECT $1, id, $2, $3, 'P' || n % 50, 'f', CASE WHEN n % 20 = 0 THEN 'event' ELSE 'state' END::annals.fact_kind,
			CASE WHEN n % 10 = 0 THEN tstzrange('2020-01-01', '2021-01-01') ELSE tstzrange('2020-01-01', NULL) END, id
		FROM unnest($4::uuid[]) WITH ORDINALITY AS x(id, n)`, group, ends[0], ends[1], ids)
	exec(t, pool, `INSERT INTO annals_internal.fact_embeddings (group_id, model, fact_id, embedding)
		SELECT $1, $2, id, vector::halfvec FROM unnest($3::uuid[], $4::text[]) AS x(id, vector)`, group, embedder, ids, vectors)
}

func nearest(group string) db.Nearest {
	return db.Nearest{
		Kind: graph.KindFact, GroupID: group, Model: embedder, Vector: point(rand.New(rand.NewPCG(99, 99))), Limit: 20, IncludeEnded: true,
	}
}

func search(t testing.TB, pool *pgxpool.Pool, n db.Nearest) []db.RankedRow {
	t.Helper()
	var found []db.RankedRow
	err := db.InSnapshot(t.Context(), pool, "alice", func(q *db.Queries) (err error) {
		found, err = q.NearestRows(t.Context(), n)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func shapeOf(t testing.TB, pool *pgxpool.Pool, group string) db.Shape {
	t.Helper()
	found, err := db.New(pool).Shape(t.Context(), db.ShapeParams{GroupID: group, Model: embedder})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func build(t testing.TB, pool *pgxpool.Pool, group string) []string {
	t.Helper()
	changes, err := embeddings.BuildIndexes(t.Context(), pool, group, threshold)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, c := range changes {
		said = append(said, fmt.Sprintf("%s %s of %s, %d", c.Change, c.Kind, c.GroupID, c.Vectors))
	}
	return said
}

// brute compares all rows.
func brute(t testing.TB, pool *pgxpool.Pool, n db.Nearest, condition string) []uuid.UUID {
	t.Helper()
	return ranked(t, pool, n, `SELECT v.fact_id FROM annals_internal.fact_embeddings v JOIN annals.facts f ON f.group_id = v.group_id AND f.id = v.fact_id
		WHERE v.group_id = $1 AND v.model = $2 AND (`+condition+`) ORDER BY (v.embedding <=> $3) + 0, 1 LIMIT $4`)
}

// ranked returns the ids of a query that takes the group, the model, the vector and the limit of a
// search.
func ranked(t testing.TB, pool *pgxpool.Pool, n db.Nearest, query string) []uuid.UUID {
	t.Helper()
	rows, err := pool.Query(t.Context(), query, n.GroupID, n.Model, db.Vector(n.Vector), n.Limit)
	if err != nil {
		t.Fatal(err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

func idsOf(found []db.RankedRow) []uuid.UUID {
	ids := []uuid.UUID{}
	for _, f := range found {
		ids = append(ids, f.ID)
	}
	return ids
}

func shared(a, b []uuid.UUID) int {
	n := 0
	for _, id := range a {
		if slices.Contains(b, id) {
			n++
		}
	}
	return n
}

// narrowing is a narrowed search, with the condition that its rows meet.
type narrowing struct {
	narrow    func(*db.Nearest)
	condition string
}

func narrowings() map[string]narrowing {
	then := time.Date(2020, 6, 1, 0, 0, 0, 0, time.UTC)
	return map[string]narrowing{
		"all":        {func(*db.Nearest) {}, `true`},
		"not ended":  {func(n *db.Nearest) { n.IncludeEnded = false }, `(f.kind = 'event' OR upper_inf(f.valid))`},
		"then":       {func(n *db.Nearest) { n.ValidAt = &then }, `true`},
		"rare":       {func(n *db.Nearest) { n.Narrowed, n.Filter = true, []byte(`{"predicates": ["P7"]}`) }, `f.predicate = 'P7'`},
		"very many":  {func(n *db.Nearest) { n.Limit = 900 }, `true`},
		"few":        {func(n *db.Nearest) { n.Limit = 1 }, `true`},
		"not at all": {func(n *db.Nearest) { n.Narrowed, n.Filter = true, []byte(`{"predicates": ["Q"]}`) }, `false`},
	}
}

func TestNearestRows(t *testing.T) {
	t.Parallel()
	pool := open(t)
	const group = `it's\`
	fill(t, pool, group, 600, 1)
	fill(t, pool, "neighbour", 400, 2)
	build(t, pool, group)
	shape := shapeOf(t, pool, group)
	if !shape.HasIndex(graph.KindFact) || shape.HasIndex(graph.KindEntity) || shapeOf(t, pool, "neighbour").HasIndex(graph.KindFact) {
		t.Fatalf("shape %+v: only the facts of %s are to have one", shape, group)
	}
	for name, tt := range narrowings() {
		n := nearest(group)
		tt.narrow(&n)
		want := brute(t, pool, n, tt.condition)
		if diff := cmp.Diff(append([]uuid.UUID{}, want...), idsOf(search(t, pool, n))); diff != "" {
			t.Errorf("%s, exactly: (-want +got)\n%s", name, diff)
		}
		n.Shape = shape
		got := search(t, pool, n)
		if both := shared(idsOf(got), want); len(got) != len(want) || both < len(want)*9/10 {
			t.Errorf("%s, by the index: %d of %d found, %d rows", name, both, len(want), len(got))
		}
		if !slices.IsSortedFunc(got, func(a, b db.RankedRow) int { return int(1e9 * (b.Score - a.Score)) }) {
			t.Errorf("%s, by the index: not the best first", name)
		}
	}
}

// A search by index stops at Enough rows, though the limit is higher: comparing all vectors is not
// worth the rest.
func TestEnoughIsNotGoneBeyond(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	pool := open(t)
	fill(t, pool, "g", 700, 1)
	build(t, pool, "g")
	var half []string
	for i := range 25 {
		half = append(half, fmt.Sprintf(`"P%d"`, 2*i))
	}
	n := nearest("g")
	n.Narrowed, n.Filter, n.Limit = true, []byte(`{"predicates": [`+strings.Join(half, ",")+`]}`), 250
	n.Shape = shapeOf(t, pool, "g")
	if all := search(t, pool, n); len(all) != 250 {
		t.Errorf("%d rows without a number that is enough, want 250", len(all))
	}
	n.Enough = 30
	some := search(t, pool, n)
	if len(some) < 30 || len(some) == 250 {
		t.Errorf("%d rows where 30 are enough, want what one look finds", len(some))
	}
	n.Enough = len(some) + 1
	if all := search(t, pool, n); len(all) != 250 {
		t.Errorf("%d rows where one look does not find enough, want 250", len(all))
	}
	n.Shape, n.Enough = db.Shape{}, 30
	if all := search(t, pool, n); len(all) != 250 {
		t.Errorf("%d rows without an index, want 250", len(all))
	}
}

// In a group with few facts the ended ones are known beforehand, however many there are. A fact
// that ends in the future has not ended.
func TestNearestOfFew(t *testing.T) {
	t.Parallel()
	pool := open(t)
	const group = "few"
	fill(t, pool, group, 300, 3)
	exec(t, pool, `UPDATE annals.facts SET valid = tstzrange('2020-01-01', now() + interval '1 year') WHERE predicate = 'P3'`)
	exec(t, pool, `UPDATE annals.facts SET valid = tstzrange('2020-01-01', '2022-01-01') WHERE predicate < 'P3'`)
	if shapeOf(t, pool, group).HasFew(graph.KindFact) {
		t.Fatal("facts that nobody has counted are said to be few")
	}
	if err := db.New(pool).StatisticsRefresh(t.Context(), group); err != nil {
		t.Fatal(err)
	}
	shape := shapeOf(t, pool, group)
	if ended := len(shape.Ended(graph.KindFact)); !shape.HasFew(graph.KindFact) || ended < 100 || ended > 200 {
		t.Fatalf("%d facts have ended of the few: %v", ended, shape.HasFew(graph.KindFact))
	}
	all := narrowings()
	all["not ended"] = narrowing{all["not ended"].narrow, `(f.kind = 'event' OR upper_inf(f.valid) OR upper(f.valid) > now())`}
	all["not ended, very many"] = narrowing{func(n *db.Nearest) { n.IncludeEnded, n.Limit = false, 900 }, all["not ended"].condition}
	for name, tt := range all {
		n := nearest(group)
		n.Shape = shape
		tt.narrow(&n)
		want := brute(t, pool, n, tt.condition)
		if diff := cmp.Diff(append([]uuid.UUID{}, want...), idsOf(search(t, pool, n))); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

// A search by vector walks the group's own index if there is one, and otherwise reads the rows of
// the group and the embedder by the key.
func TestVectorPlans(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	pool := open(t)
	fill(t, pool, "g", 800, 1)
	fill(t, pool, "neighbour", 3000, 2)
	changes, err := embeddings.BuildIndexes(t.Context(), pool, "g", threshold)
	if err != nil {
		t.Fatal(err)
	}
	exec(t, pool, `INSERT INTO annals_internal.fact_embeddings SELECT group_id, 'another', fact_id, embedding FROM annals_internal.fact_embeddings`)
	exec(t, pool, `VACUUM ANALYZE annals_internal.fact_embeddings, annals.facts`)
	filter := []byte(`{"predicates": ["P7"]}`)
	for name, tt := range map[string]struct {
		narrow  func(*db.Nearest)
		indexed bool
		look    db.Look
		want    string
		not     string
	}{
		"indexed":           {func(*db.Nearest) {}, true, db.LookOnce, "Index Scan using " + changes[0].Index, "fact_embeddings_pkey"},
		"indexed, in force": {func(n *db.Nearest) { n.IncludeEnded = false }, true, db.LookOnce, "Index Scan using " + changes[0].Index, "Hash Join"},
		"indexed, narrowed": {func(n *db.Nearest) { n.Narrowed, n.Filter = true, filter }, true, db.LookOnce, "Index Scan using " + changes[0].Index, "Hash Join"},
		"exact":             {func(*db.Nearest) {}, false, db.LookOnce, "Index Scan using fact_embeddings_pkey", "hnsw"},
		"exact, in force":   {func(n *db.Nearest) { n.IncludeEnded = false }, false, db.LookOnce, "Index Scan using fact_embeddings_pkey", "Hash Join"},
		"exact, narrowed":   {func(n *db.Nearest) { n.Narrowed, n.Filter = true, filter }, false, db.LookOnce, "Index Scan using fact_embeddings_pkey", "Hash Join"},
		"chosen, narrowed":  {func(n *db.Nearest) { n.Narrowed, n.Filter = true, filter }, true, db.LookAll, "(fact_id = c.id)", "hnsw"},
	} {
		n := nearest("g")
		tt.narrow(&n)
		if tt.indexed {
			n.Shape = shapeOf(t, pool, "g")
		}
		plan := explain(t, pool, n, tt.look)
		if !strings.Contains(plan, tt.want) || strings.Contains(plan, tt.not) {
			t.Errorf("%s: want %q and no %q in\n%s", name, tt.want, tt.not, plan)
		}
	}
}

// explain is the plan of a search as it runs.
func explain(t testing.TB, pool *pgxpool.Pool, n db.Nearest, look db.Look) string {
	t.Helper()
	batch := &pgx.Batch{}
	n.Queue(batch, look, new([]db.RankedRow))
	statement := batch.QueuedQueries[len(batch.QueuedQueries)-1]
	rows, err := pool.Query(t.Context(), "EXPLAIN (ANALYZE) "+statement.SQL, statement.Arguments...)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`'\[[^]]*\]'`).ReplaceAllString(strings.Join(lines, "\n"), "the vector")
}

func TestBuildVectorIndexes(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	pool := open(t)
	run := func(want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, build(t, pool, "")); diff != "" {
			t.Errorf("changes (-want +got):\n%s", diff)
		}
		exec(t, pool, `UPDATE annals_internal.vector_indexes SET checked_at = '2020-01-01'`)
	}
	count := func(documents int) {
		t.Helper()
		exec(t, pool, `INSERT INTO annals_internal.search_statistics (group_id, kind, documents, terms) VALUES ('g', 'fact', $1, 1)
			ON CONFLICT (group_id, kind) DO UPDATE SET documents = excluded.documents`, documents)
	}
	fill(t, pool, "g", threshold-1, 1)
	count(threshold)
	run()
	fill(t, pool, "g", 1, 2)
	run("built fact of g, 300")
	run()
	fill(t, pool, "g", threshold, 3)
	count(2 * threshold)
	run("rebuilt fact of g, 600")
	exec(t, pool, `DELETE FROM annals_internal.fact_embeddings WHERE fact_id IN (SELECT fact_id FROM annals_internal.fact_embeddings LIMIT 450)`)
	run() // 150: from half the threshold on, an index stays
	exec(t, pool, `DELETE FROM annals_internal.fact_embeddings WHERE fact_id IN (SELECT fact_id FROM annals_internal.fact_embeddings LIMIT 1)`)
	run("dropped fact of g, 149")
	if got := ours(t, pool); len(got) != 0 {
		t.Errorf("indexes %v are left", got)
	}
}

// ours lists the vector indexes of groups that exist.
func ours(t testing.TB, pool *pgxpool.Pool) []string {
	t.Helper()
	return one[[]string](t, pool, `SELECT coalesce(array_agg(relname::text ORDER BY relname), '{}') FROM pg_class WHERE relname LIKE '%\_hnsw\_%'`)
}
