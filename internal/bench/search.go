package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// hits is how many hits are requested and compared with the exact ones.
const hits = 10

// Measurement is the result of a method for the queries of a class in a group.
type Measurement struct {
	Group   string `json:"group"`
	Facts   int    `json:"facts"`
	Method  string `json:"method"`
	Class   Class  `json:"class"` // all: of all classes
	Queries int    `json:"queries"`
	Latency
	Recall *float64 `json:"recall_at_10,omitempty"` // among the ten nearest, or the ten best by Okapi BM25; null: no exact answer is known
}

// ClassAll stands for all classes together.
const ClassAll Class = "all"

// SearchReport is the cost of searches.
type SearchReport struct {
	Machine      Machine       `json:"machine"`
	Groups       []Group       `json:"groups"`
	Others       int           `json:"other_facts"`
	Measurements []Measurement `json:"measurements"`
}

// query is a search with its exact answers.
type query struct {
	text    string
	class   Class
	vector  []float32
	seeds   []uuid.UUID
	nearest []uuid.UUID // by vector
	best    []uuid.UUID // by words, including ties with the last
}

// method is a way of searching to measure. exact returns the exact result; it
// is nil if that is not known.
type method struct {
	name   string
	search func(ctx context.Context, q *query) (found []uuid.UUID, err error)
	exact  func(q *query) []uuid.UUID
}

func nearest(q *query) []uuid.UUID { return q.nearest }
func best(q *query) []uuid.UUID    { return q.best }

// Search measures searches; see [SearchReport.Markdown] for the report.
func Search(ctx context.Context, o Options) (SearchReport, error) {
	b, err := open(ctx, o)
	if err != nil {
		return SearchReport{}, err
	}
	defer b.close()
	report := SearchReport{Machine: b.machine, Others: o.Others, Measurements: []Measurement{}}
	if report.Groups, err = b.groups(ctx); err != nil {
		return report, err
	}
	for _, g := range report.Groups {
		measured, err := b.measure(ctx, g)
		if err != nil {
			return report, fmt.Errorf("measure %s: %w", g.ID, err)
		}
		report.Measurements = append(report.Measurements, measured...)
	}
	return report, nil
}

func (b *bench) measure(ctx context.Context, g Group) ([]Measurement, error) {
	queries, err := b.queries(ctx, g)
	if err != nil {
		return nil, err
	}
	methods, err := b.methods(ctx, g)
	if err != nil {
		return nil, err
	}
	var measured []Measurement
	for _, m := range methods {
		b.options.Progress("measuring " + m.name + " in " + g.ID)
		times, err := timed(ctx, m, queries, b.options.Budget)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		measured = append(measured, times.measurements(g, m)...)
	}
	return measured, nil
}

// queries returns the queries of a group with their exact answers, the same for
// every method.
func (b *bench) queries(ctx context.Context, g Group) ([]*query, error) {
	r := rand.New(rand.NewPCG(g.world.seed, 17))
	var queries []*query
	for range b.options.Queries {
		for _, class := range classes {
			queries = append(queries, &query{text: g.world.query(r, class), class: class})
		}
	}
	for _, q := range queries {
		vectors, err := b.embedder.Embed(ctx, []string{q.text})
		if err != nil {
			return nil, err
		}
		q.vector = vectors[0]
		if q.nearest, err = b.nearest(ctx, g, q, db.Shape{}, 0); err != nil {
			return nil, err
		}
		rows, err := db.New(b.pool).RankByAllPostings(ctx, db.RankByAllPostingsParams{GroupID: g.ID, Query: q.text, MaxRows: hits})
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			q.best = append(q.best, row.ID)
		}
		found, err := b.client.Search(ctx, annals.Query{GroupID: g.ID, Text: g.world.name(g.world.popular.draw(r)), Scopes: []graph.Kind{graph.KindEntity}})
		if err != nil {
			return nil, err
		}
		for _, e := range found.Entities[:min(2, len(found.Entities))] {
			q.seeds = append(q.seeds, e.ID)
		}
	}
	return queries, nil
}

// nearest searches facts by vector alone.
func (b *bench) nearest(ctx context.Context, g Group, q *query, shape db.Shape, breadth int) ([]uuid.UUID, error) {
	var found []db.RankedRow
	err := db.InSnapshot(ctx, b.pool, g.ID, func(queries *db.Queries) (err error) {
		found, err = queries.NearestRows(ctx, db.Nearest{
			Kind: graph.KindFact, GroupID: g.ID, Model: b.embedder.Name(), Vector: q.vector, Limit: hits, IncludeEnded: true,
			Shape: shape, Breadth: breadth,
		})
		return err
	})
	return each.Of(found, func(row db.RankedRow) uuid.UUID { return row.ID }), err
}

// methods returns the ways to search a group.
func (b *bench) methods(ctx context.Context, g Group) ([]method, error) {
	bm25, cosine, bfs := annals.Query{}, annals.Query{}, annals.Query{}
	bm25.Methods = append(bm25.Methods, "bm25")
	cosine.Methods = append(cosine.Methods, "cosine")
	bfs.Methods = append(bfs.Methods, "bfs")
	hybrid, all := annals.Query{}, annals.Query{}
	hybrid.Methods = append(hybrid.Methods, "bm25", "cosine", "bfs")
	all.Methods = hybrid.Methods
	facts := []graph.Kind{graph.KindFact}
	bm25.Scopes, cosine.Scopes, bfs.Scopes, hybrid.Scopes = facts, facts, facts, facts
	methods := []method{{"exact vectors", func(ctx context.Context, q *query) ([]uuid.UUID, error) {
		return b.nearest(ctx, g, q, db.Shape{}, 0)
	}, nearest}}
	shape, err := db.New(b.pool).Shape(ctx, db.ShapeParams{GroupID: g.ID, Model: b.embedder.Name()})
	if err != nil {
		return nil, err
	}
	if shape.HasIndex(graph.KindFact) {
		for _, breadth := range []int{40, 100, 200, 300, 400} {
			methods = append(methods, method{fmt.Sprintf("HNSW, ef %d", breadth), func(ctx context.Context, q *query) ([]uuid.UUID, error) {
				return b.nearest(ctx, g, q, shape, breadth)
			}, nearest})
		}
	}
	tenant, err := b.client.ForTenant(ctx, g.ID)
	if err != nil {
		return nil, err
	}
	return append(methods,
		method{"bm25", b.asUsersDo(g, bm25), best},
		method{"cosine", b.asUsersDo(g, cosine), nil},
		method{"bfs, 2 hops", b.asUsersDo(g, bfs), nil},
		method{"hybrid of facts", b.asUsersDo(g, hybrid), nil},
		method{"hybrid of facts, as tenant", asUsersDo(tenant, g, hybrid), nil},
		method{"hybrid of all scopes", b.asUsersDo(g, all), nil},
		method{"hybrid of all scopes, as tenant", asUsersDo(tenant, g, all), nil},
	), nil
}

// asUsersDo searches through the client, starting with the text.
func (b *bench) asUsersDo(g Group, as annals.Query) func(context.Context, *query) ([]uuid.UUID, error) {
	return asUsersDo(b.client, g, as)
}

func asUsersDo(client *annals.Client, g Group, as annals.Query) func(context.Context, *query) ([]uuid.UUID, error) {
	walk := len(as.Methods) == 1 && as.Methods[0] == "bfs"
	return func(ctx context.Context, q *query) ([]uuid.UUID, error) {
		as := as
		as.GroupID, as.Text, as.Limit, as.IncludeEnded = g.ID, q.text, hits, false
		if walk {
			as.Seeds = q.seeds
		}
		result, err := client.Search(ctx, as)
		return each.Of(result.Facts, func(h annals.FactHit) uuid.UUID { return h.ID }), err
	}
}

// timings holds the times of a method and its hits, by class.
type timings struct {
	times  map[Class][]time.Duration
	found  map[Class]int
	wanted map[Class]int
}

// timed runs the queries twice and measures the second run, when everything is
// cached and planned. Classes alternate, so that a method that exceeds the
// budget is still measured on all of them.
func timed(ctx context.Context, m method, queries []*query, budget time.Duration) (timings, error) {
	t := timings{map[Class][]time.Duration{}, map[Class]int{}, map[Class]int{}}
	for _, warm := range []bool{false, true} {
		began := time.Now()
		for i, q := range queries {
			if i >= len(classes) && time.Since(began) > budget {
				break
			}
			before := time.Now()
			found, err := m.search(ctx, q)
			took := time.Since(before)
			if err != nil {
				return t, err
			}
			if warm {
				t.add(m, q, took, found)
			}
		}
	}
	return t, nil
}

func (t timings) add(m method, q *query, took time.Duration, found []uuid.UUID) {
	for _, class := range []Class{ClassAll, q.class} {
		t.times[class] = append(t.times[class], took)
		if m.exact != nil {
			exact := m.exact(q)
			t.found[class] += shared(found, exact)
			t.wanted[class] += min(hits, len(exact))
		}
	}
}

func shared(found, exact []uuid.UUID) int {
	wanted := make(map[uuid.UUID]bool, len(exact))
	for _, id := range exact {
		wanted[id] = true
	}
	n := 0
	for _, id := range found {
		if wanted[id] {
			n++
		}
	}
	return n
}

func (t timings) measurements(g Group, m method) []Measurement {
	var all []Measurement
	for _, class := range append([]Class{ClassAll}, classes...) {
		one := Measurement{
			Group: g.ID, Facts: g.Facts, Method: m.name, Class: class, Queries: len(t.times[class]), Latency: latencyOf(t.times[class]),
		}
		if t.wanted[class] > 0 {
			recall := float64(t.found[class]) / float64(t.wanted[class])
			one.Recall = &recall
		}
		all = append(all, one)
	}
	return all
}
