package retrieval_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/retrieval"
)

type world struct {
	t        *testing.T
	pool     *pgxpool.Pool
	embedder model.Embedder
	search   *retrieval.Searcher
}

func newWorld(t *testing.T) *world {
	t.Helper()
	pool, err := db.Open(t.Context(), pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	embedder, err := model.NewHashEmbedder(384)
	if err != nil {
		t.Fatal(err)
	}
	return &world{t: t, pool: pool, embedder: embedder, search: retrieval.New(pool, embedder, nil)}
}

func (w *world) exec(statement string, args ...any) {
	w.t.Helper()
	if _, err := w.pool.Exec(w.t.Context(), statement, args...); err != nil {
		w.t.Fatal(err)
	}
}

// fact stores a fact between two entities of its own.
func (w *world) fact(group, sentence, valid string) uuid.UUID {
	w.t.Helper()
	id := uuid.Must(uuid.NewV7())
	w.exec(`INSERT INTO annals.groups (group_id) VALUES ($1) ON CONFLICT DO NOTHING`, group)
	w.exec(`WITH ends AS (
			INSERT INTO annals.entities (group_id, id, name) SELECT $1, gen_random_uuid(), n FROM unnest('{a,b}'::text[]) n RETURNING id)
		INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id)
		SELECT $1, $2, min(id::text)::uuid, max(id::text)::uuid, 'SAYS', $3, $4::tstzrange, $2 FROM ends`, group, id, sentence, valid)
	w.exec(`INSERT INTO annals_internal.fact_embeddings (group_id, model, fact_id, embedding) VALUES ($1, $2, $3, $4)`,
		group, w.embedder.Name(), id, db.Vector(w.vectorOf(sentence)))
	if err := db.New(w.pool).StatisticsRefresh(w.t.Context(), group); err != nil {
		w.t.Fatal(err)
	}
	return id
}

func (w *world) vectorOf(text string) []float32 {
	w.t.Helper()
	vectors, err := w.embedder.Embed(w.t.Context(), []string{text})
	if err != nil {
		w.t.Fatal(err)
	}
	return vectors[0]
}

func (w *world) find(q retrieval.Query) []string {
	w.t.Helper()
	result, err := w.search.Search(w.t.Context(), q)
	if err != nil {
		w.t.Fatal(err)
	}
	sentences := make([]string, len(result.Facts))
	for i, hit := range result.Facts {
		sentences[i] = hit.Fact.Fact
	}
	return sentences
}

func TestSearchKeepsToTimeAndGroup(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("g", "Alice lives in Paris.", "[2023-01-10,2024-03-08)")
	w.fact("g", "Alice lives in Lisbon.", "[2024-03-08,)")
	w.fact("other", "Alice lives in Rome.", "[2020-01-01,)")
	for _, tt := range []struct {
		name  string
		query retrieval.Query
		want  []string
	}{
		{"what holds", retrieval.Query{GroupID: "g", Text: "where does Alice live"}, []string{"Alice lives in Lisbon."}},
		{
			"with what ended",
			retrieval.Query{GroupID: "g", Text: "Alice lives Paris", IncludeEnded: true},
			[]string{"Alice lives in Paris.", "Alice lives in Lisbon."},
		},
		{
			"as of a day",
			retrieval.Query{GroupID: "g", Text: "Alice", ValidAt: time.Date(2023, 6, 1, 0, 0, 0, 0, time.UTC)},
			[]string{"Alice lives in Paris."},
		},
		{
			"before everything",
			retrieval.Query{GroupID: "g", Text: "Alice", ValidAt: time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)},
			[]string{},
		},
		{"a group that is not there", retrieval.Query{GroupID: "nobody", Text: "Alice"}, []string{}},
		{"no words", retrieval.Query{GroupID: "g", Text: " \x00\n"}, []string{}},
	} {
		if got := w.find(tt.query); !slices.Equal(got, tt.want) {
			t.Errorf("%s: found %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A scope or method that is named twice counts once.
func TestScopesAndMethodsCountOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("g", "Alice lives in Lisbon.", "[2024-03-08,)")
	result, err := w.search.Search(t.Context(), retrieval.Query{
		GroupID: "g", Text: "Alice", Explain: true, Scopes: []graph.Kind{graph.KindFact, graph.KindFact},
		Methods: []retrieval.Method{retrieval.MethodTerms, retrieval.MethodTerms},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Facts) != 1 || len(result.Explanation.Hits) != 1 || len(result.Explanation.Steps) != 3 { // it looks up the group, ranks and reads
		t.Errorf("found %+v, explained by %+v", result.Facts, result.Explanation)
	}
}

// interrupted fails once with the error of a search that the server cancels because of others, and
// then scores all texts alike.
type interrupted struct{ failed atomic.Bool }

func (*interrupted) Name() string { return "interrupted" }

func (i *interrupted) Rerank(_ context.Context, _ string, texts []string) ([]float64, error) {
	if !i.failed.Swap(true) {
		return nil, &pgconn.PgError{Code: "40001"}
	}
	return make([]float64, len(texts)), nil
}

func TestSearchBeginsAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("g", "Alice lives in Rome.", "[2010-01-01,2012-01-01)")
	w.fact("g", "Alice lives in Lisbon.", "[2021-03-08,)")
	q := retrieval.Query{
		GroupID: "g", Text: "Where did Alice live in 2022?", Scopes: []graph.Kind{graph.KindFact}, Explain: true,
		Rerank: []retrieval.Rerank{retrieval.RerankModel},
	}
	result, err := retrieval.New(w.pool, w.embedder, &interrupted{}).Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Facts) != 1 || result.Facts[0].Fact.Fact != "Alice lives in Lisbon." {
		t.Errorf("found %+v, want what held in 2022", result.Facts)
	}
	reads := 0
	for _, step := range result.Explanation.Steps {
		if step.Step == "look the group up, and rank" {
			reads++
		}
	}
	if reads != 1 || len(result.Explanation.Hits) != 1 {
		t.Errorf("explained by %+v, want one search", result.Explanation)
	}
}

func TestAnyBytesAreAQuery(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("g", "Alice lives in Lisbon.", "[2024-03-08,)")
	random := rand.New(rand.NewPCG(1, 2))
	queries := []string{`"`, `a & | !`, "(((", ":*", "%_", `\`, "'; DROP TABLE annals.facts; --", strings.Repeat("word ", 100_000)}
	for range 200 {
		b := make([]byte, random.IntN(80))
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		queries = append(queries, string(b))
	}
	for _, q := range queries {
		if _, err := w.search.Search(t.Context(), retrieval.Query{GroupID: "g", Text: q}); err != nil {
			t.Errorf("query %q: %v", q, err)
		}
	}
}

func TestBadQueries(t *testing.T) {
	t.Parallel()
	search := retrieval.New(nil, nil, nil)
	for _, q := range []retrieval.Query{
		{GroupID: "", Text: "x"},
		{GroupID: "no spaces please", Text: "x"},
		{GroupID: "g", Text: "x", Limit: -1},
		{GroupID: "g", Text: "x", Limit: retrieval.MaxLimit + 1},
		{GroupID: "g", Text: "x", Lambda: math.NaN()},
		{GroupID: "g", Text: "x", ValidAt: time.Date(99999, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		if _, err := search.Search(context.Background(), q); graph.CodeOf(err) != graph.CodeInvalid {
			t.Errorf("%+v: %v; want it refused", q, err)
		}
	}
}

// The ranking by terms is Okapi BM25, to the last digit: the formula over the same analysed terms,
// computed document by document.
func TestRankByTermsIsOkapiBM25(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	words := strings.Fields("river harbour lamp garden music train letter winter copper bread window silver forest morning paper")
	random := rand.New(rand.NewPCG(3, 4))
	documents := map[uuid.UUID][]string{}
	for range 120 {
		document := make([]string, 3+random.IntN(20))
		for i := range document {
			document[i] = words[min(random.IntN(len(words)), random.IntN(len(words)))]
		}
		// A fact is also found by its relation, SAYS.
		documents[w.fact("g", strings.Join(document, " "), "[2024-01-01,)")] = append(document, "say")
	}
	for range 40 {
		query := []string{words[random.IntN(len(words))], words[random.IntN(len(words))], "unheard"}
		found, err := db.New(w.pool).ByWords(t.Context(), "g", nil, db.Words{Text: strings.Join(query, " "), Kind: graph.KindFact, MaxRows: 1000})
		rows := found.Ranking
		if err != nil {
			t.Fatal(err)
		}
		want := okapi(documents, query)
		if len(rows) != len(want) {
			t.Fatalf("%q: %d documents, want %d", query, len(rows), len(want))
		}
		for i, row := range rows {
			if math.Abs(row.Score-want[row.ID]) > 1e-9 {
				t.Errorf("%q: document %d scores %v, want %v", query, i, row.Score, want[row.ID])
			}
		}
		if !slices.IsSortedFunc(rows, func(a, b db.RankedRow) int { return cmp.Compare(b.Score, a.Score) }) {
			t.Errorf("%q: not best first", query)
		}
	}
}

func okapi(documents map[uuid.UUID][]string, query []string) map[uuid.UUID]float64 {
	total := 0
	for _, d := range documents {
		total += len(d)
	}
	mean := float64(total) / float64(len(documents))
	slices.Sort(query)
	scores := map[uuid.UUID]float64{}
	for _, term := range slices.Compact(query) {
		df := 0.0
		for _, d := range documents {
			if slices.Contains(d, term) {
				df++
			}
		}
		idf := math.Log(1 + (float64(len(documents))-df+0.5)/(df+0.5))
		for id, d := range documents {
			tf := 0.0
			for _, word := range d {
				if word == term {
					tf++
				}
			}
			if tf > 0 {
				scores[id] += idf * tf * 2.2 / (tf + 1.2*(0.25+0.75*float64(len(d))/mean))
			}
		}
	}
	return scores
}

// vacuum makes index-only scans of a table possible. It retries if another process, such as
// autovacuum, was holding the table.
func (w *world) vacuum(table string) {
	w.t.Helper()
	for visible := false; !visible; {
		w.exec(`VACUUM ANALYZE ` + table)
		if err := w.pool.QueryRow(w.t.Context(), `SELECT relallvisible > 0.9 * relpages FROM pg_class WHERE oid = $1::regclass`, table).Scan(&visible); err != nil {
			w.t.Fatal(err)
		}
	}
}

// The searches must stay on the keys that make them fast: a sequential scan or
// a visit to the table for each vector would go unnoticed in a small test.
func TestPlansKeepTheirIndexes(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	w := newWorld(t)
	for i := range 300 {
		w.fact("g", fmt.Sprintf("Sentence number %d of a group.", i), "[2024-01-01,)")
	}
	w.exec(`INSERT INTO annals.groups (group_id) SELECT 'other' || n FROM generate_series(1, 40) n`)
	w.exec(`INSERT INTO annals.entities (group_id, id, name)
		SELECT 'other' || n, ('00000000-0000-0000-0000-00000000000' || e)::uuid, 'x' FROM generate_series(1, 40) n, generate_series(1, 2) e`)
	w.exec(`INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id)
		SELECT 'other' || n % 40 + 1, gen_random_uuid(), '00000000-0000-0000-0000-000000000001',
			'00000000-0000-0000-0000-000000000002', 'IS', 'A sentence of another group.', '[2024-01-01,)', gen_random_uuid()
		FROM generate_series(1, 4000) n`)
	w.exec(`INSERT INTO annals_internal.fact_embeddings (group_id, model, fact_id, embedding)
		SELECT f.group_id, $1, f.id, (SELECT embedding FROM annals_internal.fact_embeddings LIMIT 1) FROM annals.facts f WHERE group_id <> 'g'`,
		w.embedder.Name())
	w.vacuum("annals_internal.postings")
	w.vacuum("annals_internal.fact_embeddings")
	for _, tt := range []struct{ name, query, want string }{
		{"terms", `SELECT term, document_id, tf, length FROM annals_internal.postings WHERE group_id = 'g' AND kind = 'fact' AND term = 'sentenc'`, "Index Only Scan using postings_pkey"},
		{"vectors", `SELECT fact_id FROM annals_internal.fact_embeddings WHERE group_id = 'g' AND model = '` + w.embedder.Name() + `'
			ORDER BY (embedding <=> (SELECT embedding FROM annals_internal.fact_embeddings LIMIT 1)) + 0 LIMIT 10`, "Scan on fact_embeddings_"},
	} {
		rows, err := w.pool.Query(t.Context(), "EXPLAIN "+tt.query)
		if err != nil {
			t.Fatal(err)
		}
		var plan []string
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err != nil {
				t.Fatal(err)
			}
			plan = append(plan, line)
		}
		if text := strings.Join(plan, "\n"); !strings.Contains(text, tt.want) {
			t.Errorf("%s: the plan has no %q:\n%s", tt.name, tt.want, text)
		}
	}
}
