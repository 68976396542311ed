package main

import (
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/graph"
)

// The rights that Annals needs, for administrators to run: what comes before the first
// migration, and what comes after each. The owner, the database and the application
// stand for the names that are given.
const (
	grantsBefore = `-- Run as an administrator, in the database, before the first migration.
CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS unaccent;
-- The owner migrates.
CREATE ROLE {owner} LOGIN PASSWORD '…';
GRANT CREATE ON DATABASE {database} TO {owner};
-- Tenants: ForTenant and keys of one group act as this role.
CREATE ROLE annals_tenant NOLOGIN NOINHERIT;
GRANT annals_tenant TO {owner};
-- The application: servers, workers and programs, without DDL.
CREATE ROLE {app} LOGIN BYPASSRLS PASSWORD '…';
GRANT annals_tenant TO {app};
`
	grantsAfter = `-- Run as {owner} after the first migration and after each upgrade.
GRANT USAGE ON SCHEMA annals, annals_internal TO {app};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA annals, annals_internal TO {app};
REVOKE INSERT, UPDATE, DELETE ON annals.migrations FROM {app};
GRANT USAGE ON ALL SEQUENCES IN SCHEMA annals_internal TO {app};
GRANT EXECUTE ON FUNCTION annals_internal.add_tombstone(text, text, text), annals_internal.tombstone_key(),
    annals_internal.restore_tombstones(text, text[], bytea[], bytea[], integer[]), annals_internal.redact_erased(text, text), annals_internal.erased_episodes(text, bytea[]),
    annals_internal.copy_tombstones(text, text, boolean), annals_internal.copies_of(text), annals_internal.note_erasure(text, text, jsonb, text[]), annals_internal.erase_group(text),
    annals_internal.remove_ended_jobs(text), annals_internal.complete_webhook_batches(text) TO {app};
`
)

const migrateGrantsHelp = `Prints the SQL that gives Annals its rights, for an administrator: extensions, the
owner of the tables, the role of tenants and a role for applications. It needs
no connection. Leave out what is there already, and set the passwords.`

func migrateGrantsCommand(a *app) *cobra.Command {
	names := map[string]*string{"owner": new("annals_owner"), "app": new("annals_app"), "database": new("annals")}
	cmd := &cobra.Command{
		Use:     "grants",
		Short:   "Print the rights that an administrator gives Annals",
		Long:    migrateGrantsHelp,
		Example: "  annals migrate grants --database shop --owner shop_owner --app shop",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			text := grantsBefore + "\n" + grantsAfter
			for name, value := range names {
				if *value == "" {
					return graph.Invalid(name, "is empty")
				}
				text = strings.ReplaceAll(text, "{"+name+"}", quoteName(*value))
			}
			if a.json {
				return a.printJSON(map[string]string{"sql": text})
			}
			_, err := fmt.Fprint(a.stdout, text)
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVar(names["owner"], "owner", *names["owner"], "the role that migrates and owns the tables")
	flags.StringVar(names["app"], "app", *names["app"], "the role of servers, workers and programs")
	flags.StringVar(names["database"], "database", *names["database"], "the name of the database")
	return cmd
}

// quoteName writes a name of PostgreSQL, in quotes where it needs them.
func quoteName(name string) string {
	plain := strings.IndexFunc(name, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') }) < 0
	if plain && (name[0] < '0' || name[0] > '9') {
		return name
	}
	return pgx.Identifier{name}.Sanitize()
}
