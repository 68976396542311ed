package upkeep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/db/embeddings"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// Health describes the state of the database, over all groups.
type Health struct {
	Extensions     map[string]string // versions by name
	InvalidIndexes []string          // indexes that no statement uses, since their build failed
	Unindexed      []UnindexedGroup  // groups whose vectors lack an index that they should have
	LostIndexes    []UnindexedGroup  // groups whose vector index is lost, as after a restore
	DeadRows       []DeadRows        // tables that vacuum has not processed, the worst first
	Stale          []string          // large tables with missing or outdated planner statistics
	Miscounted     int               // rows and groups whose stored counts are wrong or missing
	Behind         []string          // sequences that would repeat a number

	Waiting       int           // episodes
	OldestWaiting time.Duration // how long the oldest episode has waited; 0: none waits
	Failed        int           // episodes

	// Cluster is the state of the servers of a Citus cluster; nil: there is one server. If one of
	// them does not answer, nothing else is known.
	Cluster *db.Cluster

	// ClockAhead is how far the database's clock is ahead of this machine's, to within half the
	// round trip.
	ClockAhead time.Duration

	DatabaseBytes, TableBytes, IndexBytes int64 // TableBytes and IndexBytes are those of the schema annals
}

// UnindexedGroup is a group whose many vectors of a kind have no index.
type UnindexedGroup struct {
	GroupID string
	Kind    graph.Kind
	Vectors int // approximate
}

// DeadRows is a table with many dead rows.
type DeadRows struct {
	Table      string
	Live, Dead int // approximate
}

// A table is reported if it has at least this many dead rows, and this share.
const (
	manyDeadRows  = 10_000
	deadRowsShare = 0.5 // of the live rows; autovacuum runs at 0.2
)

// The statistics of a table are reported as stale if at least this many of its rows changed, and
// this share, or if a table of this size was never analysed.
const (
	manyChangedRows  = 10_000
	changedRowsShare = 0.5 // of the live rows; autoanalyze runs at 0.1
	manyBytes        = 8 << 20
)

// HealthOf reads the state of the database. indexed is how many vectors a group needs for an index.
// Zero: embeddings.DefaultIndexed; negative: never.
func HealthOf(ctx context.Context, pool db.Pool, indexed int) (Health, error) {
	var h Health
	cluster, err := db.ClusterOf(ctx, pool)
	if err != nil {
		return Health{}, fmt.Errorf("ask the cluster how it is: %w", err)
	}
	h.Cluster = cluster
	if cluster != nil && len(cluster.Unreachable) > 0 {
		return h, nil
	}
	queries := db.New(pool)
	unindexed := func(ctx context.Context, q *db.Queries) error { return h.askUnindexed(ctx, q, indexed) }
	for _, ask := range []func(context.Context, *db.Queries) error{h.askClock, h.askStructure, h.askRestored, h.askQueue, unindexed} {
		if err := ask(ctx, queries); err != nil {
			return Health{}, fmt.Errorf("ask the database how it is: %w", err)
		}
	}
	return h, nil
}

func (h *Health) askClock(ctx context.Context, q *db.Queries) error {
	if _, err := q.HealthClock(ctx); err != nil { // the first call prepares the statement, which takes longer
		return err
	}
	began := time.Now()
	now, err := q.HealthClock(ctx)
	h.ClockAhead = now.Sub(began.Add(time.Since(began) / 2))
	return err
}

func (h *Health) askStructure(ctx context.Context, q *db.Queries) error {
	extensions, err := q.HealthExtensions(ctx)
	h.Extensions = each.Map(extensions, func(e db.HealthExtensionsRow) (string, string) { return e.Name, e.Version })
	invalid, err2 := q.HealthInvalidIndexes(ctx)
	h.InvalidIndexes = invalid
	dead, err3 := q.HealthDeadRows(ctx, db.HealthDeadRowsParams{Least: manyDeadRows, Share: deadRowsShare})
	h.DeadRows = each.Of(dead, func(d db.HealthDeadRowsRow) DeadRows {
		return DeadRows{Table: d.Name, Live: int(d.Live), Dead: int(d.Dead)}
	})
	sizes, err4 := q.HealthSizes(ctx)
	h.DatabaseBytes, h.TableBytes, h.IndexBytes = sizes.Database, sizes.Tables, sizes.Indexes
	return errors.Join(err, err2, err3, err4)
}

// askRestored finds what has to be rebuilt after a restore.
func (h *Health) askRestored(ctx context.Context, q *db.Queries) error {
	stale, err := q.HealthStale(ctx, db.HealthStaleParams{Least: manyChangedRows, Share: changedRowsShare, Bytes: manyBytes})
	h.Stale = each.Of(stale, func(s db.HealthStaleRow) string { return s.Schema + "." + s.Name })
	lost, err2 := q.HealthLostIndexes(ctx)
	h.LostIndexes = each.Of(lost, func(l db.HealthLostIndexesRow) UnindexedGroup {
		return UnindexedGroup{GroupID: l.GroupID, Kind: l.Kind, Vectors: int(l.RowsAtBuild)}
	})
	counts, err3 := q.HealthCounts(ctx)
	h.Miscounted = int(counts.Entities + counts.Communities + counts.Groups)
	behind, err4 := q.HealthSequences(ctx)
	h.Behind = behind
	return errors.Join(err, err2, err3, err4)
}

func (h *Health) askQueue(ctx context.Context, q *db.Queries) error {
	queue, err := q.HealthQueue(ctx)
	h.Waiting, h.Failed = int(queue.Waiting), int(queue.Failed)
	h.OldestWaiting = time.Duration(queue.OldestSeconds * float64(time.Second))
	return err
}

func (h *Health) askUnindexed(ctx context.Context, q *db.Queries, threshold int) error {
	if threshold < 0 {
		return nil
	}
	rows, err := q.HealthUnindexed(ctx, int64(cmp.Or(threshold, embeddings.DefaultIndexed)))
	h.Unindexed = each.Of(rows, func(row db.HealthUnindexedRow) UnindexedGroup {
		return UnindexedGroup{GroupID: row.GroupID, Kind: row.Kind, Vectors: int(row.Documents)}
	})
	return err
}
