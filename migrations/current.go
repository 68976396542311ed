package migrations

import (
	"context"
	"errors"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals/graph"
)

// Current is whether [Up] would find nothing to apply. It asks one statement on one connection,
// where Up takes several of each: commands ask it each time they start.
func Current(ctx context.Context, databaseURL string) (bool, error) {
	files, err := fs.Glob(FS, "*.sql")
	if err != nil {
		return false, err
	}
	queue, err := QueueVersion()
	if err != nil {
		return false, err
	}
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return false, &graph.Error{
			Code: graph.CodeUnavailable, Field: "database",
			Message: "cannot be reached; check that it runs and that ANNALS_DATABASE_URL is right", Err: err,
		}
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var applied, newest int64
	var queueVersion int
	err = conn.QueryRow(ctx, `
SELECT count(*) FILTER (WHERE is_applied), coalesce(max(version_id) FILTER (WHERE is_applied), 0),
       (SELECT coalesce(max(version), 0) FROM `+QueueSchema+`.river_migration)
FROM (SELECT DISTINCT ON (version_id) version_id, is_applied FROM `+versionTable+` WHERE version_id > 0 ORDER BY version_id, id DESC) AS latest`,
		pgx.QueryExecModeSimpleProtocol).Scan(&applied, &newest, &queueVersion)
	var pg *pgconn.PgError
	if errors.As(err, &pg) { // its tables are not there, or not yet as they are now
		return false, nil
	}
	return applied == int64(len(files)) && newest == Newest() && queueVersion == queue, err
}
