package annals

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/retrieval"
)

// The words of the graph, explained in package graph.
type (
	// Episode is one raw unit of what was taken in.
	Episode = graph.Episode
	// Entity is somebody or something episodes speak of.
	Entity = graph.Entity
	// Fact is what holds between two entities, and when.
	Fact = graph.Fact
	// FactVersion is one state a fact was in.
	FactVersion = graph.FactVersion
	// EntityVersion is one state an entity was in.
	EntityVersion = graph.EntityVersion
	// Community is a cluster of entities.
	Community = graph.Community
	// Ontology says which kinds of entities and facts a group looks for.
	Ontology = graph.Ontology
	// Triple is a fact that is known as such, without a text that states it.
	Triple = graph.Triple
)

// Client is the door to one database. It is safe for concurrent use.
type Client struct {
	pool     *pgxpool.Pool
	engine   *engine.Engine
	searcher *retrieval.Searcher
	analyst  engine.Analyst
	embedder model.Embedder
	watch    *embedderWatch
}

// Open connects to a migrated database; see package migrations. It fails with
// [CodeUnavailable] where there is no database, and with [CodeConflict] where
// the schema is missing or vectors have another dimension than the embedder's.
func Open(ctx context.Context, config Config) (*Client, error) {
	pool, err := db.Open(ctx, config.DatabaseURL)
	if err != nil {
		return nil, err
	}
	client, err := newClient(ctx, pool, config)
	if err != nil {
		pool.Close()
		return nil, err
	}
	return client, nil
}

func newClient(ctx context.Context, pool *pgxpool.Pool, config Config) (*Client, error) {
	dimension, err := storedDimension(ctx, pool)
	if err != nil {
		return nil, err
	}
	ledger := engine.NewLedger(pool)
	c := &Client{pool: pool, analyst: config.analyst(ledger)}
	if config.Embedder != nil {
		c.embedder = model.EmbedderWith(config.Embedder, ledger)
	} else if c.embedder, err = model.NewHashEmbedder(dimension); err != nil {
		return nil, err
	}
	if got := c.embedder.Dimensions(); got != dimension {
		return nil, &Error{
			Code: CodeConflict, Field: "embedder",
			Message: fmt.Sprintf("%s makes vectors of %d dimensions, this database holds %d; use another embedder, or change it with 'annals reembed'",
				c.embedder.Name(), got, dimension),
		}
	}
	c.watch = &embedderWatch{pool: pool, name: c.embedder.Name(), log: config.Log}
	c.watch.look(ctx)
	c.engine = engine.New(pool, c.analyst, c.embedder, config.options())
	c.searcher = retrieval.New(pool, c.embedder, config.reranker(ledger))
	return c, nil
}

func storedDimension(ctx context.Context, pool *pgxpool.Pool) (int, error) {
	dimension, err := db.New(pool).EmbeddingDimension(ctx)
	var pg *pgconn.PgError
	if errors.Is(err, pgx.ErrNoRows) || errors.As(err, &pg) {
		return 0, &Error{
			Code: CodeConflict, Field: "database", Message: "is not set up for Annals; run 'annals migrate up'", Err: err,
		}
	}
	if err != nil {
		return 0, fmt.Errorf("read the embedding dimension: %w", err)
	}
	return int(dimension), nil
}

// Close lets go of the connections.
func (c *Client) Close() { c.pool.Close() }

// Analyst says who reads episodes, as provider:model; "offline" for the rules.
func (c *Client) Analyst() string { return c.analyst.Name() }

// Embedder says what makes the vectors.
func (c *Client) Embedder() string { return c.embedder.Name() }
