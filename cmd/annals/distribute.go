package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/db"
)

func distributeCommand(a *app) *cobra.Command {
	var execute bool
	cmd := &cobra.Command{
		Use:   "distribute",
		Short: "Print, or run, what spreads the memory over the servers of a Citus cluster",
		Long: `Prints the statements with which Citus spreads the memory over the servers of a
cluster by group; --run runs them. What is spread already is left out, so that
it is run again after each migration. docs/scale.md says when it is worth it,
docs/citus.md what to do before.`,
		Example: "  annals distribute > distribute.sql\n  annals distribute --run",
		RunE:    a.withDatabase(func(ctx context.Context, where database) error { return a.distribute(ctx, where, execute) }),
	}
	cmd.Flags().BoolVar(&execute, "run", false, "run them as well")
	return cmd
}

func (p *printer) distribute(ctx context.Context, where database, execute bool) error {
	pool, err := db.Open(ctx, where.url)
	if err != nil {
		return err
	}
	defer pool.Close()
	var statements []string
	if execute {
		err = db.Distribute(ctx, pool, func(s string) { statements = append(statements, s) })
	} else {
		statements, err = script(ctx, pool)
	}
	if err != nil {
		return err
	}
	if p.json {
		return p.printJSON(map[string]any{"statements": statements, "run": execute})
	}
	for _, s := range statements {
		if _, err := fmt.Fprintln(p.stdout, s+";"); err != nil {
			return err
		}
	}
	return nil
}

// script returns the statements of --run, with BEGIN and COMMIT.
func script(ctx context.Context, pool db.Pool) ([]string, error) {
	transactions, err := db.Distribution(ctx, pool)
	var statements []string
	for _, together := range transactions {
		statements = append(append(append(statements, "BEGIN"), together...), "COMMIT")
	}
	return statements, err
}
