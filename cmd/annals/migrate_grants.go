package main

import (
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/graph"
	rights "github.com/annalsdb/annals/migrations/grants"
)

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
		Args:    cobra.NoArgs,
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

// quoteName quotes a name in SQL if that is necessary.
func quoteName(name string) string {
	plain := strings.IndexFunc(name, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') }) < 0
	if plain && (name[0] < '0' || name[0] > '9') {
		return name
	}
	return pgx.Identifier{name}.Sanitize()
}
