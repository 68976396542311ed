package annals

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
)

// Mend rebuilds what Health found that can be rebuilt while others read and
// write: indexes, those of groups' vectors too, counts, sequences, and what the
// planner knows. It returns what it did, nothing where nothing is wrong, also
// beside an error. It needs a user who owns the tables, and is refused to a
// Client that is bound to a tenant. What is wrong with the schema itself mends
// [migrations.Mend].
//
// [migrations.Mend]: https://pkg.go.dev/github.com/annalsdb/annals/migrations#Mend
func (c *Client) Mend(ctx context.Context) (done []string, err error) {
	h, err := c.Health(ctx)
	if err != nil {
		return nil, err
	}
	for _, step := range []func(context.Context, Health) ([]string, error){c.mendCounts, c.mendSequences, c.mendIndexes, c.mendVectorIndexes, c.mendStatistics} {
		did, failed := step(ctx, h)
		done, err = append(done, did...), errors.Join(err, failed)
	}
	if err != nil {
		return done, fmt.Errorf("mend the database: %w", err)
	}
	return done, nil
}

func (c *Client) mendCounts(ctx context.Context, h Health) ([]string, error) {
	if h.Miscounted == 0 {
		return nil, nil
	}
	mended, err := db.MendCounts(ctx, c.pool)
	if err != nil {
		return nil, err
	}
	return []string{fmt.Sprintf("counted anew what was counted wrongly: %d rows", mended)}, nil
}

func (c *Client) mendSequences(ctx context.Context, h Health) ([]string, error) {
	if len(h.Behind) == 0 {
		return nil, nil
	}
	if err := db.New(c.pool).MendSequences(ctx); err != nil {
		return nil, fmt.Errorf("move the sequences: %w", err)
	}
	return []string{"moved on the sequences " + strings.Join(h.Behind, ", ")}, nil
}

func (c *Client) mendIndexes(ctx context.Context, h Health) (done []string, err error) {
	for _, name := range h.InvalidIndexes {
		if db.IsVectorIndex(name) { // of which mendVectorIndexes keeps the book
			continue
		}
		if err := db.RebuildIndex(ctx, c.pool, name); err != nil {
			return done, err
		}
		done = append(done, "mended the index annals."+name)
	}
	return done, nil
}

func (c *Client) mendVectorIndexes(ctx context.Context, h Health) (done []string, err error) {
	if !slices.ContainsFunc(h.InvalidIndexes, db.IsVectorIndex) && len(h.LostIndexes) == 0 && len(h.Unindexed) == 0 {
		return nil, nil
	}
	threshold := c.config.IndexedVectors
	if threshold < 0 { // then no group is large enough
		threshold = math.MaxInt
	}
	changes, err := db.BuildVectorIndexes(ctx, c.pool, "", threshold)
	for _, x := range changes {
		done = append(done, fmt.Sprintf("%s the index of the %s vectors of %s", x.Change, x.Kind, x.GroupID))
	}
	return done, err
}

func (c *Client) mendStatistics(ctx context.Context, h Health) ([]string, error) {
	var tables []pgx.Identifier
	for _, name := range h.Stale {
		tables = append(tables, strings.SplitN(name, ".", 2))
	}
	for _, dead := range h.DeadRows {
		tables = append(tables, pgx.Identifier{"annals", dead.Table})
	}
	if h.Miscounted > 0 { // which wrote most of this table anew
		tables = append(tables, pgx.Identifier{"annals", "entity_mentions"})
	}
	if len(tables) == 0 {
		return nil, nil
	}
	slices.SortFunc(tables, slices.Compare)
	tables = slices.CompactFunc(tables, slices.Equal) // one may be named for two reasons
	if err := db.VacuumTables(ctx, c.pool, tables); err != nil {
		return nil, err
	}
	return []string{fmt.Sprintf("vacuumed and analysed %d tables", len(tables))}, nil
}
