package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/internal/postgres"
	"github.com/annalsdb/annals/migrations"
)

var errNotEmbedded = errors.New("ANNALS_DATABASE_URL names a database of your own; unset it to use the embedded one")

func upCommand(a *app) *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use:     "up",
		Short:   "Run the embedded PostgreSQL in the foreground",
		Example: "  annals up\n  annals up --listen 127.0.0.1:5433    # also for programs that cannot use the socket",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.config.DatabaseURL != "" {
				return errNotEmbedded
			}
			embedded, err := a.embedded(listen)
			if err != nil {
				return err
			}
			cluster, err := postgres.Start(cmd.Context(), embedded)
			if err != nil {
				return err
			}
			if _, err := migrations.Up(cmd.Context(), cluster.URL(), migrations.Options{EmbeddingDim: a.config.EmbeddingDim, Notice: a.noticed}); err != nil {
				return err
			}
			fmt.Fprintf(a.stdout, "PostgreSQL runs in %s\n%s\n", cluster.Dir, cluster.URL())
			if url := cluster.ListenURL(); url != "" {
				fmt.Fprintf(a.stdout, "%s, with the password in %s\n", url, cluster.PasswordFile())
			}
			fmt.Fprintln(a.stdout, "Ctrl-C stops it.")
			<-cmd.Context().Done()
			return cluster.Stop(context.WithoutCancel(cmd.Context()))
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "", "a host:port to listen on besides the socket")
	return cmd
}

func downCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "down",
		Short:   "Stop the embedded PostgreSQL",
		Example: "  annals down",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.config.DatabaseURL != "" {
				return errNotEmbedded
			}
			embedded, err := a.embedded("")
			if err != nil {
				return err
			}
			return postgres.Stop(cmd.Context(), embedded)
		},
	}
}
