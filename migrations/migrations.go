// Package migrations brings a database to the schema this version of Annals
// works with. The SQL files beside this one are embedded, numbered, and only
// ever added to.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pooler"
)

// FS holds the migrations, as goose reads them.
//
//go:embed *.sql
var FS embed.FS

const (
	// DefaultEmbeddingDim is how many dimensions vectors have unless asked otherwise.
	DefaultEmbeddingDim = 384

	oldestServer = 15_00_00 // server_version_num of PostgreSQL 15

	// The table in which goose notes what it applied. It stands outside the
	// schema annals, whose tables all belong to groups.
	versionTable = "public.annals_migrations"

	lockID          = 0x616e6e616c73 // "annals": what concurrent migrators wait for
	finishLockID    = lockID + 1
	queueLockID     = lockID + 2
	lockPollSeconds = 1
	lockPolls       = 300
)

// Options says how a database is set up.
type Options struct {
	// EmbeddingDim is how many dimensions the vectors of this database have,
	// fixed at the first migration: 1 to 3800. Zero: whatever the database
	// has, DefaultEmbeddingDim for a new one.
	EmbeddingDim int
}

// Step is one migration and when it was applied.
type Step struct {
	Version   int64     `json:"version"`
	Name      string    `json:"name"`
	AppliedAt time.Time `json:"applied_at,omitzero"` // zero: not yet
}

// Up applies what is missing and returns it. Several processes may call it at
// once: one works, the others wait. A database whose vectors have another
// dimension is a [graph.CodeConflict].
func Up(ctx context.Context, databaseURL string, opts Options) ([]Step, error) {
	var applied []Step
	err := with(ctx, databaseURL, func(database *sql.DB, p *goose.Provider) error {
		if err := queueUp(ctx, databaseURL); err != nil {
			return err
		}
		results, err := p.Up(ctx)
		if err != nil {
			return explain(err)
		}
		for _, r := range results {
			applied = append(applied, Step{Version: r.Source.Version, Name: r.Source.Path, AppliedAt: time.Now()})
		}
		return finish(ctx, database, opts)
	})
	return applied, err
}

// Down takes back the newest migration and returns it. Its tables go with
// everything in them. A nil step means that there was nothing to take back.
func Down(ctx context.Context, databaseURL string) (*Step, error) {
	var step *Step
	err := with(ctx, databaseURL, func(_ *sql.DB, p *goose.Provider) error {
		result, err := p.Down(ctx)
		if errors.Is(err, goose.ErrNoNextVersion) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("take back the newest migration: %w", err)
		}
		step = &Step{Version: result.Source.Version, Name: result.Source.Path}
		return nil
	})
	return step, err
}

// Status lists all migrations, oldest first.
func Status(ctx context.Context, databaseURL string) ([]Step, error) {
	var steps []Step
	err := with(ctx, databaseURL, func(_ *sql.DB, p *goose.Provider) error {
		statuses, err := p.Status(ctx)
		if err != nil {
			return fmt.Errorf("read the state of the migrations: %w", err)
		}
		for _, s := range statuses {
			steps = append(steps, Step{Version: s.Source.Version, Name: s.Source.Path, AppliedAt: s.AppliedAt})
		}
		return nil
	})
	return steps, err
}

// Dimension returns how many dimensions the vectors of a database have; 0: it
// is not set up yet.
func Dimension(ctx context.Context, databaseURL string) (int, error) {
	dimension := 0
	err := with(ctx, databaseURL, func(database *sql.DB, _ *goose.Provider) error {
		stored, err := storedDimension(ctx, database)
		var pg *pgconn.PgError
		if errors.As(err, &pg) && (pg.Code == "42P01" || pg.Code == "3F000") { // no such table or schema
			return nil
		}
		dimension = int(stored.Int64)
		return err
	})
	return dimension, err
}

// queryer is a database, or a transaction in it.
type queryer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func storedDimension(ctx context.Context, database queryer) (stored sql.NullInt64, err error) {
	const q = "SELECT value::int FROM annals.settings WHERE group_id = '' AND name = 'embedding_dimension'"
	if err := database.QueryRowContext(ctx, q).Scan(&stored); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return stored, fmt.Errorf("read the embedding dimension: %w", err)
	}
	return stored, nil
}

// with opens the database, checks that Annals can live in it and hands it on.
func with(ctx context.Context, databaseURL string, do func(*sql.DB, *goose.Provider) error) error {
	config, err := pgx.ParseConfig(databaseURL)
	if err != nil {
		return &graph.Error{Code: graph.CodeInvalid, Field: "database", Message: "the URL cannot be read", Err: err}
	}
	behind, err := pooler.Suit(ctx, config)
	if err != nil {
		return unreachable(err)
	}
	database := stdlib.OpenDB(*config)
	defer database.Close()
	if err := check(ctx, database); err != nil {
		return err
	}
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockID(lockID), lock.WithLockTimeout(lockPollSeconds, lockPolls))
	if err != nil {
		return fmt.Errorf("prepare the migration lock: %w", err)
	}
	options := []goose.ProviderOption{goose.WithTableName(versionTable), goose.WithDisableGlobalRegistry(true)}
	if !behind { // which carries no lock of a session
		options = append(options, goose.WithSessionLocker(locker))
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, database, FS, options...)
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	return do(database, provider)
}

func unreachable(err error) error {
	return &graph.Error{
		Code: graph.CodeUnavailable, Field: "database",
		Message: "cannot be reached; check that it runs and that ANNALS_DATABASE_URL is right", Err: err,
	}
}

func check(ctx context.Context, database *sql.DB) error {
	var version int
	if err := database.QueryRowContext(ctx, "SELECT current_setting('server_version_num')::int").Scan(&version); err != nil {
		return unreachable(err)
	}
	if version < oldestServer {
		return &graph.Error{
			Code: graph.CodeConflict, Field: "database",
			Message: fmt.Sprintf("is PostgreSQL %d; Annals needs 15 or newer", version/10000),
		}
	}
	return nil
}

// fixDimension fixes the size of vectors, or checks it against what is fixed.
func fixDimension(ctx context.Context, database queryer, dimension int) error {
	if dimension == 0 {
		stored, err := storedDimension(ctx, database)
		if err != nil || stored.Valid {
			return err
		}
		dimension = DefaultEmbeddingDim
	}
	_, err := database.ExecContext(ctx, "SELECT annals.fix_embedding_dimension($1)", dimension)
	return explain(err)
}

// finish does what follows the migrations, one process at a time.
func finish(ctx context.Context, database *sql.DB, opts Options) error {
	tx, err := database.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("finish the migration: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", finishLockID); err != nil {
		return fmt.Errorf("wait for others who migrate: %w", err)
	}
	if err := fixDimension(ctx, tx, opts.EmbeddingDim); err != nil {
		return err
	}
	if err := protectTenants(ctx, tx); err != nil {
		return err
	}
	return explain(tx.Commit())
}

// protectTenants puts tables that came since under row-level security, and
// does what could not be done before for want of the role. Only the owner can.
func protectTenants(ctx context.Context, tx *sql.Tx) error {
	const owns = ` FROM pg_catalog.pg_namespace WHERE nspname = 'annals' AND pg_catalog.pg_has_role(current_user, nspowner, 'USAGE')`
	for _, q := range []string{"SELECT annals.make_tenant_role()", "SELECT annals.protect_tenants()"} {
		if _, err := tx.ExecContext(ctx, q+owns); err != nil {
			return explain(err)
		}
	}
	return nil
}

// explain turns the failures a user can mend into words that say how.
func explain(err error) error {
	var pg *pgconn.PgError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &pg):
		return fmt.Errorf("migrate the database: %w", err)
	case pg.Code == "55000" || pg.Code == "22023":
		return &graph.Error{
			Code: graph.CodeConflict, Field: "ANNALS_EMBEDDING_DIM",
			Message: pg.Message + "; set it to that number, use another database, or change it with 'annals reembed'",
		}
	case pg.Code == "0A000" || pg.Code == "58P01":
		return &graph.Error{
			Code: graph.CodeConflict, Field: "database",
			Message: "lacks an extension that Annals needs (vector, btree_gist, pg_trgm, unaccent); " +
				"install pgvector and PostgreSQL's contrib package on its server, or use the image pgvector/pgvector", Err: err,
		}
	case pg.Code == "42501":
		return &graph.Error{
			Code: graph.CodeConflict, Field: "database",
			Message: "does not let this user set up Annals; migrate as the owner of the database", Err: err,
		}
	}
	return fmt.Errorf("migrate the database: %w", err)
}

// Newest is the number of the newest migration there is.
func Newest() int64 { return newest() }

var newest = sync.OnceValue(func() int64 {
	names, _ := fs.Glob(FS, "*.sql") // the pattern is well formed
	version, err := goose.NumericComponent(names[len(names)-1])
	if err != nil {
		panic("a migration is not numbered: " + err.Error())
	}
	return version
})
