// Package embeddings is not an API. It keeps what searches by meaning need beside the rows: indexes
// over the vectors of large groups, the embedder that is in force, and its lock.
package embeddings

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// DefaultIndexed is the number of vectors of a kind from which a group has an index for them.
// Comparing 10,000 vectors of 384 dimensions takes half as long again as using an index; comparing
// fewer is quick, misses nothing and costs nothing to keep up.
const DefaultIndexed = 10_000

// hnswOptions are the links of a node and the candidates considered for them (Malkov & Yashunin,
// 2018, M and efConstruction). With 200 candidates building takes 1.8 times as long, and a search
// finds a hundredth more; with 24 links it finds no more in the same time.
const hnswOptions = "m = 16, ef_construction = 100"

// The memory to build in: the graph without its vectors takes about graphBytesPerVector a row. The
// most is not asked of a server with fewer shared buffers. One more process builds beside the
// first: two leave a share of a small server to its other work, and take little more than half the
// time of one.
const (
	graphBytesPerVector = 1200
	mostBuildMemory     = 1 << 30
	buildWorkers        = 1
)

// IndexChange is a change of the index of a group's vectors.
type IndexChange struct {
	GroupID string        `json:"group"`
	Kind    graph.Kind    `json:"kind"`
	Model   string        `json:"model"`
	Index   string        `json:"index"`
	Change  string        `json:"change"` // built, rebuilt or dropped
	Vectors int64         `json:"vectors"`
	Took    time.Duration `json:"-"`
	Seconds float64       `json:"seconds"`
}

// The changes.
const (
	IndexBuilt   = "built"
	IndexRebuilt = "rebuilt"
	IndexDropped = "dropped"
)

// BuildIndexes brings the vector indexes of a group, or of all groups if groupID is empty, up to
// date. It builds an index from threshold vectors on (zero: [DefaultIndexed]), rebuilds it when
// there are twice as many as at the last build, and drops it under half the threshold or with its
// group. First it removes what a crash left unfinished.
//
// Reads and writes go on meanwhile. It takes minutes for a large group, and two connections outside
// the pool. If another process is building, or a pooler has no connection to spare, it returns at
// once without changes. The caller must hold no transaction, and no lock that others wait for in a
// statement: building waits for every statement that began before it.
func BuildIndexes(ctx context.Context, pool db.Pool, groupID string, threshold int) ([]IndexChange, error) {
	if threshold == 0 {
		threshold = DefaultIndexed
	}
	b := &indexBuilder{pool: pool, threshold: int64(threshold)}
	err := db.WithLock(ctx, pool, db.LockVectorIndexes, func(work *pgx.Conn) error {
		b.work = work
		return b.run(ctx, groupID)
	})
	if err != nil && !errors.Is(err, db.ErrLocked) && !errors.Is(err, db.ErrNoRoom) { // which are for later
		return b.changes, fmt.Errorf("build the vector indexes: %w", err)
	}
	return b.changes, nil
}

// IndexesDue reports whether [BuildIndexes] should be called for a group. passages says that
// messages may have several vectors. It costs one small query.
func IndexesDue(ctx context.Context, pool db.Pool, groupID string, threshold int, passages bool) (bool, error) {
	if threshold == 0 {
		threshold = DefaultIndexed
	}
	perEpisode := int64(1)
	if passages {
		perEpisode = db.VectorsPerRow
	}
	kinds, err := db.New(pool).VectorKindsToCount(ctx, db.VectorKindsToCountParams{GroupID: groupID, Threshold: int64(threshold), PerEpisode: perEpisode})
	if err != nil {
		return false, fmt.Errorf("ask which vectors of %s to index: %w", groupID, err)
	}
	return len(kinds) > 0, nil
}

// indexBuilder builds indexes while it holds the lock.
type indexBuilder struct {
	pool      db.Pool
	work      *pgx.Conn
	schema    string // of pgvector
	threshold int64
	changes   []IndexChange
}

func (b *indexBuilder) run(ctx context.Context, groupID string) error {
	q := db.New(b.work)
	if err := b.set(ctx, 0, 0); err != nil {
		return err
	}
	vector, err := q.VectorType(ctx)
	if err != nil {
		return fmt.Errorf("look for pgvector: %w", err)
	}
	b.schema = vector.Schema
	if err := b.clear(ctx); err != nil {
		return err
	}
	groups := []string{groupID}
	if groupID == "" {
		if groups, err = q.VectorIndexCandidates(ctx, db.VectorIndexCandidatesParams{Threshold: b.threshold, PerEpisode: db.VectorsPerRow}); err != nil {
			return err
		}
	}
	for _, id := range groups {
		if err := b.group(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// clear drops stale indexes: those that a crash left, and those of groups that are gone.
func (b *indexBuilder) clear(ctx context.Context) error {
	q := db.New(b.work)
	stale, err := q.VectorIndexStale(ctx)
	if err != nil {
		return err
	}
	for _, line := range stale {
		if err := b.drop(ctx, line.GroupID, db.VectorIndexListRow{
			Kind: line.Kind, Model: line.Model, IndexName: line.IndexName, RowsAtBuild: line.RowsAtBuild,
		}, 0); err != nil {
			return err
		}
	}
	strays, err := q.VectorIndexStrays(ctx)
	if err != nil {
		return err
	}
	for _, name := range strays {
		if err := b.dropIndex(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// group makes the changes that one group needs.
func (b *indexBuilder) group(ctx context.Context, groupID string) error {
	q := db.New(b.work)
	kinds, err := q.VectorKindsToCount(ctx, db.VectorKindsToCountParams{GroupID: groupID, Threshold: b.threshold, PerEpisode: db.VectorsPerRow})
	if err != nil || len(kinds) == 0 {
		return err
	}
	counts, err := q.VectorCounts(ctx, db.VectorCountsParams{GroupID: groupID, Kinds: kinds})
	if err != nil {
		return fmt.Errorf("count the vectors of %s: %w", groupID, err)
	}
	indexes, err := q.VectorIndexList(ctx, groupID)
	if err != nil {
		return err
	}
	for _, s := range due(kinds, counts, indexes, b.threshold) {
		if err := b.take(ctx, groupID, s); err != nil {
			return err
		}
	}
	return q.VectorIndexChecked(ctx, db.VectorIndexCheckedParams{GroupID: groupID, Kinds: kinds})
}

func (b *indexBuilder) take(ctx context.Context, groupID string, s step) error {
	switch s.change {
	case IndexBuilt:
		return b.build(ctx, groupID, s)
	case IndexRebuilt:
		return b.rebuild(ctx, groupID, s)
	}
	return b.drop(ctx, groupID, s.index, s.vectors)
}

// build builds an index. Its row of the catalogue, not yet valid, is there from the start.
func (b *indexBuilder) build(ctx context.Context, groupID string, s step) error {
	began := time.Now()
	q := db.New(b.work)
	s.index.IndexName = indexName(groupID, s.index.Kind, s.index.Model)
	if err := q.VectorIndexStart(ctx, db.VectorIndexStartParams{
		GroupID: groupID, Kind: s.index.Kind, Model: s.index.Model, IndexName: s.index.IndexName, RowsAtBuild: s.vectors,
	}); err != nil {
		return err
	}
	dimensions, err := b.dimensions(ctx, groupID, s.index)
	if err != nil {
		return b.finish(ctx, groupID, s, began, err)
	}
	pgvector := pgx.Identifier{b.schema}.Sanitize()
	err = b.withMemory(ctx, s.vectors, dimensions, `CREATE INDEX CONCURRENTLY `+pgx.Identifier{s.index.IndexName}.Sanitize()+
		` ON `+db.VectorTable(s.index.Kind)+` USING hnsw ((embedding::`+pgvector+`.halfvec(`+strconv.Itoa(dimensions)+`)) `+
		pgvector+`.halfvec_cosine_ops) WITH (`+hnswOptions+
		`) WHERE group_id = `+db.QuoteLiteral(groupID)+` AND model = `+db.QuoteLiteral(s.index.Model),
		func() error { return b.dropIndex(ctx, s.index.IndexName) })
	return b.finish(ctx, groupID, s, began, err)
}

// rebuild builds an index again while the old one is in use.
func (b *indexBuilder) rebuild(ctx context.Context, groupID string, s step) error {
	began := time.Now()
	dimensions, err := b.dimensions(ctx, groupID, s.index)
	if err != nil {
		return b.finish(ctx, groupID, s, began, err)
	}
	err = b.withMemory(ctx, s.vectors, dimensions, `REINDEX INDEX CONCURRENTLY `+pgx.Identifier{"annals_internal", s.index.IndexName}.Sanitize(),
		func() error { return b.clear(ctx) })
	return b.finish(ctx, groupID, s, began, err)
}

func (b *indexBuilder) finish(ctx context.Context, groupID string, s step, began time.Time, err error) error {
	if err == nil {
		err = db.New(b.work).VectorIndexFinish(ctx, db.VectorIndexFinishParams{
			GroupID: groupID, Kind: s.index.Kind, Model: s.index.Model, RowsAtBuild: s.vectors,
		})
	}
	if err != nil {
		err = fmt.Errorf("index the %s vectors of %s: %w", s.index.Kind, groupID, b.explain(ctx, err))
		return errors.Join(err, b.clearAfter(ctx))
	}
	b.note(groupID, s, began)
	return nil
}

// clearingTime is how long cleaning up after a failure may take.
const clearingTime = 30 * time.Second

// clearAfter cleans up after a failure, even one by cancellation. What it cannot remove, the next
// run does.
func (b *indexBuilder) clearAfter(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), clearingTime)
	defer cancel()
	if b.work.IsClosed() { // as pgx leaves it on cancellation
		conn, err := db.Connect(ctx, b.pool)
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close(ctx) }()
		b.work = conn
	}
	return b.clear(ctx)
}

// dimensions is how many dimensions the vectors of an index have.
func (b *indexBuilder) dimensions(ctx context.Context, groupID string, index db.VectorIndexListRow) (dimensions int, err error) {
	err = b.work.QueryRow(ctx, `SELECT `+pgx.Identifier{b.schema}.Sanitize()+`.vector_dims(embedding) FROM `+db.VectorTable(index.Kind)+
		` WHERE group_id = $1 AND model = $2 LIMIT 1`, groupID, index.Model).Scan(&dimensions)
	return dimensions, err
}

// withMemory runs a statement with enough memory for the graph of the vectors. Parallel builders
// need shared memory, which containers often lack. In that case undo removes what the first attempt
// left, and one process builds alone.
func (b *indexBuilder) withMemory(ctx context.Context, vectors int64, dimensions int, sql string, undo func() error) error {
	memory := vectors * (2*int64(dimensions) + graphBytesPerVector)
	err := b.execWith(ctx, memory, buildWorkers, sql)
	if db.SuitedToPooler(b.pool) || !lacksSharedMemory(err) {
		return err
	}
	if err := undo(); err != nil {
		return err
	}
	return b.execWith(ctx, memory, 0, sql)
}

func (b *indexBuilder) execWith(ctx context.Context, memory int64, workers int32, sql string) error {
	if err := b.set(ctx, memory, workers); err != nil {
		return err
	}
	_, err := b.work.Exec(ctx, sql)
	return err
}

// lacksSharedMemory reports whether the server had no room for shared memory, on the file system
// that backs it or in memory.
func lacksSharedMemory(err error) bool {
	const diskFull, outOfMemory = "53100", "53200"
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == diskFull || pg.Code == outOfMemory)
}

// set gives the connection memory and more processes to build with, and removes its time limit. An
// index cannot be built concurrently within a transaction, and a pooler carries no settings beyond
// one: behind a pooler the settings of the user apply.
func (b *indexBuilder) set(ctx context.Context, memory int64, workers int32) error {
	if db.SuitedToPooler(b.pool) {
		return nil
	}
	_, err := db.New(b.work).VectorIndexSettings(ctx, db.VectorIndexSettingsParams{Memory: memory, MostMemory: mostBuildMemory, Workers: workers})
	return err
}

// explain says what to do if the server cancelled a statement by its own limits, which cannot be
// lifted behind a pooler.
func (b *indexBuilder) explain(ctx context.Context, err error) error {
	const cancelled, noLock = "57014", "55P03"
	var pg *pgconn.PgError
	if ctx.Err() != nil || !db.SuitedToPooler(b.pool) || !errors.As(err, &pg) || pg.Code != cancelled && pg.Code != noLock {
		return err
	}
	return &graph.Error{
		Code: graph.CodeConflict, Field: "database", Err: err,
		Message: "ends what takes long, and behind a pooler the settings of its user hold: " +
			"ALTER ROLE … SET statement_timeout = 0, SET lock_timeout = '10min' likewise, and have the pooler connect anew",
	}
}

func (b *indexBuilder) drop(ctx context.Context, groupID string, index db.VectorIndexListRow, vectors int64) error {
	began := time.Now()
	if err := b.dropIndex(ctx, index.IndexName); err != nil {
		return err
	}
	err := db.New(b.work).VectorIndexDelete(ctx, db.VectorIndexDeleteParams{GroupID: groupID, Kind: index.Kind, Model: index.Model})
	if err != nil {
		return fmt.Errorf("forget the index %s: %w", index.IndexName, err)
	}
	b.note(groupID, step{change: IndexDropped, index: index, vectors: vectors}, began)
	return nil
}

func (b *indexBuilder) dropIndex(ctx context.Context, name string) error {
	if _, err := b.work.Exec(ctx, `DROP INDEX CONCURRENTLY IF EXISTS `+pgx.Identifier{"annals_internal", name}.Sanitize()); err != nil {
		return fmt.Errorf("drop the index %s: %w", name, err)
	}
	return nil
}

func (b *indexBuilder) note(groupID string, s step, began time.Time) {
	took := time.Since(began)
	b.changes = append(b.changes, IndexChange{
		GroupID: groupID, Kind: s.index.Kind, Model: s.index.Model, Index: s.index.IndexName, Change: s.change,
		Vectors: s.vectors, Took: took, Seconds: took.Seconds(),
	})
}
