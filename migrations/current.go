package migrations

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals/graph"
)

// queueVersion is what [QueueVersion] tells, without asking River each time a command starts.
const queueVersion = 8

// Current is whether [Up] would find nothing to apply. It asks one statement on one connection,
// where Up takes several of each: commands ask it each time they start.
func Current(ctx context.Context, databaseURL string) (bool, error) {
	files, err := fs.Glob(FS, "*.sql")
	if err != nil {
		return false, fmt.Errorf("read the migrations: %w", err)
	}
	conn, err := pgconn.Connect(ctx, databaseURL)
	if err != nil {
		return false, &graph.Error{
			Code: graph.CodeUnavailable, Field: "database",
			Message: "cannot be reached; check that it runs and that ANNALS_DATABASE_URL is right", Err: err,
		}
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	answers, err := conn.Exec(ctx, fmt.Sprintf(`
SELECT count(*) = %d AND max(version_id) = %d AND (SELECT max(version) = %d FROM %s.river_migration)
FROM (SELECT DISTINCT ON (version_id) version_id, is_applied FROM %s WHERE version_id > 0 ORDER BY version_id, id DESC) AS latest
WHERE is_applied`, len(files), Newest(), queueVersion, QueueSchema, versionTable)).ReadAll()
	var pg *pgconn.PgError
	switch {
	case errors.As(err, &pg): // its tables are not there, or not as they are now
		return false, nil
	case err != nil:
		return false, fmt.Errorf("read the state of the migrations: %w", err)
	}
	return string(answers[0].Rows[0][0]) == "t", nil
}
