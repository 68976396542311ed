package db

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/graph"
)

// citusSettings are set for the database on every server of a cluster. They apply to connections
// that are made afterwards.
var citusSettings = []string{
	// Functions and statements that differ on a cluster read this.
	"annals.distributed = on",
	// Our triggers write only rows of the same group, which are on the same server.
	"citus.enable_unsafe_triggers = on",
	// Triggers read from settings of the transaction what time it is and who writes.
	"citus.propagate_set_commands = local",
	// The estimated cost of a plan within a function is so high that PostgreSQL would compile it:
	// that takes a second, the answer a millisecond.
	"jit = off",
	// Functions that a query calls for each row read other rows of the same group.
	"citus.allow_nested_distributed_execution = on",
}

// onEveryServer is a statement that sets something for the database on every server.
const onEveryServer = `SELECT run_command_on_all_nodes(format('ALTER DATABASE %%I SET %s', current_database()))`

// plansForArguments lets functions be planned for their arguments. On one server they keep a
// generic plan, but a coordinator must know the group to plan.
const plansForArguments = `DO $$
DECLARE
    f text;
BEGIN
    FOR f IN SELECT p.oid::regprocedure FROM pg_catalog.pg_proc p
        WHERE p.pronamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace) AND 'plan_cache_mode=force_generic_plan' = ANY (p.proconfig)
    LOOP
        EXECUTE format('ALTER FUNCTION %s SET plan_cache_mode = auto', f);
    END LOOP;
END $$`

// tenantsReachWorkers lets the coordinator connect to the other servers as a tenant.
const tenantsReachWorkers = `DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'annals_tenant' AND NOT rolcanlogin) THEN
        ALTER ROLE annals_tenant LOGIN;
    END IF;
END $$`

// functionsLeft creates again the functions that no table depends on, so that the other servers get
// them too: they refused them as long as the types that they return were missing.
const functionsLeft = `DO $$
DECLARE
    left_out record;
BEGIN
    FOR left_out IN SELECT pg_get_functiondef(p.oid) AS definition FROM pg_catalog.pg_proc p
        WHERE p.pronamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace) AND p.prokind = 'f' AND p.proname !~ '^river_'
            AND NOT EXISTS (SELECT FROM pg_catalog.pg_dist_object o WHERE o.classid = 'pg_catalog.pg_proc'::regclass AND o.objid = p.oid) ORDER BY p.oid
    LOOP
        EXECUTE left_out.definition;
    END LOOP;
END $$`

// rowsLeft removes from the coordinator the rows that were copied to the servers: erasing would not
// reach them.
const rowsLeft = `SELECT truncate_local_data_after_distributing_table(%s)`

// Distribution lists the statements by which Citus spreads the memory over the servers of a
// cluster, grouped by transaction, in the order in which they must run. Tables that hold for the
// whole database are on every server. All others are distributed by group: the rows of one group
// are together on one server. What is spread already is left out.
func Distribution(ctx context.Context, pool Pool) ([][]string, error) {
	tables, err := undistributed(ctx, pool)
	if err != nil {
		return nil, err
	}
	functions, err := plannable(ctx, pool)
	if err != nil {
		return nil, err
	}
	views, err := New(pool).DistributionViews(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the views: %w", err)
	}
	var together []string
	for _, setting := range citusSettings {
		together = append(together, fmt.Sprintf(onEveryServer, setting), "SET LOCAL "+setting)
	}
	// The servers get the triggers before the rows.
	together = append(together, asReplica, `SET LOCAL search_path = ''`)
	together = append(append(together, functions...), plansForArguments)
	together = append(together, `SET LOCAL search_path = DEFAULT`)
	for _, table := range tables {
		together = append(together, spreading(table))
	}
	together = append(together, views...)
	transactions := [][]string{append(together, functionsLeft, tenantsReachWorkers)}
	full, err := unemptied(ctx, pool)
	if err != nil {
		return nil, err
	}
	for _, table := range slices.Backward(full) {
		// Append-only tables refuse to be emptied, except by a replica.
		transactions = append(transactions, []string{asReplica, fmt.Sprintf(rowsLeft, QuoteLiteral(table.Name))})
	}
	return append(transactions, []string{everyServer(showShards)}), nil
}

const asReplica = `SET LOCAL session_replication_role = replica`

// spreading is the statement that spreads a table.
func spreading(table DistributionTablesRow) string {
	name := QuoteLiteral(table.Name)
	switch {
	case table.Everywhere:
		return `SELECT create_reference_table(` + name + `)`
	case table.Name == "annals.groups":
		return `SELECT create_distributed_table(` + name + `, 'group_id')`
	}
	return `SELECT create_distributed_table(` + name + `, 'group_id', colocate_with => 'annals.groups')`
}

// undistributed lists the tables that are not spread yet.
func undistributed(ctx context.Context, pool Pool) ([]DistributionTablesRow, error) {
	return tablesBut(ctx, pool, `SELECT logicalrelid::regclass::text FROM pg_catalog.pg_dist_partition`)
}

// unemptied lists the tables that have rows on the coordinator itself: those not spread yet, and
// those not emptied after they were.
func unemptied(ctx context.Context, pool Pool) ([]DistributionTablesRow, error) {
	return tablesBut(ctx, pool, `SELECT logicalrelid::regclass::text FROM pg_catalog.pg_dist_partition WHERE pg_relation_size(logicalrelid) = 0`)
}

// tablesBut lists the tables of the schema without those that a statement lists. Only Citus can
// answer that statement.
func tablesBut(ctx context.Context, pool Pool, statement string) ([]DistributionTablesRow, error) {
	tables, err := New(pool).DistributionTables(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the tables: %w", err)
	}
	possible, err := New(pool).DistributionPossible(ctx)
	if err != nil || !possible {
		return tables, err
	}
	rows, err := pool.Query(ctx, statement)
	if err != nil {
		return nil, fmt.Errorf("list what is distributed: %w", err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("list what is distributed: %w", err)
	}
	return slices.DeleteFunc(tables, func(t DistributionTablesRow) bool { return slices.Contains(names, t.Name) }), nil
}

// Distribute runs the statements of [Distribution], and calls report before each. It fails with
// [graph.CodeConflict] without Citus.
func Distribute(ctx context.Context, pool Pool, report func(statement string)) error {
	possible, err := New(pool).DistributionPossible(ctx)
	if err != nil {
		return fmt.Errorf("look for Citus: %w", err)
	}
	if !possible {
		return &graph.Error{
			Code: graph.CodeConflict, Field: "database",
			Message: "has no Citus; install it on every server, add it to shared_preload_libraries and run CREATE EXTENSION citus",
		}
	}
	transactions, err := Distribution(ctx, pool)
	if err != nil {
		return err
	}
	last := len(transactions) - 1
	for _, statements := range transactions[:last] {
		if err := runTogether(ctx, pool, statements, report); err != nil {
			return err
		}
	}
	report(transactions[last][0])
	return ShowShards(ctx, pool) // it checks the answer of each server
}

// runTogether runs statements in one transaction.
func runTogether(ctx context.Context, pool Pool, statements []string, report func(statement string)) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		for _, statement := range statements {
			report(statement)
			if _, err := tx.Exec(ctx, statement); err != nil {
				return fmt.Errorf("%s: %w", statement, err)
			}
		}
		return nil
	})
}
