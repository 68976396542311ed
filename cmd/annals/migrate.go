package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/migrations"
	rights "github.com/annalsdb/annals/migrations/grants"
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
		RunE:    a.withDatabase(a.migrateUp),
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
		RunE: a.withDatabase(func(ctx context.Context, where database) error {
			if dryRun {
				pending, err := migrations.Pending(ctx, where.url)
				return a.printMigrations("pending", "would apply", pending, err)
			}
			return a.migrateUp(ctx, where)
		}),
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only say what would be applied")
	return cmd
}

func (a *app) migrateUp(ctx context.Context, where database) error {
	if err := refuseParts(ctx, where.url); err != nil {
		return err
	}
	_, dimension, err := a.embedder(ctx, where)
	if err != nil {
		return err
	}
	applied, err := migrations.Up(ctx, where.url, migrations.Options{EmbeddingDim: dimension, Notice: a.noticed})
	return a.printMigrations("applied", "applied", applied, err)
}

// noticed prints a notice of PostgreSQL.
func (p *printer) noticed(severity, message string) { p.say("%s: %s", severity, message) }

// printMigrations lists migrations, as JSON under key or as text after verb.
func (p *printer) printMigrations(key, verb string, steps []migrations.Step, err error) error {
	if err != nil {
		return err
	}
	if p.json {
		return p.printJSON(map[string][]string{key: each.Of(steps, func(s migrations.Step) string { return s.Name })})
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
		RunE: a.withDatabase(func(ctx context.Context, where database) error {
			steps, err := migrations.Status(ctx, where.url)
			if err != nil {
				return err
			}
			return listing[migrations.Step]{
				key: "migrations", header: "MIGRATION\tAPPLIED",
				cells: func(s migrations.Step, _ string) []string { return []string{s.Name, day(s.AppliedAt)} },
			}.print(&a.printer, steps)
		}),
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
		RunE: func(*cobra.Command, []string) error {
			text, err := migrations.SQL(from, to, a.config.EmbeddingDim)
			if err != nil {
				return err
			}
			if transaction {
				text = "BEGIN;\n" + text + "COMMIT;\n"
			}
			return a.tell(map[string]string{"sql": text}, "%s", text)
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
		PreRunE: func(*cobra.Command, []string) error {
			if !yes {
				return errors.New("'migrate down' removes the newest part of the schema with everything in it; say --yes")
			}
			return nil
		},
		RunE: a.withDatabase(func(ctx context.Context, where database) error {
			step, err := migrations.Down(ctx, where.url, migrations.Options{Notice: a.noticed})
			if err != nil {
				return err
			}
			words := "There is nothing to remove."
			if step != nil {
				words = "removed " + step.Name
			}
			return a.tell(map[string]*migrations.Step{"removed": step}, "%s\n", words)
		}),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "really remove it")
	return cmd
}

const migrateGrantsHelp = `Prints the SQL that gives Annals its rights, for an administrator: extensions, the
owner of the tables, the role of tenants and a role for applications. It needs
no connection. Leave out the roles that are there already, and set their passwords.`

func migrateGrantsCommand(a *app) *cobra.Command {
	names := map[string]*string{"owner": new("annals_owner"), "app": new("annals_app"), "database": new("annals")}
	cmd := &cobra.Command{
		Use:     "grants",
		Short:   "Print the rights that an administrator gives Annals",
		Long:    migrateGrantsHelp,
		Example: "  annals migrate grants --database shop --owner shop_owner --app shop",
		RunE: func(*cobra.Command, []string) error {
			if *names["owner"] == *names["app"] {
				return graph.Invalid("app", "is the owner: an application gets a role of its own, which changes no tables")
			}
			text := rights.Before + "\n" + rights.After
			for name, value := range names {
				if *value == "" {
					return graph.Invalid(name, "is empty")
				}
				text = strings.ReplaceAll(text, "{"+name+"}", quoteName(*value))
			}
			return a.tell(map[string]string{"sql": text}, "%s", text)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(names["owner"], "owner", *names["owner"], "the role that migrates and owns the tables")
	flags.StringVar(names["app"], "app", *names["app"], "the role of servers, workers and programs")
	flags.StringVar(names["database"], "database", *names["database"], "the name of the database")
	return cmd
}

// quoteName quotes a name in SQL if that is necessary.
func quoteName(name string) string {
	plain := strings.IndexFunc(name, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') }) < 0
	if plain && (name[0] < '0' || name[0] > '9') {
		return name
	}
	return pgx.Identifier{name}.Sanitize()
}
