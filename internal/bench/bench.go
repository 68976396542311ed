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

// Options says what is measured. Only DatabaseURL has no default.
type Options struct {
	// DatabaseURL names a migrated database. Groups whose names begin with
	// bench- are made in it and left there.
	DatabaseURL string

	// Sample is a text whose words are the commonest of the made-up groups.
	Sample string

	// Facts are the sizes of the groups. Empty: DefaultSizes.
	Facts []int

	// Others is how many facts lie in the database in further groups, whose
	// sizes fall off by the law of Zipf: the largest has a fifth of them.
	Others int

	// Queries is how many of each class are put to each group. Zero: DefaultQueries.
	Queries int

	// Budget is about how long one method is measured in one group, once cold
	// and once warm. Zero: DefaultBudget.
	Budget time.Duration

	// IndexedFrom is from how many vectors on a group gets an index. Zero: as
	// in production; negative: none.
	IndexedFrom int

	// Progress is told what is being done. Nil: none.
	Progress func(what string)
}

// The defaults.
const (
	DefaultQueries = 50
	DefaultBudget  = 30 * time.Second
)

// DefaultSizes are the facts of the groups that are made.
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

// Machine is where it was measured.
type Machine struct {
	System     string `json:"system"`
	CPUs       int    `json:"cpus"`
	PostgreSQL string `json:"postgresql"`
	PGVector   string `json:"pgvector"`
	Embedder   string `json:"embedder"`
	Dimensions int    `json:"dimensions"`
}

// bench is one run.
type bench struct {
	options  Options
	pool     *pgxpool.Pool
	client   *annals.Client
	embedder model.Embedder
	words    *vocabulary
	machine  Machine
}

// open connects.
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
		IndexedVectors: -1, // the bench builds them, from another number on, and says how long it took
	})
	return err
}

func (b *bench) close() {
	b.client.Close()
	b.pool.Close()
}

// Group is a group that was measured.
type Group struct {
	ID      string                   `json:"group"`
	Facts   int                      `json:"facts"`
	Load    float64                  `json:"load_seconds,omitempty"` // zero: an earlier run made it
	Indexes []embeddings.IndexChange `json:"indexes"`                // made or mended in this run
	world   world
}

// group makes a group, unless it is there, with what searching it needs.
func (b *bench) group(ctx context.Context, id string, facts int) (Group, error) {
	g := Group{ID: id, Facts: facts, Indexes: []embeddings.IndexChange{}, world: newWorld(b.words, facts, hashOf(id))}
	b.options.Progress(fmt.Sprintf("making %s: %d facts", id, facts))
	took, err := load(ctx, b.pool, b.embedder, g.world, id, facts)
	if err != nil {
		return g, err
	}
	g.Load = took.Seconds()
	return g, b.client.Process(ctx, id, nil) // counts its terms
}

// groups makes all groups, the others first.
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

// vacuum vacuums all tables: else autovacuum would run while the first methods are
// timed.
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

// zipfSizes divides a number among groups, the largest first.
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

// Latency is how long something took, in milliseconds.
type Latency struct {
	P50 float64 `json:"p50_ms"`
	P95 float64 `json:"p95_ms"`
	P99 float64 `json:"p99_ms"`
}

// latencyOf sorts the times.
func latencyOf(times []time.Duration) Latency {
	slices.Sort(times)
	return Latency{P50: percentile(times, 50), P95: percentile(times, 95), P99: percentile(times, 99)}
}

// percentile is by nearest rank, of sorted times.
func percentile(sorted []time.Duration, p int) float64 {
	if len(sorted) == 0 {
		return 0
	}
	rank := (len(sorted)*p + 99) / 100
	return float64(sorted[max(rank, 1)-1].Nanoseconds()) / 1e6
}
