package annals

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"go.opentelemetry.io/otel/trace"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
)

// Config says what a [Client] works with. Only the database has no default: one of
// DatabaseURL and Pool.
type Config struct {
	// Analyst reads episodes, in place of LLM: an implementation of your own.
	Analyst analyst.Analyst

	// Calls is told of each question to a model, by several goroutines at once, and of
	// each search that goes on without one, with the Kind "search".
	// Package metrics counts them for Prometheus. Defaults to none.
	Calls func(model.Call)

	// Communities keeps the communities up to date as entities arrive, at one or
	// two calls for each that changes.
	Communities bool

	// DatabaseURL names a migrated PostgreSQL, 15 to 18, with pgvector:
	// postgres://user:password@host/name.
	DatabaseURL string

	// Embedder turns text into vectors. It must make as many dimensions as the
	// database was set up with. Defaults to the offline feature-hashing
	// embedder, which knows spellings, not meanings.
	Embedder model.Embedder

	// IndexedVectors is from how many vectors of one kind on a group gets an
	// approximate index of its own, once its episodes are processed; under that
	// all are compared. The role must own the tables. Defaults to 10,000;
	// negative: never.
	IndexedVectors int

	// InsecureWebhooks lets webhooks be told over plain http, and at addresses of
	// private networks: for programs that trust those who make webhooks with all
	// that this machine can reach. Defaults to https and public addresses.
	InsecureWebhooks bool

	// LLM is the language model that reads episodes; see [model.OpenLLM]. What
	// it is asked and what it costs is written down in annals.model_calls.
	// Defaults to the offline rules, a floor that needs no model.
	LLM *model.LLM

	// Log receives what an operator wants to know. Defaults to nothing.
	Log *slog.Logger

	// Observations keeps observations in every group: what several facts together
	// show, at a quarter of a call for each message at the most.
	Observations bool

	// Pool is the application's own pool, in place of DatabaseURL. All that a
	// request asks for runs on its connections, one at a time, as on those that
	// the application takes; they are left as they are found, in their settings
	// and in the types they know, and Close leaves the pool open. Types and the
	// search path may be as the application needs them.
	//
	// What takes long has connections of its own, to where and as whom the pool
	// connects. Its BeforeConnect is called for them, its AfterConnect is not: a
	// role to act as is better set in the URL or by ALTER ROLE. There is one for
	// each group that [Client.Process], or a deletion, works on, one for each
	// agent at work, up to [MaxExclusive], two while an index of vectors is built, and
	// five while workers run.
	//
	// Behind PgBouncer in transaction mode the pool must prepare no statements:
	// its ConnConfig.DefaultQueryExecMode is to be pgx.QueryExecModeCacheDescribe,
	// QueryExecModeExec or QueryExecModeSimpleProtocol, as the application needs it
	// there too. That of DatabaseURL adapts by itself. SQL is traced by the pool's
	// own tracer, if any.
	Pool *pgxpool.Pool

	// Previous is how many earlier messages of its thread are shown with an
	// episode, as context. Defaults to 4, two turns; negative: none.
	Previous int

	// ReadDatabaseURL names a streaming replica of the database to read from, or
	// what stands for several. A read about a group sees all that this Client has
	// written to it, from the primary where need be; see [ReadAfter] for what
	// others have written. Defaults to none: the primary is read from.
	ReadDatabaseURL string

	// ReadWait is for how long a read that follows a write waits for the replica
	// before it goes to the primary. Defaults to DefaultReadWait; negative: not
	// at all.
	ReadWait time.Duration

	// Reflexion asks of every episode a second time what was missed and what
	// was invented: better coverage for one more call.
	Reflexion bool

	// Reranker is the model that reads the query with each hit, for searches that
	// ask for it; see [model.OpenReranker]. Defaults to none.
	Reranker model.Reranker

	// SmallLLM writes summaries, names and dates. Defaults to LLM.
	SmallLLM *model.LLM

	// Tenant binds the whole Client to one group, as [Client.ForTenant] does.
	// Defaults to none: every group can be reached.
	Tenant string

	// TracerProvider receives OpenTelemetry spans of what the memory does of its
	// own accord, such as reading episodes, and of every SQL statement within a
	// span; they hold no texts. Defaults to none. Calls within a span of the
	// caller's are traced there but for their SQL, whether it is set or not.
	TracerProvider trace.TracerProvider

	// Window is how many waiting messages of one thread are read in one go,
	// which takes no more calls than a single one. Defaults to 8 with an LLM,
	// to each by itself without; 1: each by itself.
	Window int
}

// analyst chooses who reads episodes. The models write into the ledger.
func (c Config) analyst(ledger model.Ledger) analyst.Analyst {
	switch {
	case c.Analyst != nil:
		return c.Analyst
	case c.LLM == nil:
		return offline.New()
	}
	small := c.SmallLLM
	if small == nil {
		small = c.LLM
	}
	return analyst.New(c.LLM.With(ledger), small.With(ledger))
}

func (c Config) reranker(ledger model.Ledger) model.Reranker {
	if c.Reranker == nil {
		return nil
	}
	return model.RerankerWith(c.Reranker, ledger)
}

func (c Config) options() engine.Options {
	window := c.Window
	if window == 0 && c.LLM != nil {
		window = engine.DefaultWindow
	}
	return engine.Options{
		Previous: c.Previous, Window: window, Reflexion: c.Reflexion, Communities: c.Communities, Observations: c.Observations,
		IndexedVectors: c.IndexedVectors, Log: c.Log, TracerProvider: c.TracerProvider,
	}
}

// pool is the primary, and what closes it.
func (c Config) pool(ctx context.Context) (db.Pool, func(), error) {
	switch {
	case c.Pool != nil && c.DatabaseURL != "":
		return nil, nil, graph.Invalid("database", "is named twice: set DatabaseURL or Pool")
	case c.Pool == nil && c.DatabaseURL == "":
		return nil, nil, graph.Invalid("database", "is missing: set DatabaseURL or Pool")
	case c.Pool != nil:
		pool, err := db.Borrow(ctx, c.Pool, c.Log)
		if err != nil {
			return nil, nil, err
		}
		return db.Spread(ctx, pool, c.Log)
	}
	pool, err := db.Open(ctx, c.DatabaseURL, db.Traced(c.TracerProvider))
	if err != nil {
		return nil, nil, err
	}
	spread, closeServers, err := db.Spread(ctx, pool, c.Log)
	if err != nil {
		pool.Close()
		return nil, nil, err
	}
	return spread, func() {
		closeServers()
		pool.Close()
	}, nil
}

// replica is what is read from; nil: the primary.
func (c Config) replica(ctx context.Context) (*db.Replica, error) {
	if c.ReadDatabaseURL == "" {
		return nil, nil
	}
	return db.OpenReplica(ctx, c.ReadDatabaseURL, cmp.Or(c.ReadWait, DefaultReadWait), c.Log, db.Traced(c.TracerProvider))
}
