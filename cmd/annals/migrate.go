package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/migrations"
)

const migrateHelp = `Brings the database to this version's schema, or shows how far it is. Without a
subcommand it is 'annals migrate up'.

A team that deploys its migrations with a tool of its own gives that what
'annals migrate sql' prints; each migration notes that it ran, so 'annals migrate
status' agrees whatever tool ran it.`

func migrateCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "migrate",
		Short:   "Bring the database to this version's schema, or show how far it is",
		Long:    migrateHelp,
		Example: "  annals migrate up\n  annals migrate status\n  annals migrate sql > annals.sql",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.migrateUp(cmd.Context()) },
	}
	cmd.AddCommand(migrateUpCommand(a), migrateStatusCommand(a), migrateSQLCommand(a), migrateGrantsCommand(a), migrateDownCommand(a))
	return cmd
}

func migrateUpCommand(a *app) *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use:     "up",
		Short:   "Apply the migrations that are missing",
		Example: "  annals migrate up\n  annals migrate up --dry-run    # what would be applied",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dryRun {
				return a.migratePlan(cmd.Context())
			}
			return a.migrateUp(cmd.Context())
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only say what would be applied")
	return cmd
}

func (a *app) migrateUp(ctx context.Context) error {
	where, err := a.database(ctx)
	if err != nil {
		return err
	}
	if err := refuseParts(ctx, where.url); err != nil {
		return err
	}
	_, dimension, err := a.embedder(ctx, where)
	if err != nil {
		return err
	}
	applied, err := migrations.Up(ctx, where.url, migrations.Options{EmbeddingDim: dimension, Notice: a.noticed})
	if err != nil {
		return err
	}
	return a.printMigrations("applied", "applied", applied)
}

// noticed prints a notice of PostgreSQL.
func (p *printer) noticed(severity, message string) { p.say("%s: %s", severity, message) }

func (a *app) migratePlan(ctx context.Context) error {
	where, err := a.database(ctx)
	if err != nil {
		return err
	}
	pending, err := migrations.Pending(ctx, where.url)
	if err != nil {
		return err
	}
	return a.printMigrations("pending", "would apply", pending)
}

// printMigrations lists migrations, as JSON under key or as text after verb.
func (p *printer) printMigrations(key, verb string, steps []migrations.Step) error {
	if p.json {
		return p.printJSON(map[string][]string{key: names(steps)})
	}
	if len(steps) == 0 {
		fmt.Fprintln(p.stdout, "The schema is current.")
	}
	for _, step := range steps {
		fmt.Fprintln(p.stdout, verb, step.Name)
	}
	return nil
}

func migrateStatusCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "status",
		Short:   "List the migrations and when each was applied",
		Example: "  annals migrate status",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			where, err := a.database(cmd.Context())
			if err != nil {
				return err
			}
			steps, err := migrations.Status(cmd.Context(), where.url)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(map[string][]migrations.Step{"migrations": steps})
			}
			return a.table("MIGRATION\tAPPLIED", each.Of(steps, func(s migrations.Step) []string { return []string{s.Name, day(s.AppliedAt)} }))
		},
	}
}

const migrateSQLHelp = `Prints migrations as plain SQL, which needs no connection: for psql, and for
Flyway, Atlas, sqitch, dbmate, goose and other tools. It is to be run in one
transaction, which most of them open by themselves; for others --transaction does. 'annals
migrate status' then knows of it.`

func migrateSQLCommand(a *app) *cobra.Command {
	var from, to int64
	var transaction bool
	cmd := &cobra.Command{
		Use:   "sql",
		Short: "Print migrations as plain SQL, for other tools to run",
		Long:  migrateSQLHelp,
		Example: "  annals migrate sql --transaction | psql -v ON_ERROR_STOP=1 \"$DATABASE_URL\"\n" +
			"  annals migrate sql --from 16    # what came since migration 15",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			text, err := migrations.SQL(from, to, a.config.EmbeddingDim)
			if err != nil {
				return err
			}
			if transaction {
				text = "BEGIN;\n" + text + "COMMIT;\n"
			}
			if a.json {
				return a.printJSON(map[string]string{"sql": text})
			}
			_, err = fmt.Fprint(a.stdout, text)
			return err
		},
	}
	cmd.Flags().Int64Var(&from, "from", 0, "the first migration; 0: the oldest there is")
	cmd.Flags().Int64Var(&to, "to", 0, "the last migration; 0: the newest there is")
	cmd.Flags().BoolVar(&transaction, "transaction", false, "begin and commit a transaction, for tools that do not: psql, sqitch")
	return cmd
}

func migrateDownCommand(a *app) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:     "down",
		Short:   "Remove the newest part of the schema with everything in it",
		Example: "  annals migrate down --yes",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !yes {
				return errors.New("'migrate down' removes the newest part of the schema with everything in it; say --yes")
			}
			where, err := a.database(cmd.Context())
			if err != nil {
				return err
			}
			step, err := migrations.Down(cmd.Context(), where.url, migrations.Options{Notice: a.noticed})
			if err != nil {
				return err
			}
			return a.printRemoved(step)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "really remove it")
	return cmd
}

func (p *printer) printRemoved(step *migrations.Step) error {
	if p.json {
		return p.printJSON(map[string]*migrations.Step{"removed": step})
	}
	if step == nil {
		fmt.Fprintln(p.stdout, "There is nothing to remove.")
		return nil
	}
	fmt.Fprintln(p.stdout, "removed", step.Name)
	return nil
}

func names(steps []migrations.Step) []string {
	return each.Of(steps, func(s migrations.Step) string { return s.Name })
}
