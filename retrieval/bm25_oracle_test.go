package retrieval_test

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/blevesearch/bleve/v2"
	bleved "github.com/blevesearch/bleve/v2/document"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/search"
	index "github.com/blevesearch/bleve_index_api"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/corpora"
	"github.com/annalsdb/annals/internal/eval/locomo"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/testdata"
)

const (
	oracleQueries = 200  // of a corpus, in turn to its kinds
	sameRank      = 50   // places that are compared
	leastTau      = 0.99 // Kendall's, of each query
	sameScore     = 1e-6 // relative; bleve keeps 1/√length in 32 bits, good for 1e-7
)

var allKinds = []graph.Kind{graph.KindEpisode, graph.KindEntity, graph.KindFact, graph.KindCommunity}

// corpus is the database's analysis of texts: the terms of each document with their frequencies.
type corpus struct {
	kind      graph.Kind
	documents map[uuid.UUID]map[string]int
	lengths   map[uuid.UUID]int
	postings  map[string]map[uuid.UUID]int // documents: the other way around
	terms     int                          // in all
}

// stock gives each text to a row of a kind, in a group named after the kind.
func (w *world) stock(kind graph.Kind, texts []string) corpus {
	w.t.Helper()
	w.exec(`INSERT INTO annals.groups (group_id) VALUES ($1)`, string(kind))
	switch kind {
	case graph.KindEpisode:
		w.exec(`INSERT INTO annals.episodes (group_id, id, actor, content) SELECT $1, gen_random_uuid(), 'Nora', unnest($2::text[])`, string(kind), texts)
	case graph.KindEntity:
		w.exec(`INSERT INTO annals.entities (group_id, id, name, summary) SELECT $1, gen_random_uuid(), 'Nora', unnest($2::text[])`, string(kind), texts)
	case graph.KindCommunity:
		w.exec(`INSERT INTO annals.communities (group_id, id, name, summary) SELECT $1, gen_random_uuid(), 'Nora', unnest($2::text[])`, string(kind), texts)
	case graph.KindFact:
		w.exec(`WITH ends AS (
				INSERT INTO annals.entities (group_id, id, name) SELECT $1, gen_random_uuid(), n FROM unnest('{a,b}'::text[]) n RETURNING id)
			INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id)
			SELECT $1, gen_random_uuid(), min(ends.id::text)::uuid, max(ends.id::text)::uuid, 'TALKS_ABOUT', t.fact, '[2024-01-01,)', gen_random_uuid()
			FROM ends, unnest($2::text[]) WITH ORDINALITY AS t(fact, n) GROUP BY t.n, t.fact`, string(kind), texts)
	}
	w.exec(`ANALYZE annals_internal.postings`)
	if err := db.New(w.pool).StatisticsRefresh(w.t.Context(), string(kind)); err != nil {
		w.t.Fatal(err)
	}
	return w.analysed(kind)
}

// pack packs the postings of a stock.
func (w *world) pack(kind graph.Kind) {
	w.t.Helper()
	w.exec(`SELECT annals_internal.pack_postings($1, $1, array_agg(DISTINCT p.term)) FROM annals_internal.postings p WHERE p.group_id = $1 AND p.kind = $1`, string(kind))
	w.exec(`ANALYZE annals_internal.posting_blocks`)
	var loose int
	if err := w.pool.QueryRow(w.t.Context(), `SELECT count(*) FROM annals_internal.postings WHERE group_id = $1 AND kind = $1`, string(kind)).Scan(&loose); err != nil || loose > 0 {
		w.t.Fatalf("%d postings are not packed: %v", loose, err)
	}
}

// tables are where the rows of a kind are.
var tables = map[graph.Kind]string{
	graph.KindEpisode: "annals.episodes", graph.KindEntity: "annals.entities", graph.KindFact: "annals.facts", graph.KindCommunity: "annals.communities",
}

func (w *world) analysed(kind graph.Kind) corpus {
	w.t.Helper()
	c := corpus{kind: kind, documents: map[uuid.UUID]map[string]int{}, lengths: map[uuid.UUID]int{}, postings: map[string]map[uuid.UUID]int{}}
	rows, err := w.pool.Query(w.t.Context(), `SELECT d.id, t.lexeme, cardinality(t.positions) FROM `+tables[kind]+` d
		LEFT JOIN LATERAL unnest(d.terms) t ON true WHERE d.group_id = $1`, string(kind))
	if err != nil {
		w.t.Fatal(err)
	}
	var id uuid.UUID
	var term *string
	var tf *int
	_, err = pgx.ForEachRow(rows, []any{&id, &term, &tf}, func() error {
		if c.documents[id] == nil {
			c.documents[id] = map[string]int{}
		}
		if term != nil {
			if c.postings[*term] == nil {
				c.postings[*term] = map[uuid.UUID]int{}
			}
			c.documents[id][*term], c.postings[*term][id] = *tf, *tf
			c.lengths[id] += *tf
			c.terms += *tf
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

// okapi is the formula of BM25 (Robertson and Zaragoza, 2009, section 3.3) with
// k1 = 1.2, b = 0.75 and the idf that stays above zero.
func (c corpus) okapi(terms []string, meanLength float64) map[uuid.UUID]float64 {
	scores := map[uuid.UUID]float64{}
	for _, term := range terms {
		n := float64(len(c.postings[term]))
		idf := math.Log(1 + (float64(len(c.documents))-n+0.5)/(n+0.5))
		for id, times := range c.postings[term] {
			tf, length := float64(times), float64(c.lengths[id])
			scores[id] += idf * tf * (1.2 + 1) / (tf + 1.2*(1-0.75+0.75*length/meanLength))
		}
	}
	return scores
}

// oracle scores a corpus by bleve.
//
// bleve's BM25 differs from the formula in five ways, each of which is compensated here. It takes
// the root of the term frequency, so it is given the square. Its factor is k1, not k1+1. It rounds
// the mean length up, and uses the number of distinct terms as the length of all documents, so it
// is given a round mean. Its score for several terms is no sum: it multiplies by idf again and by
// the share of the terms found, so it is asked for each term by itself.
type oracle struct {
	t     *testing.T
	index bleve.Index
	stats *search.BM25Stats
	asked map[string]map[uuid.UUID]float64
}

const bagField = "terms"

func newOracle(t *testing.T, c corpus, meanLength int) *oracle {
	t.Helper()
	mapping := bleve.NewIndexMapping()
	mapping.ScoringModel = index.BM25Scoring
	x, err := bleve.NewUsing("", mapping, scorch.Name, scorch.Name, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	batch := x.NewBatch()
	for id, frequencies := range c.documents {
		d := bleved.NewDocument(id.String())
		d.AddField(bag{frequencies, c.lengths[id]})
		if err := batch.IndexAdvanced(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.Batch(batch); err != nil {
		t.Fatal(err)
	}
	stats := &search.BM25Stats{
		DocCount: float64(len(c.documents)), FieldCardinality: map[string]int{bagField: meanLength * len(c.documents)},
	}
	return &oracle{t: t, index: x, stats: stats, asked: map[string]map[uuid.UUID]float64{}}
}

// bag is a field of a document that is analysed already.
type bag struct {
	frequencies map[string]int
	length      int
}

func (bag) Name() string                        { return bagField }
func (bag) Value() []byte                       { return nil }
func (bag) ArrayPositions() []uint64            { return nil }
func (bag) EncodedFieldType() byte              { return 't' }
func (bag) Analyze()                            {}
func (bag) Options() index.FieldIndexingOptions { return index.IndexField }
func (bag) NumPlainTextBytes() uint64           { return 0 }
func (bag) Size() int                           { return 0 }
func (b bag) AnalyzedLength() int               { return b.length }

func (b bag) AnalyzedTokenFrequencies() index.TokenFrequencies {
	squares := index.TokenFrequencies{}
	for term, tf := range b.frequencies {
		squares[term] = &index.TokenFreq{Term: []byte(term)}
		squares[term].SetFrequency(tf * tf)
	}
	return squares
}

func (o *oracle) scores(terms []string) map[uuid.UUID]float64 {
	scores := map[uuid.UUID]float64{}
	for _, term := range terms {
		if o.asked[term] == nil {
			o.asked[term] = o.ask(term)
		}
		for id, score := range o.asked[term] {
			scores[id] += score
		}
	}
	return scores
}

func (o *oracle) ask(term string) map[uuid.UUID]float64 {
	o.t.Helper()
	q := bleve.NewTermQuery(term)
	q.SetField(bagField)
	request := bleve.NewSearchRequestOptions(q, int(o.stats.DocCount), 0, false)
	request.PreSearchData = map[string]any{search.BM25PreSearchDataKey: o.stats}
	result, err := o.index.SearchInContext(o.t.Context(), request)
	if err != nil {
		o.t.Fatal(err)
	}
	scores := map[uuid.UUID]float64{}
	for _, hit := range result.Hits {
		scores[uuid.MustParse(hit.ID)] = hit.Score * (1.2 + 1) / 1.2
	}
	return scores
}

// byTerms returns the database's scores, and its order.
func (w *world) byTerms(kind graph.Kind, query string, limit int) (map[uuid.UUID]float64, []uuid.UUID) {
	w.t.Helper()
	found, err := db.New(w.pool).ByWords(w.t.Context(), string(kind), nil, db.Words{Text: query, Kind: kind, IncludeEnded: true, MaxRows: limit})
	rows := found.Ranking
	if err != nil {
		w.t.Fatal(err)
	}
	scores := make(map[uuid.UUID]float64, len(rows))
	var order []uuid.UUID
	for _, row := range rows {
		scores[row.ID] = row.Score
		order = append(order, row.ID)
	}
	return scores, order
}

// fewByTerms returns the scores of all rows that hold any word of the query, in a group with few
// documents.
func (w *world) fewByTerms(kind graph.Kind, query string) map[uuid.UUID]float64 {
	w.t.Helper()
	queries := db.New(w.pool)
	shape, err := queries.Shape(w.t.Context(), db.ShapeParams{GroupID: string(kind), Model: w.embedder.Name()})
	if err != nil || !shape.HasFew(kind) {
		w.t.Fatalf("not few: %+v, %v", shape, err)
	}
	found, err := queries.ByWords(w.t.Context(), string(kind), nil, db.Words{Text: query, Kind: kind, Whole: true})
	if err != nil {
		w.t.Fatal(err)
	}
	return retrieval.OkapiOf(found.Postings, kind, shape)
}

// termsOf are the terms of a text as the database analyses it.
func (w *world) termsOf(text string) []string {
	w.t.Helper()
	var terms []string
	if err := w.pool.QueryRow(w.t.Context(), `SELECT tsvector_to_array(to_tsvector('annals.english', $1))`, text).Scan(&terms); err != nil {
		w.t.Fatal(err)
	}
	return terms
}

// compareWithBleve checks that ranks and scores of rows of each kind equal those of bleve and of
// the formula. The second half of the queries reads packed postings.
func compareWithBleve(t *testing.T, kinds []graph.Kind, texts, queries []string) {
	w := newWorld(t)
	for i, kind := range kinds {
		c := w.stock(kind, texts)
		mean := w.roundMeanLength(c)
		o := newOracle(t, c, mean)
		found := 0
		for n := i; n < len(queries); n += len(kinds) {
			if n >= len(queries)/2 && n < len(queries)/2+len(kinds) {
				w.pack(kind)
			}
			query := queries[n]
			terms := w.termsOf(query)
			got, order := w.byTerms(kind, query, len(c.documents))
			if !slices.IsSortedFunc(order, func(a, b uuid.UUID) int { return cmp.Compare(got[b], got[a]) }) {
				t.Errorf("%q: not the best first", query)
			}
			agree(t, query, got, c.okapi(terms, float64(mean)))
			agree(t, query, got, o.scores(terms))
			if len(texts) <= db.Few {
				agree(t, query, w.fewByTerms(kind, query), o.scores(terms))
			}
			found += min(len(got), 1)
		}
		if most := len(queries) / len(kinds); found < most*9/10 {
			t.Errorf("%s: only %d of %d queries find anything", kind, found, most)
		}
	}
}

// roundMeanLength checks the statistics of a group, then sets the mean length of
// its documents to a whole number.
func (w *world) roundMeanLength(c corpus) int {
	w.t.Helper()
	var documents, terms int
	if err := w.pool.QueryRow(w.t.Context(), `SELECT documents, terms FROM annals_internal.search_statistics WHERE group_id = $1 AND kind = $2`,
		string(c.kind), c.kind).Scan(&documents, &terms); err != nil {
		w.t.Fatal(err)
	}
	if documents != len(c.documents) || terms != c.terms {
		w.t.Errorf("%s: the statistics tell %d documents of %d terms, want %d of %d", c.kind, documents, terms, len(c.documents), c.terms)
	}
	mean := int(math.Ceil(float64(c.terms) / float64(len(c.documents))))
	w.exec(`UPDATE annals_internal.search_statistics SET terms = documents * $3 WHERE group_id = $1 AND kind = $2`, string(c.kind), c.kind, mean)
	return mean
}

// sampleWords are the words of the sample conversation, in its order.
func sampleWords(t *testing.T) []string {
	t.Helper()
	var words []string
	lines := bufio.NewScanner(bytes.NewReader(testdata.Conversation))
	for lines.Scan() {
		var line struct{ Content string }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		words = append(words, strings.Fields(line.Content)...)
	}
	return words
}

// The texts are runs of words of the sample conversation, whose frequent words are frequent, and
// numbers, which are rare. There are two thousand, and as few as are ranked as a whole.
func TestTermsRankAsBleveDoes(t *testing.T) {
	t.Parallel()
	for _, size := range []int{slow.Of(600, 2000, 2000), db.Few} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			termsRankAsBleveDoes(t, size)
		})
	}
}

func termsRankAsBleveDoes(t *testing.T, size int) {
	r := rand.New(rand.NewPCG(11, uint64(size)))
	words := sampleWords(t)
	runs := func(runs, length int) string {
		var text []string
		for range 1 + r.IntN(runs) {
			start := r.IntN(len(words) - length)
			text = append(text, words[start:start+1+r.IntN(length)]...)
		}
		return strings.Join(text, " ")
	}
	var texts, queries []string
	for i := range size {
		texts = append(texts, fmt.Sprintf("%s %d", runs(4, 8), i%(size/4)))
	}
	for i := range oracleQueries {
		queries = append(queries, fmt.Sprintf("%s %d", runs(3, 3), i))
	}
	compareWithBleve(t, allKinds, texts, queries)
}

// What people say in long conversations, and questions about it.
func TestTermsRankAsBleveDoesOnLoCoMo(t *testing.T) {
	t.Parallel()
	conversations, err := locomo.Load(corpora.Path(t, "locomo/locomo5_dev.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	var texts, queries []string
	for _, c := range conversations {
		lines, err := locomo.Convert(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			texts = append(texts, line.Actor+" "+line.Content)
		}
		for i := 0; i < len(c.Questions) && len(queries) < oracleQueries; i += 4 {
			queries = append(queries, c.Questions[i].Text)
		}
	}
	compareWithBleve(t, []graph.Kind{graph.KindEpisode}, texts, queries)
}
