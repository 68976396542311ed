package bench

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/db/embeddings"
	"github.com/annalsdb/annals/model"
)

// Options configures a benchmark. Only DatabaseURL is required.
type Options struct {
	// DatabaseURL is a migrated database. The benchmark creates groups named bench-…
	// and keeps them.
	DatabaseURL string

	// Sample is a text whose words become the most frequent of the invented groups.
	Sample string

	// Facts are the sizes of the groups. Empty: DefaultSizes.
	Facts []int

	// Others is the number of facts in further groups of the database. Their sizes
	// follow Zipf's law: the largest has a fifth of them.
	Others int

	// Queries is the number of queries of each class for each group. Zero:
	// DefaultQueries.
	Queries int

	// Budget is the approximate time to measure a method in a group, once cold and
	// once warm. Zero: DefaultBudget.
	Budget time.Duration

	// IndexedFrom is the number of vectors from which a group gets an index. Zero:
	// as in production; negative: no index.
	IndexedFrom int

	// Progress receives the current step. Nil: none.
	Progress func(what string)
}

// The defaults.
const (
	DefaultQueries = 50
	DefaultBudget  = 30 * time.Second
)

// DefaultSizes are the default sizes of groups, in facts.
var DefaultSizes = []int{1000, 10_000, 100_000}

func (o Options) withDefaults() Options {
	if len(o.Facts) == 0 {
		o.Facts = DefaultSizes
	}
	if o.Queries == 0 {
		o.Queries = DefaultQueries
	}
	if o.Budget == 0 {
		o.Budget = DefaultBudget
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	return o
}

// Machine describes where the benchmark ran.
type Machine struct {
	System     string `json:"system"`
	CPUs       int    `json:"cpus"`
	PostgreSQL string `json:"postgresql"`
	PGVector   string `json:"pgvector"`
	Embedder   string `json:"embedder"`
	Dimensions int    `json:"dimensions"`
}

// bench is a run.
type bench struct {
	options  Options
	pool     *pgxpool.Pool
	client   *annals.Client
	embedder model.Embedder
	words    *vocabulary
	machine  Machine
}

func open(ctx context.Context, o Options) (*bench, error) {
	b := &bench{options: o.withDefaults(), words: newVocabulary(o.Sample)}
	var err error
	if b.pool, err = db.Open(ctx, o.DatabaseURL); err != nil {
		return nil, err
	}
	if err := b.connect(ctx); err != nil {
		b.pool.Close()
		return nil, err
	}
	return b, nil
}

func (b *bench) connect(ctx context.Context) error {
	dimension, err := db.New(b.pool).EmbeddingDimension(ctx)
	if err != nil {
		return fmt.Errorf("read the embedding dimension: %w", err)
	}
	b.embedder = newTopicEmbedder(b.words, int(dimension))
	versions, err := db.New(b.pool).ServerVersions(ctx)
	if err != nil {
		return fmt.Errorf("ask the server for its version: %w", err)
	}
	b.machine = Machine{
		System: runtime.GOOS + "/" + runtime.GOARCH, CPUs: runtime.NumCPU(), PostgreSQL: versions.Server, PGVector: versions.Pgvector,
		Embedder: b.embedder.Name(), Dimensions: b.embedder.Dimensions(),
	}
	b.client, err = annals.Open(ctx, annals.Config{
		DatabaseURL: b.options.DatabaseURL, Embedder: b.embedder,
		IndexedVectors: -1, // the benchmark builds them itself and reports the time
	})
	return err
}

func (b *bench) close() {
	b.client.Close()
	b.pool.Close()
}

// Group is a measured group.
type Group struct {
	ID      string                   `json:"group"`
	Facts   int                      `json:"facts"`
	Load    float64                  `json:"load_seconds,omitempty"` // zero: an earlier run created it
	Indexes []embeddings.IndexChange `json:"indexes"`                // built or repaired in this run
	world   world
}

// group creates a group, unless it exists, with everything that searches need.
func (b *bench) group(ctx context.Context, id string, facts int) (Group, error) {
	g := Group{ID: id, Facts: facts, Indexes: []embeddings.IndexChange{}, world: newWorld(b.words, facts, hashOf(id))}
	b.options.Progress(fmt.Sprintf("making %s: %d facts", id, facts))
	took, err := load(ctx, b.pool, b.embedder, g.world, id, facts)
	if err != nil {
		return g, err
	}
	g.Load = took.Seconds()
	return g, b.client.Process(ctx, id, nil) // counts the group's terms
}

// groups creates all groups, the others first.
func (b *bench) groups(ctx context.Context) ([]Group, error) {
	for i, facts := range zipfSizes(b.options.Others, otherGroups) {
		if _, err := b.group(ctx, fmt.Sprintf("bench-other-%d-%02d", b.options.Others, i), facts); err != nil {
			return nil, err
		}
	}
	var groups []Group
	for _, facts := range b.options.Facts {
		g, err := b.group(ctx, fmt.Sprintf("bench-%d", facts), facts)
		if err != nil {
			return nil, err
		}
		groups = append(groups, g)
	}
	b.options.Progress("vacuuming")
	if err := b.vacuum(ctx); err != nil {
		return nil, err
	}
	return groups, b.index(ctx, groups)
}

// vacuum vacuums all tables; otherwise autovacuum would run during the first
// measurements.
func (b *bench) vacuum(ctx context.Context) error {
	if _, err := b.pool.Exec(ctx, `VACUUM (ANALYZE)`); err != nil {
		return fmt.Errorf("vacuum: %w", err)
	}
	return nil
}

// index builds the vector indexes that are due.
func (b *bench) index(ctx context.Context, groups []Group) error {
	if b.options.IndexedFrom < 0 {
		return nil
	}
	for i := range groups {
		b.options.Progress("indexing " + groups[i].ID)
		changes, err := embeddings.BuildIndexes(ctx, b.pool, groups[i].ID, b.options.IndexedFrom)
		if err != nil {
			return err
		}
		groups[i].Indexes = append(groups[i].Indexes, changes...)
	}
	return nil
}

const otherGroups = 40

// zipfSizes divides a number among groups by Zipf's law, largest first.
func zipfSizes(total, groups int) []int {
	if total <= 0 {
		return nil
	}
	shares := newRanks(groups, 1, 0)
	sizes := make([]int, 0, groups)
	before := 0.0
	for _, cumulative := range shares {
		if size := int(float64(total) * (cumulative - before) / shares[groups-1]); size > 0 {
			sizes = append(sizes, size)
		}
		before = cumulative
	}
	return sizes
}

// Latency holds percentiles of a time, in milliseconds.
type Latency struct {
	P50 float64 `json:"p50_ms"`
	P95 float64 `json:"p95_ms"`
	P99 float64 `json:"p99_ms"`
}

// latencyOf returns the percentiles of times, which it sorts.
func latencyOf(times []time.Duration) Latency {
	slices.Sort(times)
	return Latency{P50: percentile(times, 50), P95: percentile(times, 95), P99: percentile(times, 99)}
}

// percentile returns a percentile of sorted times by nearest rank.
func percentile(sorted []time.Duration, p int) float64 {
	if len(sorted) == 0 {
		return 0
	}
	rank := (len(sorted)*p + 99) / 100
	return float64(sorted[max(rank, 1)-1].Nanoseconds()) / 1e6
}
