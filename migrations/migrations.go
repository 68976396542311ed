// Package migrations brings a database to the schema of this version of Annals. The
// numbered SQL files beside this file are embedded as [FS].
//
// [Up] applies the pending migrations. A program with its own database needs nothing
// else:
//
//	applied, err := migrations.Up(ctx, databaseURL, migrations.Options{})
//
// Teams that deploy with another tool pass it the result of [SQL], or point goose at
// the directory. Each migration records itself in annals.migrations, so that [Status]
// is right whichever tool ran it.
package migrations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pooler"
)

const (
	// DefaultEmbeddingDim is the default number of dimensions of vectors.
	DefaultEmbeddingDim = 384

	// QueueSchema is the schema of River's tables, the queue of the workers.
	QueueSchema = "annals_internal"

	oldestServer = 15_00_00 // server_version_num of PostgreSQL 15
)

// Options configures the setup of a database.
type Options struct {
	// EmbeddingDim is the number of dimensions of this database's vectors, 1 to 3800.
	// The first migration fixes it. Zero: that of the database, or
	// DefaultEmbeddingDim for a new one.
	EmbeddingDim int

	// Notice receives PostgreSQL's notices: the severity, NOTICE or WARNING, and the
	// message, each message once. Nil: they are dropped.
	Notice func(severity, message string)
}

// notice returns a function that passes each message to Notice once. The last
// migration and the steps after the migrations may give the same notice.
func (o Options) notice() func(severity, message string) {
	if o.Notice == nil {
		return nil
	}
	var said []string
	return func(severity, message string) {
		if !slices.Contains(said, message) {
			said = append(said, message)
			o.Notice(severity, message)
		}
	}
}

// Step is a migration with the time at which it was applied.
type Step struct {
	Version   int64     `json:"version"`
	Name      string    `json:"name"`                // name of its file
	AppliedAt time.Time `json:"applied_at,omitzero"` // zero: not yet
}

// Up applies the pending migrations and returns them. Concurrent calls are safe: one
// process works, the others wait. If the database's vectors have another dimension,
// the code is [graph.CodeConflict].
func Up(ctx context.Context, databaseURL string, opts Options) ([]Step, error) {
	var applied []Step
	err := with(ctx, databaseURL, opts.notice(), func(database *sql.DB, p *goose.Provider) error {
		return alone(ctx, database, func() error {
			if err := refuseNewer(ctx, database); err != nil {
				return err
			}
			spread, err := isSpread(ctx, database)
			if err != nil {
				return explain(err)
			}
			if spread {
				if applied, err = upOneByOne(ctx, database, p); err != nil {
					return err
				}
				return finish(ctx, database, opts)
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
	})
	return applied, err
}

// Down reverts the newest migration and returns it. It drops its tables with all
// their rows. The step is nil if there was nothing to revert. On a cluster it fails
// with [graph.CodeConflict].
func Down(ctx context.Context, databaseURL string, opts Options) (*Step, error) {
	var step *Step
	err := with(ctx, databaseURL, opts.Notice, func(database *sql.DB, p *goose.Provider) error {
		return alone(ctx, database, func() error {
			if spread, err := isSpread(ctx, database); err != nil {
				return explain(err)
			} else if spread {
				return &graph.Error{Code: graph.CodeConflict, Field: "database", Message: "is spread over a cluster, where migrations are not undone; restore a backup"}
			}
			result, err := p.Down(ctx)
			if errors.Is(err, goose.ErrNoNextVersion) {
				return nil
			}
			if err != nil {
				return fmt.Errorf("undo the newest migration: %w", err)
			}
			step = &Step{Version: result.Source.Version, Name: result.Source.Path}
			return nil
		})
	})
	return step, err
}

// Status lists all migrations, oldest first.
func Status(ctx context.Context, databaseURL string) ([]Step, error) {
	var steps []Step
	err := with(ctx, databaseURL, nil, func(_ *sql.DB, p *goose.Provider) error {
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

// Pending lists the migrations that [Up] would apply, oldest first.
func Pending(ctx context.Context, databaseURL string) ([]Step, error) {
	steps, err := Status(ctx, databaseURL)
	var pending []Step
	for _, step := range steps {
		if step.AppliedAt.IsZero() {
			pending = append(pending, step)
		}
	}
	return pending, err
}

// Dimension returns the number of dimensions of a database's vectors, or 0 if it is
// not set up.
func Dimension(ctx context.Context, databaseURL string) (int, error) {
	dimension := 0
	err := with(ctx, databaseURL, nil, func(database *sql.DB, _ *goose.Provider) error {
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

// queryer is a database or a transaction.
type queryer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func storedDimension(ctx context.Context, database queryer) (stored sql.NullInt64, err error) {
	const q = "SELECT value::int FROM annals_internal.settings WHERE group_id = '' AND name = 'embedding_dimension'"
	if err := database.QueryRowContext(ctx, q).Scan(&stored); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return stored, fmt.Errorf("read the embedding dimension: %w", err)
	}
	return stored, nil
}

// with opens the database, checks that it is suitable and calls do.
func with(ctx context.Context, databaseURL string, notice func(severity, message string), do func(*sql.DB, *goose.Provider) error) error {
	config, err := parse(databaseURL)
	if err != nil {
		return err
	}
	if _, err := pooler.Suit(ctx, config); err != nil {
		return unreachable(err)
	}
	if notice != nil {
		config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { notice(n.Severity, said(n)) }
	}
	database := stdlib.OpenDB(*config)
	defer database.Close()
	if err := check(ctx, database); err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectCustom, database, FS,
		goose.WithStore(notes{}), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	return do(database, provider)
}

// parse reads the URL of a database. It accepts parameters of pools, such as
// pool_max_conns, which the server would refuse.
func parse(databaseURL string) (*pgx.ConnConfig, error) {
	config, err := pgxpool.ParseConfig(databaseURL)
	if err != nil {
		return nil, &graph.Error{Code: graph.CodeInvalid, Field: "database", Message: "the URL cannot be read", Err: err}
	}
	return config.ConnConfig, nil
}

func said(n *pgconn.Notice) string {
	if n.Hint == "" {
		return n.Message
	}
	return n.Message + " " + n.Hint
}

func unreachable(err error) error {
	return &graph.Error{
		Code: graph.CodeUnavailable, Field: "database",
		Message: "cannot be reached; check that it runs and that ANNALS_DATABASE_URL is right", Err: pooler.Once(err),
	}
}

// ErrFormer is the error for a schema of the migrations before the first release,
// which these do not continue.
var ErrFormer = &graph.Error{
	Code: graph.CodeConflict, Field: "database",
	Message: "holds the schema of an Annals from before 0.1.0, which this one does not continue: write each group to a file with that version " +
		"('annals export'), and read the files into a new database with this one ('annals import')",
}

// check refuses a server that is too old, and a schema of the migrations before the
// first release.
func check(ctx context.Context, database *sql.DB) error {
	const q = `SELECT current_setting('server_version_num')::int, to_regclass('annals.migrations') IS NULL AND to_regclass('annals.episodes') IS NOT NULL`
	var version int
	var former bool
	err := database.QueryRowContext(ctx, q).Scan(&version, &former)
	var pg *pgconn.PgError
	switch {
	case errors.As(err, &pg) && pg.Code == "42501": // insufficient privilege
		return &graph.Error{
			Code: graph.CodeConflict, Field: "database",
			Message: "does not let this role use Annals; migrate as the owner of its tables, or give the role the rights that docs/deploy.md lists for an application", Err: err,
		}
	case err != nil:
		return unreachable(err)
	case version < oldestServer:
		return &graph.Error{
			Code: graph.CodeConflict, Field: "database",
			Message: fmt.Sprintf("is PostgreSQL %d; Annals needs 15 or newer", version/10000),
		}
	case former:
		return ErrFormer
	}
	return nil
}

// fixDimension sets the size of vectors, or checks it if already set.
func fixDimension(ctx context.Context, database queryer, dimension int) error {
	if dimension == 0 {
		stored, err := storedDimension(ctx, database)
		if err != nil || stored.Valid {
			return err
		}
		dimension = DefaultEmbeddingDim
	}
	_, err := database.ExecContext(ctx, "SELECT annals_internal.fix_embedding_dimension($1)", dimension)
	return explain(err)
}

// finish runs the steps that follow the migrations.
func finish(ctx context.Context, database *sql.DB, opts Options) error {
	tx, err := database.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("finish the migration: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	if err := fixDimension(ctx, tx, opts.EmbeddingDim); err != nil {
		return err
	}
	if err := protectTenants(ctx, tx); err != nil {
		return err
	}
	return explain(tx.Commit())
}

// protectTenants adds the role, policies and grants of tenants where they are
// missing. Only the owner of the schema can.
func protectTenants(ctx context.Context, tx *sql.Tx) error {
	const owns = ` FROM pg_catalog.pg_namespace WHERE nspname = 'annals' AND pg_catalog.pg_has_role(current_user, nspowner, 'USAGE')`
	for _, q := range []string{"SELECT annals_internal.make_tenant_role()", "SELECT annals_internal.protect_tenants()"} {
		if _, err := tx.ExecContext(ctx, q+owns); err != nil {
			return explain(err)
		}
	}
	return nil
}

// explain converts failures that a user can fix to errors that say how.
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
	case pg.Code == "55P03": // lock_not_available
		return &graph.Error{
			Code: graph.CodeUnavailable, Field: "database",
			Message: "is in use by a transaction that holds a table which the next migration changes, for longer than lock_timeout: migrate again later, or end that transaction", Err: err,
		}
	case pg.Code == "42501":
		return &graph.Error{
			Code: graph.CodeConflict, Field: "database",
			Message: "does not let this user set up Annals (" + strings.TrimSpace(pg.Message) + "); migrate as a role that may create schemas in it, " +
				"and have an administrator create the extension first where that is what is missing", Err: err,
		}
	}
	return fmt.Errorf("migrate the database: %w", err)
}

// Newest returns the number of the newest migration.
func Newest() int64 { return newest() }

var newest = sync.OnceValue(func() int64 {
	files, err := all()
	if err != nil {
		panic(err.Error()) // a file has a wrong name; every test would show it
	}
	return files[len(files)-1].version
})

// file is an embedded migration.
type file struct {
	version int64
	name    string
}

// all lists the migrations, oldest first.
func all() ([]file, error) {
	names, err := fs.Glob(FS, "*.sql") // in their order
	if err != nil {
		return nil, fmt.Errorf("list the migrations: %w", err)
	}
	files := make([]file, len(names))
	for i, name := range names {
		version, err := goose.NumericComponent(name)
		if err != nil {
			return nil, fmt.Errorf("the migration %s is not numbered: %w", name, err)
		}
		files[i] = file{version, name}
	}
	return files, nil
}
