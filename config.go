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

// Config configures a [Client]. Only the database has no default: set either DatabaseURL or Pool.
type Config struct {
	// Analyst reads episodes in place of LLM: your own implementation.
	Analyst analyst.Analyst

	// Calls is called for each call of a model, by several goroutines at once. It is also called,
	// with the Kind "search", for each search that goes on although a model failed. Package
	// metrics counts the calls for Prometheus. Defaults to none.
	Calls func(model.Call)

	// Communities updates the communities as entities arrive, at one or two calls for each
	// community that changes.
	Communities bool

	// DatabaseURL is the URL of a migrated PostgreSQL, 15 to 18, with pgvector:
	// postgres://user:password@host/name.
	DatabaseURL string

	// Embedder turns text into vectors. Its dimension must be the one the database was set up with.
	// Defaults to the offline feature-hashing embedder, which compares spelling, not meaning.
	Embedder model.Embedder

	// IndexedVectors is the number of vectors of one kind from which a group gets an approximate
	// index of its own, once its episodes are processed. Below it, a search compares all vectors.
	// The role must own the tables. Defaults to 10,000; negative: never.
	IndexedVectors int

	// InsecureWebhooks allows webhooks over plain http and to addresses of private networks. Set it
	// only if everyone who can create webhooks may reach all that this machine can reach. Defaults
	// to https and public addresses.
	InsecureWebhooks bool

	// LLM is the language model that reads episodes; see [model.OpenLLM]. Its calls and their cost
	// are recorded in annals.model_calls. Defaults to the offline rules, a floor that needs no
	// model.
	LLM *model.LLM

	// Log receives messages for operators. Defaults to none.
	Log *slog.Logger

	// Observations keeps observations, what several facts together show, in every group. It costs
	// at most a quarter of a call per message.
	Observations bool

	// Pool is the application's own pool, in place of DatabaseURL. Each request takes one
	// connection at a time from it, as the application does. Connections are returned with their
	// settings and registered types unchanged, and may have any types and search path. Close leaves
	// the pool open.
	//
	// Long work has connections of its own, with the host and user of the pool. The pool's
	// BeforeConnect is called for them, its AfterConnect is not: to act as another role, set it in
	// the URL or by ALTER ROLE. There is one such connection for each group that [Client.Process]
	// or a deletion works on and one for each agent at work, up to [MaxExclusive]. Two more are
	// open while an index of vectors is built, and five while workers run.
	//
	// Behind PgBouncer in transaction mode the pool must prepare no statements: set its
	// ConnConfig.DefaultQueryExecMode to pgx.QueryExecModeCacheDescribe, QueryExecModeExec or
	// QueryExecModeSimpleProtocol, as the application itself needs there. A DatabaseURL needs no
	// such setting. SQL is traced by the pool's own tracer, if it has one.
	Pool *pgxpool.Pool

	// Previous is the number of earlier messages of the thread that the analyst is shown as context
	// of an episode. Defaults to 4, two turns; negative: none.
	Previous int

	// ReadDatabaseURL is the URL of a streaming replica, or of a proxy before several, that answers
	// reads. A read of a group sees all that this Client has written to it; if the replica is
	// behind, the primary answers. For writes of other clients see [ReadAfter]. Defaults to none:
	// the primary answers all reads.
	ReadDatabaseURL string

	// ReadWait is how long a read after a write waits for the replica before it goes to the
	// primary. Defaults to DefaultReadWait; negative: it does not wait.
	ReadWait time.Duration

	// Reflexion asks the model a second time about each episode: what was missed and what was
	// invented. Coverage is better, for one more call.
	Reflexion bool

	// Reranker is the model that scores each hit against the query, for searches that ask for it;
	// see [model.OpenReranker]. Defaults to none.
	Reranker model.Reranker

	// SmallLLM writes summaries, names and dates. Defaults to LLM.
	SmallLLM *model.LLM

	// Tenant binds the Client to one group, as [Client.ForTenant] does. Defaults to none: all
	// groups are accessible.
	Tenant string

	// TracerProvider receives the OpenTelemetry spans of work that the memory starts itself, such
	// as reading episodes, and of SQL statements within a span. Spans hold no texts. Defaults to
	// none. Without it too, calls within a caller's span are traced there, but not their SQL.
	TracerProvider trace.TracerProvider

	// Window is the number of waiting messages of one thread that are read together, in no more
	// calls than a single message takes. Defaults to 8 with an LLM and to 1 without; 1: each on its
	// own.
	Window int
}

// analyst returns the analyst to use. Its models record their calls in the ledger.
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

// pool returns the pool of the primary and the function that closes it.
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

// replica returns the replica to read from, or nil to read from the primary.
func (c Config) replica(ctx context.Context) (*db.Replica, error) {
	if c.ReadDatabaseURL == "" {
		return nil, nil
	}
	return db.OpenReplica(ctx, c.ReadDatabaseURL, cmp.Or(c.ReadWait, DefaultReadWait), c.Log, db.Traced(c.TracerProvider))
}
