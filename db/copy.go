package db

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// CopyRows writes n rows to a table with COPY, within the caller's transaction. row makes the rows
// one by one; table has its schema before its name. The rows go through a temporary table:
// PostgreSQL does not copy into a table whose row-level security applies to the user, not even for
// the owner.
func CopyRows(ctx context.Context, tx pgx.Tx, table string, columns []string, n int, row func(i int) ([]any, error)) error {
	target, staging := quoteName(table), pgx.Identifier{"pg_temp", "staging"}
	quoted := make([]string, len(columns))
	for i, c := range columns {
		quoted[i] = pgx.Identifier{c}.Sanitize()
	}
	names := strings.Join(quoted, ", ")
	_, err := tx.Exec(ctx, `CREATE TEMP TABLE staging ON COMMIT DROP AS SELECT `+names+` FROM `+target+` LIMIT 0`)
	if err != nil {
		return fmt.Errorf("make a place to copy %s to: %w", table, err)
	}
	if _, err := tx.CopyFrom(ctx, staging, columns, pgx.CopyFromSlice(n, row)); err != nil {
		return fmt.Errorf("copy to %s: %w", table, err)
	}
	if _, err := tx.Exec(ctx, `INSERT INTO `+target+` (`+names+`) SELECT `+names+` FROM pg_temp.staging`); err != nil {
		return fmt.Errorf("write to %s: %w", table, err)
	}
	_, err = tx.Exec(ctx, `DROP TABLE pg_temp.staging`)
	return err
}
