package migrations

import (
	"context"
	"database/sql"
	"fmt"
)

// hideShards removes, from every server of a cluster, the schemas that show one shard
// each: what a migration changes they must not hold. 'annals distribute' makes them
// anew. On one server it does nothing.
func hideShards(ctx context.Context, database *sql.DB) error {
	var distributed bool
	if err := database.QueryRowContext(ctx, `SELECT coalesce(current_setting('annals.distributed', true), '') = 'on'`).Scan(&distributed); err != nil || !distributed {
		return err
	}
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
