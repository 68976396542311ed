package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/migrations"
)

func (a *app) migrateCommand() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:       "migrate [up|status|down]",
		Short:     "Bring the database to this version's schema, or show how far it is",
		Example:   "  annals migrate up\n  annals migrate status\n  annals migrate down --yes    # takes back the newest",
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"up", "status", "down"},
		RunE: func(cmd *cobra.Command, args []string) error {
			where, err := a.database(cmd.Context())
			if err != nil {
				return err
			}
			switch {
			case len(args) == 0 || args[0] == "up":
				return a.migrateUp(cmd.Context(), where)
			case args[0] == "status":
				return a.migrateStatus(cmd.Context(), where.url)
			case !yes:
				return errors.New("'migrate down' removes the newest part of the schema with everything in it; say --yes")
			}
			return a.migrateDown(cmd.Context(), where.url)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "really take back, for down")
	return cmd
}

func (a *app) migrateUp(ctx context.Context, where database) error {
	_, dimension, err := a.embedder(ctx, where)
	if err != nil {
		return err
	}
	applied, err := migrations.Up(ctx, where.url, migrations.Options{EmbeddingDim: dimension})
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string][]string{"applied": names(applied)})
	}
	if len(applied) == 0 {
		fmt.Fprintln(a.stdout, "The schema is current.")
	}
	for _, step := range applied {
		fmt.Fprintln(a.stdout, "applied", step.Name)
	}
	return nil
}

func (a *app) migrateStatus(ctx context.Context, url string) error {
	steps, err := migrations.Status(ctx, url)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string][]migrations.Step{"migrations": steps})
	}
	return a.table("MIGRATION\tAPPLIED", views(steps, func(s migrations.Step) []string { return []string{s.Name, day(s.AppliedAt)} }))
}

func (a *app) migrateDown(ctx context.Context, url string) error {
	step, err := migrations.Down(ctx, url)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]*migrations.Step{"taken_back": step})
	}
	if step == nil {
		fmt.Fprintln(a.stdout, "There is nothing to take back.")
		return nil
	}
	fmt.Fprintln(a.stdout, "took back", step.Name)
	return nil
}

func names(steps []migrations.Step) []string {
	return views(steps, func(s migrations.Step) string { return s.Name })
}
