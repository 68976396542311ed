package upkeep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/db/embeddings"
	"github.com/annalsdb/annals/internal/each"
)

// Mend repairs what HealthOf finds, while others read and write. It returns what it did, even if
// there is an error.
func Mend(ctx context.Context, pool db.Pool, indexed int) (done []string, err error) {
	h, err := HealthOf(ctx, pool, indexed)
	if err != nil {
		return nil, err
	}
	m := mender{pool: pool, health: h, indexed: indexed}
	for _, step := range []func(context.Context) ([]string, error){m.counts, m.sequences, m.indexes, m.vectorIndexes, m.erasures, m.statistics} {
		did, failed := step(ctx)
		done, err = append(done, did...), errors.Join(err, failed)
	}
	if err != nil {
		return done, fmt.Errorf("mend the database: %w", err)
	}
	return done, nil
}

type mender struct {
	pool    db.Pool
	health  Health
	indexed int
}

func (m mender) counts(ctx context.Context) ([]string, error) {
	if m.health.Miscounted == 0 {
		return nil, nil
	}
	mended, err := db.MendCounts(ctx, m.pool)
	if err != nil {
		return nil, err
	}
	return []string{"counted anew what was counted wrongly: " + each.Count(mended, "row")}, nil
}

func (m mender) sequences(ctx context.Context) ([]string, error) {
	if len(m.health.Behind) == 0 {
		return nil, nil
	}
	if err := db.New(m.pool).MendSequences(ctx); err != nil {
		return nil, fmt.Errorf("move the sequences: %w", err)
	}
	return []string{"moved on the sequences " + strings.Join(m.health.Behind, ", ")}, nil
}

func (m mender) indexes(ctx context.Context) (done []string, err error) {
	for _, name := range m.health.InvalidIndexes {
		if embeddings.IsIndex(name) { // vectorIndexes rebuilds these
			continue
		}
		if err := db.RebuildIndex(ctx, m.pool, name); err != nil {
			return done, err
		}
		done = append(done, "mended the index "+name)
	}
	return done, nil
}

func (m mender) vectorIndexes(ctx context.Context) (done []string, err error) {
	if !slices.ContainsFunc(m.health.InvalidIndexes, embeddings.IsIndex) && len(m.health.LostIndexes) == 0 && len(m.health.Unindexed) == 0 {
		return nil, nil
	}
	threshold := m.indexed
	if threshold < 0 { // no group is large enough
		threshold = math.MaxInt
	}
	changes, err := embeddings.BuildIndexes(ctx, m.pool, "", threshold)
	for _, x := range changes {
		done = append(done, fmt.Sprintf("%s the index of the %s vectors of %s", x.Change, x.Kind, x.GroupID))
	}
	return done, err
}

func (m mender) erasures(ctx context.Context) ([]string, error) {
	paid, err := db.VacuumErased(ctx, m.pool, true)
	if paid == 0 || err != nil {
		return nil, err
	}
	return []string{"finished " + each.Count(paid, "erasure") + ": vacuumed the tables that were touched"}, nil
}

func (m mender) statistics(ctx context.Context) ([]string, error) {
	tables := slices.Clone(m.health.Stale)
	for _, dead := range m.health.DeadRows {
		tables = append(tables, dead.Table)
	}
	if m.health.Miscounted > 0 { // mending counts rewrites most of this table
		tables = append(tables, "annals_internal.entity_mentions")
	}
	if len(tables) == 0 {
		return nil, nil
	}
	slices.Sort(tables)
	tables = slices.Compact(tables) // a table may be listed twice
	if err := db.VacuumTables(ctx, m.pool, tables); err != nil {
		return nil, err
	}
	return []string{"vacuumed and analysed " + each.Count(len(tables), "table")}, nil
}
