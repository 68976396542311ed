package annals

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/inside"
	"github.com/annalsdb/annals/internal/telemetry"
	"github.com/annalsdb/annals/migrations"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/retrieval"
)

// Client gives access to the memory in one database. It is safe for concurrent use.
type Client struct {
	source            // the primary
	replica  *replica // nil: there is none
	config   Config
	tenant   string        // the only group this Client may use; "": all groups
	aside    *pgxpool.Pool // for [Client.RunExclusively]
	close    func()
	analyst  analyst.Analyst
	embedder model.Embedder
	watch    *embedderWatch
}

// Open connects to a migrated database; see package migrations. It fails with [CodeInvalid] if
// config has no database, or two, with [CodeUnavailable] if it cannot reach the database, and with
// [CodeConflict] if the schema is missing or the stored vectors have another dimension than the
// embedder's. A replica need not be reachable.
func Open(ctx context.Context, config Config) (*Client, error) {
	config.Log = telemetry.Logger(config.Log)
	following, err := config.replica(ctx)
	if err != nil {
		return nil, err
	}
	pool, closePool, err := config.pool(ctx)
	if err != nil {
		following.Close()
		return nil, err
	}
	aside, err := asidePool(ctx, pool)
	if err != nil {
		following.Close()
		closePool()
		return nil, err
	}
	end := func() {
		following.Close()
		aside.Close()
		closePool()
	}
	client, err := newClient(ctx, pool, following, config)
	if err != nil {
		end()
		return nil, err
	}
	client.close, client.aside = end, aside
	return client, nil
}

func newClient(ctx context.Context, pool db.Pool, following *db.Replica, config Config) (*Client, error) {
	dimension, err := readyDimension(ctx, pool, config.Embedder)
	if err != nil {
		return nil, err
	}
	if config.Embedder == nil {
		if config.Embedder, err = model.NewHashEmbedder(dimension); err != nil {
			return nil, err
		}
	}
	if got := config.Embedder.Dimensions(); got != dimension {
		return nil, change.Conflict("embedder", "%s makes vectors of %s, this database holds %d; use another embedder, or change it with 'annals reembed'",
			config.Embedder.Name(), each.Count(got, "dimension"), dimension)
	}
	c := &Client{config: config}
	c.wire(pool)
	c.watch = &embedderWatch{pool: pool, name: c.embedder.Name(), log: config.Log}
	c.watch.look(ctx)
	c.engine = engine.New(pool, c.analyst, c.embedder, config.options()).Keeping(c.keeper())
	c.follow(following)
	if config.Tenant == "" {
		return c, nil
	}
	return c.ForTenant(ctx, config.Tenant)
}

// wire makes all parts but the engine, on a pool.
func (c *Client) wire(pool db.Pool) {
	c.pool = pool
	ledger := c.ledger()
	c.analyst = c.config.analyst(ledger)
	c.embedder = model.EmbedderWith(c.config.Embedder, ledger)
	c.searcher = c.searcherOn(pool)
}

// searcherOn returns a searcher on a pool that shares what the client's searcher knows of groups.
// Its calls of models are recorded on the primary.
func (c *Client) searcherOn(pool db.Pool) *retrieval.Searcher {
	return retrieval.New(pool, c.embedder, c.config.reranker(c.ledger())).Telling(c.config.Log, c.config.Calls).Knowing(c.searcher)
}

// readyDimension checks that the database is migrated and returns the dimension of its vectors. If
// another tool migrated it, the dimension may not be set yet. Then it is the embedder's, if one is
// given.
func readyDimension(ctx context.Context, pool db.Pool, embedder model.Embedder) (int, error) {
	queries := db.New(pool)
	state, err := queries.SchemaState(ctx)
	var pg *pgconn.PgError
	switch {
	case errors.As(err, &pg) && (pg.Code == "42P01" || pg.Code == "3F000"): // no such table or schema
		if former, err := queries.SchemaFormer(ctx); err == nil && former {
			return 0, migrations.ErrFormer
		}
		return 0, &Error{
			Code: CodeConflict, Field: "database", Message: "is not set up for Annals; run 'annals migrate up'", Err: err,
		}
	case errors.As(err, &pg) && pg.Code == "42501": // insufficient privilege
		return 0, &Error{
			Code: CodeConflict, Field: "database",
			Message: "does not let this role use Annals; give it the rights that docs/deploy.md lists for an application", Err: err,
		}
	case err != nil:
		return 0, fmt.Errorf("read the state of the schema: %w", err)
	case state.Blind:
		return 0, change.Conflict("database", "shows this role no row: row-level security lets in the owner of the tables, members of that role, "+
			"roles with BYPASSRLS, and annals_tenant for one group; docs/deploy.md says which to choose")
	case state.Migration < migrations.Newest():
		return 0, change.Conflict("database", "has the migrations up to %d of %d; run 'annals migrate up'", state.Migration, migrations.Newest())
	case state.Dimension > 0:
		return int(state.Dimension), nil
	}
	dimension := migrations.DefaultEmbeddingDim
	if embedder != nil {
		dimension = embedder.Dimensions()
	}
	fixed, err := queries.EmbeddingDimensionFix(ctx, int32(dimension))
	if err != nil {
		return 0, &Error{
			Code: CodeConflict, Field: "database",
			Message: fmt.Sprintf("has no dimension of vectors yet; as its owner run 'annals migrate up' or SELECT annals_internal.fix_embedding_dimension(%d); after a restore 'annals doctor' says what hides it", dimension),
			Err:     err,
		}
	}
	return int(fixed), nil
}

// Close closes the connections. On a Client from [Client.ForTenant] it does nothing.
func (c *Client) Close() { c.close() }

// Analyst returns the name of the analyst that reads episodes, as provider:model, or "offline" for
// the built-in rules.
func (c *Client) Analyst() string { return c.analyst.Name() }

// Embedder returns the embedder that makes the vectors. Its calls are recorded in the ledger and
// charged to the group that [model.WithSubject] names.
func (c *Client) Embedder() model.Embedder { return c.embedder }

func init() {
	inside.Of = func(client any) inside.Parts { return client.(*Client).parts() }
}

// parts returns the parts of a Client that other packages of this module use.
func (c *Client) parts() inside.Parts {
	return inside.Parts{
		Pool: c.pool, Engine: c.engine, Embedder: c.embedder, InsecureWebhooks: c.config.InsecureWebhooks, IndexedVectors: c.config.IndexedVectors, Log: c.config.Log,
		Admit: c.admit, Unbound: c.unbound, Wrote: c.wrote, AddAllTx: c.addAllTx,
	}
}

// LLMs returns the models of [Config]: main reads episodes, small summarises. Their calls are
// recorded in the ledger. Both are nil if none is configured.
func (c *Client) LLMs() (main, small *model.LLM) {
	if c.config.LLM == nil {
		return nil, nil
	}
	ledger := c.ledger()
	main = c.config.LLM.With(ledger)
	if small = main; c.config.SmallLLM != nil {
		small = c.config.SmallLLM.With(ledger)
	}
	return main, small
}
