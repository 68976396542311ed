package service

import (
	"context"
	"fmt"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/upkeep"
)

type (
	// Health is how the database is, over all groups.
	Health = upkeep.Health
	// UnindexedGroup is a group whose vectors should have an index, and have none.
	UnindexedGroup = upkeep.UnindexedGroup
	// DeadRows is a table with many rows that no transaction sees any more.
	DeadRows = upkeep.DeadRows
)

// Health asks the database how it is. Which vacuum and which index it looks for
// goes by the defaults of both, and by [annals.Config].IndexedVectors. It is refused to
// a Service that is bound to a tenant.
func (s *Service) Health(ctx context.Context) (Health, error) {
	if err := s.unbound(); err != nil {
		return Health{}, err
	}
	return upkeep.HealthOf(ctx, s.pool, s.indexedVectors)
}

// Mend rebuilds what Health found that can be rebuilt while others read and
// write: indexes, those of groups' vectors too, counts, sequences, and what the
// planner knows. It returns what it did, nothing where nothing is wrong, also
// beside an error. It needs a user who owns the tables, and is refused to a
// Service that is bound to a tenant. What is wrong with the schema itself mends
// [migrations.Mend].
//
// [migrations.Mend]: https://pkg.go.dev/github.com/annalsdb/annals/migrations#Mend
func (s *Service) Mend(ctx context.Context) (done []string, err error) {
	if err := s.unbound(); err != nil {
		return nil, err
	}
	return upkeep.Mend(ctx, s.pool, s.indexedVectors)
}

// Server is what the database runs on.
type Server struct {
	Version            string // of PostgreSQL
	PgvectorVersion    string
	EmbeddingDimension int // of the vectors in this database
}

// Server asks the database what it runs on.
func (s *Service) Server(ctx context.Context) (Server, error) {
	queries := db.New(s.pool)
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
