package worker

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/webhook"
	"github.com/annalsdb/annals/migrations"
)

// The bounds of [Options.Workers].
const (
	DefaultWorkers = 4
	MaxWorkers     = 16
)

// Options says how a [Worker] works. Only Engine and Pool have no default.
type Options struct {
	// Engine reads the episodes. It must reach all groups.
	Engine *engine.Engine

	// Pool says which database it is. The worker has connections of its own.
	Pool db.Pool

	// Agents is what is done for agents. Defaults to nothing.
	Agents Agents

	// Attempts is how often an episode is tried while a model answers no request,
	// from a second to five minutes apart, before it is put aside as failed.
	// Defaults to 12, about half an hour.
	Attempts int

	// Grace is how long the reading of an episode may go on when the worker stops;
	// after that the episode is left to others. Defaults to 20 seconds.
	Grace time.Duration

	// InsecureWebhooks lets deliveries go over plain http, and to addresses of
	// private networks. Defaults to https and public addresses.
	InsecureWebhooks bool

	// Log receives what an operator wants to know. Defaults to nothing.
	Log *slog.Logger

	// Portion is for how long a group is read before others have their turn.
	// Defaults to 10 seconds.
	Portion time.Duration

	// Read is told of each episode that was read, or failed. Several may be told
	// of at once. Defaults to none.
	Read func(engine.Processed)

	// Sweep is how often to look for groups without a job.
	// Defaults to 10 seconds.
	Sweep time.Duration

	// Tidy is what is done once an hour beside: removing what is kept for a
	// time. Defaults to nothing.
	Tidy func(context.Context) error

	// WebhookWaits is how long after each attempt to deliver the next follows;
	// the last holds for all further ones. Defaults to ten seconds at first, a
	// day in the end.
	WebhookWaits []time.Duration

	// Workers is how many groups are read at once, 1 to MaxWorkers. Defaults to
	// DefaultWorkers.
	Workers int
}

// Worker reads what waits. It is made for one [Worker.Run].
type Worker struct {
	options Options
	pool    *pgxpool.Pool
	queries *db.Queries
	log     *slog.Logger
	stop    chan struct{}
}

// The queues: a long job in one holds nothing up in another.
const (
	queueAgents   = "agents"
	queueEpisodes = "episodes"
	queueLook     = "agents_due"
	queueSweep    = "sweep"
	queueUpkeep   = "upkeep"
	queueWebhooks = "webhooks"
)

// New is a worker that [Worker.Run] starts.
func New(o Options) (*Worker, error) {
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
	return &Worker{options: o, log: o.Log, stop: make(chan struct{})}, nil
}

// Stopping is what the log says when a worker begins nothing new any more.
const Stopping = "workers stop; what is being read comes to an end"

// Run works until ctx ends. It then begins nothing new, lets the episodes that
// are being read come to an end within the grace, and leaves the rest to others.
func (w *Worker) Run(ctx context.Context) error {
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
		return fmt.Errorf("start working: %w", err)
	}
	<-ctx.Done()
	close(w.stop)
	w.log.InfoContext(life, Stopping)
	if err := client.Stop(life); err != nil {
		return fmt.Errorf("stop working: %w", err)
	}
	return nil
}

// How many connections the queue needs: one listens, the others take jobs and
// write what became of them.
const queueConns = 5

// unlessEnded is an error of what was asked before ctx ended.
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

// How long jobs that ended are kept for those who look into the queue, and how
// long one may run before it is thought to be dead.
const (
	keepCompleted = 10 * time.Minute
	keepFailed    = 24 * time.Hour
	deadAfter     = 10 * time.Minute

	deliveriesAtOnce = 8
)

func (w *Worker) config(behindPooler bool, sender *webhook.Sender) *river.Config {
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
		PollOnly:                    behindPooler, // where there is nothing to listen on
		Queues:                      queues,
		RescueStuckJobsAfter:        deadAfter,
		RetryPolicy:                 patience{},
		Schema:                      migrations.QueueSchema,
		SoftStopTimeout:             w.options.Grace,
		Workers:                     workers,
	}
}
