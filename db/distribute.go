package db

import (
	"context"
	"fmt"

	"github.com/annalsdb/annals/graph"
)

// Distribution lists the statements by which Citus spreads the memory over the
// servers of a cluster, in the order in which they must be run. What holds for
// the whole database stands on every server. All else lies by its group: the
// rows of one group are together on one server.
func Distribution(ctx context.Context, pool Pool) ([]string, error) {
	tables, err := New(pool).DistributionTables(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the tables: %w", err)
	}
	// Our triggers write rows of the same group only, which lie on the same server.
	statements := []string{`SET citus.enable_unsafe_triggers = on`}
	for _, table := range tables {
		name := quoteLiteral(table.Name)
		switch {
		case table.Everywhere:
			statements = append(statements, `SELECT create_reference_table(`+name+`)`)
		case table.Name == "annals.groups":
			statements = append(statements, `SELECT create_distributed_table(`+name+`, 'group_id')`)
		default:
			statements = append(statements, `SELECT create_distributed_table(`+name+`, 'group_id', colocate_with => 'annals.groups')`)
		}
	}
	return statements, nil
}

// Distribute runs the statements of [Distribution] in one transaction, and
// calls report before each. It fails with [graph.CodeConflict] where there is no
// Citus.
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
	statements, err := Distribution(ctx, pool)
	if err != nil {
		return err
	}
	tx, err := pool.Begin(ctx)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // after a commit it does nothing
	for _, statement := range statements {
		report(statement)
		if _, err := tx.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return tx.Commit(ctx)
}
