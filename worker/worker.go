package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/inside"
	"github.com/annalsdb/annals/internal/webhook"
	"github.com/annalsdb/annals/migrations"
)

// The bounds of [Options.Workers].
const (
	DefaultWorkers = 4
	MaxWorkers     = 16
)

// Options says how [Run] works. The zero value is ready to use.
type Options struct {
	// Agents is the work for agents that manage a memory of their own; package agent makes it.
	// Defaults to none.
	Agents annals.AgentWork

	// Read is called with each episode that was read or failed, possibly concurrently. Defaults to
	// none.
	Read func(annals.Processed)

	// Workers is how many groups are read in parallel, 1 to MaxWorkers. Defaults to DefaultWorkers.
	Workers int
}

// Run reads waiting episodes and does periodic upkeep until ctx ends. It then begins nothing new,
// lets running reads finish for up to twenty seconds, and leaves the rest to others. Any number of
// processes may run at the same time, on any machines; the order within a group is kept. The client
// must not be bound to a tenant.
//
// Adding an episode is enough: a worker reads it. While a model answers no request, the episodes
// wait. They are tried at growing intervals. After about half an hour they fail one by one, for
// [annals.Client.Retry].
func Run(ctx context.Context, client *annals.Client, o Options) error {
	in := inside.Of(client)
	if err := in.Unbound(); err != nil {
		return err
	}
	w, err := prepare(settings{Options: o, Engine: in.Engine, Pool: in.Pool, InsecureWebhooks: in.InsecureWebhooks, Log: in.Log})
	if err != nil {
		return err
	}
	return w.run(ctx)
}

// settings are the options of a worker, with those that only tests change. Only Engine and Pool
// have no default.
type settings struct {
	Options

	Engine           *engine.Engine // for all groups
	Pool             db.Pool        // names the database; the worker opens connections of its own
	InsecureWebhooks bool           // allows plain http and private networks
	Log              *slog.Logger

	Attempts     int             // how often an episode is tried while a model does not answer; zero: 12, about half an hour
	Grace        time.Duration   // how long reads may go on when the worker stops; zero: 20 seconds
	Portion      time.Duration   // how long a group is read before others have their turn; zero: 10 seconds
	Sweep        time.Duration   // how often to look for groups without a job; zero: 10 seconds
	WebhookWaits []time.Duration // after each attempt to deliver; the last applies to all further ones; empty: ten seconds to a day
}

// worker reads waiting episodes. It serves one run.
type worker struct {
	options settings
	pool    *pgxpool.Pool
	queries *db.Queries
	log     *slog.Logger
	stop    chan struct{}
}

// The queues. A long job in one does not delay the others.
const (
	queueAgents   = "agents"
	queueEpisodes = "episodes"
	queueLook     = "agents_due"
	queueSweep    = "sweep"
	queueUpkeep   = "upkeep"
	queueWebhooks = "webhooks"
)

func prepare(o settings) (*worker, error) {
	o.Workers = cmp.Or(o.Workers, DefaultWorkers)
	if o.Workers < 1 || o.Workers > MaxWorkers {
		return nil, graph.Invalid("workers", "are %d; 1 to %d groups can be read at once by one process: start several", o.Workers, MaxWorkers)
	}
	o.Attempts = cmp.Or(o.Attempts, 12)
	o.Grace = cmp.Or(o.Grace, 20*time.Second)
	o.Portion = cmp.Or(o.Portion, 10*time.Second)
	o.Sweep = cmp.Or(o.Sweep, 10*time.Second)
	if len(o.WebhookWaits) == 0 {
		o.WebhookWaits = webhookWaits
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Read == nil {
		o.Read = func(engine.Processed) {}
	}
	return &worker{options: o, log: o.Log, stop: make(chan struct{})}, nil
}

// stopping is the log message of a worker that begins nothing new.
const stopping = "workers stop; what is being read comes to an end"

// run works until ctx ends.
func (w *worker) run(ctx context.Context) error {
	behind, err := db.BehindPooler(ctx, w.options.Pool)
	if err != nil {
		return unlessEnded(ctx, err)
	}
	pool, err := ownPool(ctx, w.options.Pool, behind)
	if err != nil {
		return err
	}
	defer pool.Close()
	w.pool, w.queries = pool, db.New(pool)
	sender := webhook.NewSender(w.options.InsecureWebhooks)
	defer sender.Close()
	client, err := river.NewClient(riverpgxv5.New(pool), w.config(behind, sender))
	if err != nil {
		return fmt.Errorf("set up the queue: %w", err)
	}
	life := context.WithoutCancel(ctx)
	if err := client.Start(life); err != nil {
		var pg *pgconn.PgError
		if errors.As(err, &pg) && pg.Code == "42501" { // insufficient privilege
			return &annals.Error{
				Code: annals.CodeConflict, Field: "database",
				Message: "does not let this role read the queue: a role of tenants serves one group, by --tenant; a worker needs the rights that docs/deploy.md lists for an application", Err: err,
			}
		}
		return fmt.Errorf("start working: %w", err)
	}
	<-ctx.Done()
	close(w.stop)
	w.log.InfoContext(life, stopping)
	if err := client.Stop(life); err != nil {
		return fmt.Errorf("stop working: %w", err)
	}
	return nil
}

// queueConns is how many connections the queue needs: one listens, the others take jobs and store
// their results.
const queueConns = 5

// unlessEnded returns an error only if ctx has not ended.
func unlessEnded(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func ownPool(ctx context.Context, pool db.Pool, behindPooler bool) (*pgxpool.Pool, error) {
	own, err := db.Beneath(ctx, pool, func(config *pgxpool.Config) {
		config.MaxConns = queueConns
		if behindPooler && config.ConnConfig.DefaultQueryExecMode == pgx.QueryExecModeCacheStatement {
			config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
		}
	})
	if err != nil {
		return nil, fmt.Errorf("connect to the queue: %w", err)
	}
	return own, nil
}

// How long ended jobs are kept for inspection, and how long a job may run before it counts as dead.
const (
	keepCompleted = 10 * time.Minute
	keepFailed    = 24 * time.Hour
	deadAfter     = 10 * time.Minute

	deliveriesAtOnce = 8
)

func (w *worker) config(behindPooler bool, sender *webhook.Sender) *river.Config {
	workers := river.NewWorkers()
	river.AddWorker(workers, river.WorkFunc(w.drain))
	river.AddWorker(workers, river.WorkFunc(w.sweep))
	river.AddWorker(workers, &upkeepWorker{worker: w})
	river.AddWorker(workers, &webhookWorker{worker: w, sender: sender})
	queues := map[string]river.QueueConfig{
		queueEpisodes: {MaxWorkers: w.options.Workers}, queueSweep: {MaxWorkers: 1}, queueUpkeep: {MaxWorkers: 1},
		queueWebhooks: {MaxWorkers: deliveriesAtOnce},
	}
	if w.options.Agents.Wake != nil {
		queues[queueAgents], queues[queueLook] = river.QueueConfig{MaxWorkers: agentsAtOnce}, river.QueueConfig{MaxWorkers: 1}
		river.AddWorker(workers, &agentsWorker{worker: w})
		river.AddWorker(workers, river.WorkFunc(w.wake))
		river.AddWorker(workers, river.WorkFunc(w.tidyAgents))
	}
	return &river.Config{
		CancelledJobRetentionPeriod: keepFailed,
		CompletedJobRetentionPeriod: keepCompleted,
		DiscardedJobRetentionPeriod: keepFailed,
		FetchCooldown:               20 * time.Millisecond,
		FetchPollInterval:           500 * time.Millisecond,
		JobTimeout:                  -1,
		Logger:                      slog.New(quiet{w.log.Handler()}),
		PeriodicJobs:                w.periodic(),
		PollOnly:                    behindPooler, // a pooler does not pass notifications
		Queues:                      queues,
		RescueStuckJobsAfter:        deadAfter,
		RetryPolicy:                 patience{},
		Schema:                      migrations.QueueSchema,
		SoftStopTimeout:             w.options.Grace,
		Workers:                     workers,
	}
}
