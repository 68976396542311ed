package annals

import (
	"context"
	"fmt"

	"github.com/annalsdb/annals/db"
)

// Server is what the database runs on.
type Server struct {
	Version            string // of PostgreSQL
	PgvectorVersion    string
	EmbeddingDimension int // of the vectors in this database
}

// Server asks the database what it runs on.
func (c *Client) Server(ctx context.Context) (Server, error) {
	queries := db.New(c.pool)
	versions, err := queries.ServerVersions(ctx)
	if err != nil {
		return Server{}, fmt.Errorf("ask the server for its versions: %w", err)
	}
	dimension, err := queries.EmbeddingDimension(ctx)
	if err != nil {
		return Server{}, fmt.Errorf("read the embedding dimension: %w", err)
	}
	return Server{Version: versions.Server, PgvectorVersion: versions.Pgvector, EmbeddingDimension: int(dimension)}, nil
}
