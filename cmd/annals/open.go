package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/postgres"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/metrics"
	"github.com/annalsdb/annals/migrations"
	"github.com/annalsdb/annals/model"
)

// database is the database of the memory.
type database struct {
	url      string
	embedded bool
	dir      string // the folder of the embedded cluster
}

// database returns the database, and starts the embedded one if none is named.
func (a *app) database(ctx context.Context) (database, error) {
	if a.config.DatabaseURL != "" {
		return database{url: a.config.DatabaseURL}, nil
	}
	if a.config.ReadURL != "" {
		return database{}, graph.Invalid("ANNALS_READ_DATABASE_URL", "is set but ANNALS_DATABASE_URL is not: name the primary that it is a replica of")
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
		a.say("Started the embedded PostgreSQL in %s; 'annals down' stops it.", cluster.Dir)
	}
	return database{url: cluster.URL(), embedded: true, dir: cluster.Dir}, nil
}

func (a *app) embedded(listen string) (postgres.Config, error) {
	dir, err := a.config.dataDir()
	return postgres.Config{BinDir: a.config.PostgresBin, DataDir: dir, Listen: listen}, err
}

// session is a run of a command with an open client.
type session struct {
	*app
	*annals.Client
	cmd  *cobra.Command
	args []string
}

// grouped reports whether --group names the group.
func (s *session) grouped() bool { return s.cmd.Flags().Changed("group") }

// service returns what only servers and this program need of the library.
func (s *session) service() *service.Service { return service.New(s.Client) }

// withMemory makes the RunE of a command that needs an existing group.
func (a *app) withMemory(do work) func(*cobra.Command, []string) error {
	return a.withClient(func(ctx context.Context, s *session) error {
		if err := checkGroups(ctx, s.Client, s.group); err != nil {
			return err
		}
		return do(ctx, s)
	})
}

// withClient makes the RunE of a command that works on the whole database or creates its group.
func (a *app) withClient(do work) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		client, err := a.open(cmd.Context())
		if err != nil {
			return err
		}
		defer client.Close()
		return do(cmd.Context(), &session{a, client, cmd, args})
	}
}

// withDatabase makes the RunE of a command that needs no client, only the database.
func (a *app) withDatabase(do func(context.Context, database) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		where, err := a.database(cmd.Context())
		if err != nil {
			return err
		}
		return do(cmd.Context(), where)
	}
}

// open opens a client.
func (a *app) open(ctx context.Context) (*annals.Client, error) {
	client, _, err := a.openAt(ctx)
	return client, err
}

// openAt opens a client and returns its database. It migrates the embedded database; another one is
// migrated only on request.
func (a *app) openAt(ctx context.Context) (*annals.Client, database, error) {
	where, settings, err := a.locate(ctx)
	if err != nil {
		return nil, where, err
	}
	client, err := a.openIn(ctx, where, settings)
	return client, where, err
}

// locate returns the database, and the configuration of the library for it.
func (a *app) locate(ctx context.Context) (where database, settings annals.Config, err error) {
	if err = graph.ValidateGroupID(a.group); err != nil {
		return where, settings, err
	}
	if settings, err = a.settings(ctx); err != nil {
		return where, settings, err
	}
	where, err = a.database(ctx)
	return where, settings, err
}

// openCounted is openAt of a migrated database, with metrics of calls and connections.
func (a *app) openCounted(ctx context.Context, registry *prometheus.Registry) (client *annals.Client, where database, err error) {
	if a.config.calls, err = metrics.Calls(registry); err != nil {
		return nil, where, fmt.Errorf("register the metrics: %w", err)
	}
	if client, where, err = a.openAt(ctx); err != nil {
		return nil, where, err
	}
	if err = metrics.Connections(registry, client); err != nil {
		err = fmt.Errorf("register the metrics: %w", err)
	} else {
		err = migrated(ctx, where.url)
	}
	if err != nil {
		client.Close()
	}
	return client, where, err
}

// openIn opens a client for a known database.
func (a *app) openIn(ctx context.Context, where database, settings annals.Config) (client *annals.Client, err error) {
	settings.DatabaseURL, settings.Tenant = where.url, a.config.Tenant
	dimension := 0
	if settings.Embedder, dimension, err = a.embedder(ctx, where); err != nil {
		return nil, err
	}
	if where.embedded || dimension != 0 && a.config.Tenant == "" {
		if err := a.prepare(ctx, where, dimension); err != nil {
			return nil, err
		}
	}
	return annals.Open(ctx, settings)
}

// settings returns the library's configuration, without the parts that depend on the database.
func (a *app) settings(ctx context.Context) (annals.Config, error) {
	main, small, err := a.config.llms()
	if err != nil {
		return annals.Config{}, err
	}
	reranker, err := a.config.reranker(ctx, main)
	return annals.Config{
		LLM: main, SmallLLM: small, Reranker: reranker, Previous: a.config.previous(), Window: a.config.Window, Reflexion: a.config.Reflexion,
		Communities: a.config.Communities, Observations: a.config.Observations, Log: a.config.log, TracerProvider: a.config.traces, Calls: a.config.calls,
		ReadDatabaseURL: a.config.ReadURL, ReadWait: a.config.readWait(),
		InsecureWebhooks: a.config.InsecureWebhooks,
	}, err
}

// embedder opens the embedder, nil for the offline one, and returns the dimension of the database's
// vectors; 0: any.
func (a *app) embedder(ctx context.Context, where database) (model.Embedder, int, error) {
	dimension := a.config.EmbeddingDim
	if a.config.Embedder == "" || a.config.Embedder == offline {
		return nil, dimension, nil
	}
	if dimension == 0 {
		var err error
		if dimension, err = migrations.Dimension(ctx, where.url); err != nil {
			return nil, 0, err
		}
	}
	e, err := a.config.embedder(ctx, dimension)
	if err != nil {
		return nil, 0, err
	}
	return e, e.Dimensions(), nil
}

// prepare migrates the embedded database and sets the dimension of vectors. It applies no
// migrations to the user's own database: annals.Open reports what is missing there.
func (p *printer) prepare(ctx context.Context, where database, dimension int) error {
	if where.embedded && dimension == 0 {
		if current, err := migrations.Current(ctx, where.url); err != nil || current {
			return err
		}
	}
	options := migrations.Options{EmbeddingDim: dimension, Notice: p.noticed}
	if !where.embedded {
		if fixed, err := migrations.Dimension(ctx, where.url); err != nil || fixed == dimension {
			return err
		}
		pending, err := migrations.Pending(ctx, where.url)
		if err != nil || len(pending) > 0 {
			return err
		}
		options.Notice = nil // 'annals migrate up' has printed it
	}
	_, err := migrations.Up(ctx, where.url, options)
	return err
}

// wholeDatabase lists the commands that work on the whole database, not on one group.
var wholeDatabase = []string{"bench", "demo", "distribute", "eval", "keys", "migrate", "rebuild", "reembed", "verify", "worker"}

// bindTenant sets the group of a command to the tenant's, and refuses commands
// that work on the whole database.
func (a *app) bindTenant(cmd *cobra.Command) error {
	if a.config.Tenant == "" {
		return nil
	}
	top := cmd
	for top.HasParent() && top.Parent().HasParent() {
		top = top.Parent()
	}
	if slices.Contains(wholeDatabase, top.Name()) {
		return &annals.Error{
			Code: annals.CodeForbidden, Field: "tenant",
			Message: fmt.Sprintf("'annals %s' works on the whole database; run it without --tenant and ANNALS_TENANT", top.Name()),
		}
	}
	if !cmd.Flags().Changed("group") {
		a.group = a.config.Tenant
	}
	return nil
}
