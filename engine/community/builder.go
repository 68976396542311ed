// Package community finds the communities of a group's entities, summarises
// and names them, and keeps them up to date as entities arrive. Which entities
// belong together is worked out by package clustering.
package community

import (
	"context"
	"log/slog"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/model"
)

// Builder builds communities. It is safe for concurrent use.
type Builder struct {
	pool     db.Pool
	analyst  analyst.Communities
	embedder model.Embedder
	log      *slog.Logger
}

// New returns a builder on a migrated database.
func New(pool db.Pool, analyst analyst.Communities, embedder model.Embedder, log *slog.Logger) *Builder {
	return &Builder{pool: pool, analyst: analyst, embedder: embedder, log: log}
}

func (b *Builder) embed(ctx context.Context, names []string) ([][]float32, error) {
	vectors, err := model.Vectors(ctx, b.embedder, names)
	return vectors, analyst.Failed(ctx, "embed", err)
}
