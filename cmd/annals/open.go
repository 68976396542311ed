package main

import (
	"context"
	"fmt"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/migrations"
	"github.com/annalsdb/annals/postgres"
)

// database is where the memory is kept.
type database struct {
	url      string
	embedded bool
	dir      string // of the embedded cluster
}

// database finds the database, starting the embedded one where none is named.
func (a *app) database(ctx context.Context) (database, error) {
	if err := a.config.check(); err != nil {
		return database{}, err
	}
	if a.config.DatabaseURL != "" {
		return database{url: a.config.DatabaseURL}, nil
	}
	embedded, err := a.embedded("")
	if err != nil {
		return database{}, err
	}
	cluster, err := postgres.Start(ctx, embedded)
	if err != nil {
		return database{}, err
	}
	if cluster.Started {
		fmt.Fprintf(a.stderr, "Started the embedded PostgreSQL in %s; 'annals down' stops it.\n", cluster.Dir)
	}
	return database{url: cluster.URL(), embedded: true, dir: cluster.Dir}, nil
}

func (a *app) embedded(listen string) (postgres.Config, error) {
	dir, err := a.config.dataDir()
	return postgres.Config{BinDir: a.config.PostgresBin, DataDir: dir, Listen: listen}, err
}

// open connects to the memory. The embedded database is brought to this
// version's schema on the way; another one is migrated only when asked to.
func (a *app) open(ctx context.Context) (*annals.Client, error) {
	if err := graph.ValidateGroupID(a.group); err != nil {
		return nil, err
	}
	where, err := a.database(ctx)
	if err != nil {
		return nil, err
	}
	if where.embedded || a.config.EmbeddingDim != 0 {
		if err := a.prepare(ctx, where); err != nil {
			return nil, err
		}
	}
	return annals.Open(ctx, annals.Config{DatabaseURL: where.url})
}

// prepare migrates the embedded database, and checks the dimension of vectors
// that the user asks for.
func (a *app) prepare(ctx context.Context, where database) error {
	if !where.embedded {
		steps, err := migrations.Status(ctx, where.url)
		if err != nil || len(steps) == 0 || steps[0].AppliedAt.IsZero() {
			return err // annals.Open says what to do about a missing schema
		}
	}
	_, err := migrations.Up(ctx, where.url, migrations.Options{EmbeddingDim: a.config.EmbeddingDim})
	return err
}
