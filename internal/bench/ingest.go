package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// Intake is the cost of ingesting episodes into a group.
type Intake struct {
	Group    string `json:"group"`
	Facts    int    `json:"facts"` // of the group before
	Indexed  bool   `json:"indexed"`
	Episodes int    `json:"episodes"`

	// Store is the time to validate and store an episode in a batch. Latency is
	// the time from the stored text to the committed graph, without the
	// language model.
	Store float64 `json:"store_ms"`
	Latency

	EpisodesPerSecond float64 `json:"episodes_per_second"` // storing and processing
	RowsPerSecond     float64 `json:"rows_per_second"`     // episodes, mentions and facts
}

// IngestReport is the cost of ingestion.
type IngestReport struct {
	Machine Machine  `json:"machine"`
	Groups  []Group  `json:"groups"`
	Intakes []Intake `json:"intakes"`
}

// Ingest measures ingestion into a group of each size. Queries is the number of
// episodes.
func Ingest(ctx context.Context, o Options) (IngestReport, error) {
	b, err := open(ctx, o)
	if err != nil {
		return IngestReport{}, err
	}
	defer b.close()
	report := IngestReport{Machine: b.machine, Intakes: []Intake{}}
	if report.Groups, err = b.groups(ctx); err != nil {
		return report, err
	}
	for _, g := range report.Groups {
		b.options.Progress("taking in to " + g.ID)
		intake, err := b.intake(ctx, g)
		if err != nil {
			return report, fmt.Errorf("take in to %s: %w", g.ID, err)
		}
		report.Intakes = append(report.Intakes, intake)
	}
	return report, nil
}

// intake ingests new episodes, with a script as the analyst.
func (b *bench) intake(ctx context.Context, g Group) (Intake, error) {
	shape, err := db.New(b.pool).Shape(ctx, db.ShapeParams{GroupID: g.ID, Model: b.embedder.Name()})
	if err != nil {
		return Intake{}, err
	}
	seed := uint64(time.Now().UnixNano()) // new episodes at each run
	analyst, episodes := newScript(g.world, rand.New(rand.NewPCG(g.world.seed, seed)), g.ID, b.options.Queries)
	client, err := annals.Open(ctx, annals.Config{DatabaseURL: b.options.DatabaseURL, Embedder: b.embedder, Analyst: analyst})
	if err != nil {
		return Intake{}, err
	}
	defer client.Close()
	began := time.Now()
	if _, err := client.AddAll(ctx, episodes); err != nil {
		return Intake{}, err
	}
	stored := time.Since(began)
	times, rows, err := process(ctx, client, g.ID)
	if err != nil {
		return Intake{}, err
	}
	took := time.Since(began)
	return Intake{
		Group: g.ID, Facts: g.Facts, Indexed: shape.HasIndex(graph.KindFact), Episodes: len(episodes),
		Store: stored.Seconds() * 1000 / float64(len(episodes)), Latency: latencyOf(times),
		EpisodesPerSecond: float64(len(episodes)) / took.Seconds(), RowsPerSecond: float64(rows) / took.Seconds(),
	}, nil
}

// process measures the time of each episode and counts the rows written.
func process(ctx context.Context, client *annals.Client, group string) (times []time.Duration, rows int, err error) {
	var failed error
	before := time.Now()
	err = client.Process(ctx, group, func(p annals.Processed) {
		times = append(times, time.Since(before))
		before = time.Now()
		rows += 1 + p.Entities + p.Facts
		if p.Err != nil {
			failed = p.Err
		}
	})
	if err == nil {
		err = failed
	}
	return times, rows, err
}

// Markdown returns the report for people.
func (r IngestReport) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nA script answers for the language model, at once. Times are of an episode of %d facts, in milliseconds.\n\n",
		r.Machine, factsPerEpisode)
	b.WriteString("| facts before | vector index | episodes | store | process p50 | p95 | p99 | episodes/s | rows/s |\n")
	b.WriteString("|--:|---|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, i := range r.Intakes {
		index := "none"
		if i.Indexed {
			index = "HNSW"
		}
		fmt.Fprintf(&b, "| %d | %s | %d | %.2f | %.2f | %.2f | %.2f | %.1f | %.0f |\n", i.Facts, index, i.Episodes, i.Store, i.P50, i.P95,
			i.P99, i.EpisodesPerSecond, i.RowsPerSecond)
	}
	return b.String()
}
