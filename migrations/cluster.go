package migrations

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/pressly/goose/v3"
)

// isSpread reports whether the memory is distributed over a cluster.
func isSpread(ctx context.Context, database *sql.DB) (spread bool, err error) {
	err = database.QueryRowContext(ctx, `SELECT coalesce(current_setting('annals.distributed', true), '') = 'on'`).Scan(&spread)
	return spread, err
}

// upOneByOne applies the pending migrations to a cluster, each statement by itself.
// Citus sends the text of a query to its servers, so it must contain only one statement.
func upOneByOne(ctx context.Context, database *sql.DB, p *goose.Provider) (applied []Step, err error) {
	files, err := all()
	if err != nil {
		return nil, err
	}
	statuses, err := p.Status(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the state of the migrations: %w", err)
	}
	for _, s := range statuses {
		if s.State != goose.StatePending {
			continue
		}
		if len(applied) == 0 {
			if err := hideShards(ctx, database); err != nil {
				return nil, err
			}
		}
		if err := runOneByOne(ctx, database, files[s.Source.Version-1]); err != nil {
			return applied, err
		}
		applied = append(applied, Step{Version: s.Source.Version, Name: s.Source.Path, AppliedAt: time.Now()})
	}
	return applied, nil
}

func runOneByOne(ctx context.Context, database *sql.DB, f file) error {
	up, err := f.up()
	if err != nil {
		return err
	}
	tx, err := database.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin migration %s: %w", f.name, err)
	}
	defer func() { _ = tx.Rollback() }() // a no-op after a commit
	// Changes of all shards must run sequentially if functions follow.
	for _, statement := range append([]string{`SET LOCAL citus.multi_shard_modify_mode = sequential`}, statements(up)...) {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return explain(fmt.Errorf("%s: %.200s: %w", f.name, statement, err))
		}
	}
	return explain(tx.Commit())
}

// hideShards drops, on every server of a cluster, the schemas that show one shard each:
// they must not depend on objects that a migration changes. 'annals distribute' creates
// them again.
func hideShards(ctx context.Context, database *sql.DB) error {
	const hide = `DO $hide$
DECLARE
    place text;
BEGIN
    PERFORM set_config('citus.enable_ddl_propagation', 'off', true), set_config('client_min_messages', 'warning', true);
    FOR place IN SELECT nspname FROM pg_catalog.pg_namespace WHERE nspname ~ '^annals_shard_[0-9]+$' LOOP
        EXECUTE format('DROP SCHEMA %I CASCADE', place);
    END LOOP;
END
$hide$`
	var failed sql.NullString
	err := database.QueryRowContext(ctx, `SELECT string_agg(r.result, '; ') FROM run_command_on_all_nodes($1) r WHERE NOT r.success`, hide).Scan(&failed)
	if err == nil && failed.Valid {
		err = fmt.Errorf("%s", failed.String)
	}
	if err != nil {
		return fmt.Errorf("hide the shards from the migrations: %w", err)
	}
	return nil
}
