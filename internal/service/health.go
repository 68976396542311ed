package service

import (
	"context"
	"fmt"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/upkeep"
)

type (
	// Health is the state of the database, over all groups.
	Health = upkeep.Health
	// UnindexedGroup is a group whose vectors need an index and have none.
	UnindexedGroup = upkeep.UnindexedGroup
	// DeadRows is a table with many dead rows: no transaction sees them any more.
	DeadRows = upkeep.DeadRows
)

// Health checks the state of the database. It expects autovacuum and indexes as their defaults and
// [annals.Config].IndexedVectors have them. It fails if the Service is bound to a tenant.
func (s *Service) Health(ctx context.Context) (Health, error) {
	if err := s.unbound(); err != nil {
		return Health{}, err
	}
	return upkeep.HealthOf(ctx, s.pool, s.indexedVectors)
}

// Mend rebuilds what Health found and what can be rebuilt while others read and write: indexes,
// including those of groups' vectors, counts, sequences and the planner's statistics. It returns
// what it did, also beside an error; nothing if nothing was wrong. It has to run as a user who owns
// the tables. It fails if the Service is bound to a tenant. Faults of the schema itself are mended
// by [migrations.Mend].
//
// [migrations.Mend]: https://pkg.go.dev/github.com/annalsdb/annals/migrations#Mend
func (s *Service) Mend(ctx context.Context) (done []string, err error) {
	if err := s.unbound(); err != nil {
		return nil, err
	}
	return upkeep.Mend(ctx, s.pool, s.indexedVectors)
}

// Server describes the server that holds the database.
type Server struct {
	Version            string // of PostgreSQL
	PgvectorVersion    string
	EmbeddingDimension int // of the vectors in this database
}

// Server reads the versions of the server and the dimension of the vectors.
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
