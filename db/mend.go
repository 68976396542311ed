package db

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"
)

// MendCounts counts again what triggers count, where that went wrong, and gives groups the counts
// that searches rank by. It returns how many rows it mended. It locks out all other writers, so it
// should be called only if something is wrong.
func MendCounts(ctx context.Context, store Store) (mended int, err error) {
	err = InTx(ctx, store, func(q *Queries) error {
		mended = 0
		if err := errors.Join(q.MendLockTimeout(ctx), q.MendCountsLock(ctx)); err != nil {
			return err
		}
		entities, err := q.MendMentions(ctx)
		if err != nil {
			return err
		}
		communities, err := q.MendCommunities(ctx)
		if err != nil {
			return err
		}
		groups, err := q.MendCountsGroups(ctx)
		if err != nil {
			return err
		}
		for _, group := range groups {
			if err := errors.Join(q.StatisticsRefresh(ctx, group), q.FrequentTermsRefresh(ctx, group)); err != nil {
				return err
			}
		}
		mended = int(entities) + int(communities) + len(groups)
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("count anew: %w", err)
	}
	return mended, nil
}

// quoteName quotes the name of a table or an index that has its schema before it.
func quoteName(name string) string { return pgx.Identifier(strings.SplitN(name, ".", 2)).Sanitize() }

// leftover matches the indexes that an interrupted REINDEX CONCURRENTLY leaves.
var leftover = regexp.MustCompile(`_cc(new|old)[0-9]*$`)

// RebuildIndex rebuilds an index whose build was interrupted, or drops what an interrupted rebuild
// left. Others read and write meanwhile. The name has its schema before it.
func RebuildIndex(ctx context.Context, pool Pool, name string) error {
	statement := "REINDEX INDEX CONCURRENTLY "
	if leftover.MatchString(name) {
		statement = "DROP INDEX CONCURRENTLY IF EXISTS "
	}
	if _, err := pool.Exec(ctx, statement+quoteName(name)); err != nil {
		return fmt.Errorf("rebuild the index %s: %w", name, err)
	}
	return nil
}

// VacuumTables removes dead rows of tables and renews the planner's statistics. The names have
// their schemas before them. It skips tables with a conflicting lock.
func VacuumTables(ctx context.Context, pool Pool, tables []string) error {
	for _, table := range tables {
		if _, err := pool.Exec(ctx, "VACUUM (ANALYZE, SKIP_LOCKED) "+quoteName(table)); err != nil {
			return fmt.Errorf("vacuum %s: %w", table, err)
		}
	}
	return nil
}

// EnableTrigger enables a trigger of a table, whose name has its schema before it.
func EnableTrigger(ctx context.Context, pool Pool, table, trigger string) error {
	statement := "ALTER TABLE " + quoteName(table) + " ENABLE TRIGGER " + pgx.Identifier{trigger}.Sanitize()
	if _, err := pool.Exec(ctx, statement); err != nil {
		return fmt.Errorf("switch on the trigger %s of %s: %w", trigger, table, err)
	}
	return nil
}
