package engine

import (
	"log/slog"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/model"
)

// The bounds that keep the work on an episode independent of the graph's size.
const (
	DefaultPrevious         = 4   // earlier messages of the thread, as context
	DefaultEntityCandidates = 15  // known entities that a name is compared with
	DefaultFactCandidates   = 10  // known facts that a new fact is compared with, of either sort
	DefaultSummaryLimit     = 500 // bytes of an entity's summary
)

// Engine turns stored episodes into the graph. It is safe for concurrent use.
type Engine struct {
	pool     *pgxpool.Pool
	analyst  Analyst
	embedder model.Embedder
	log      *slog.Logger
}

// New is an engine on a migrated database whose vectors have as many
// dimensions as the embedder's.
func New(pool *pgxpool.Pool, analyst Analyst, embedder model.Embedder, log *slog.Logger) *Engine {
	return &Engine{pool: pool, analyst: analyst, embedder: embedder, log: log}
}
