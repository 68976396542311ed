package service

import (
	"context"
	"fmt"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/upkeep"
)

// Embed makes the vectors that a group's rows lack, with the Client's
// embedder, and returns how many. Processing makes them by itself; this is for
// rows that came by another way. report, if not nil, is told how many were
// made, each time some were.
func (s *Service) Embed(ctx context.Context, groupID string, report func(made int)) (int, error) {
	if err := s.admit(groupID); err != nil {
		return 0, err
	}
	defer s.wrote(groupID)
	return upkeep.FillVectors(ctx, s.pool, s.embedder, groupID, report)
}

// Vectors says what makes the vectors of a database, and what a group lacks.
type Vectors struct {
	Embedder string `json:"embedder"` // since the database was re-embedded; empty: it never was
	Next     string `json:"next"`     // that is being filled in, or was when it was interrupted; empty: none

	// How many rows of the group lack a vector of the client's embedder.
	Missing MissingVectors `json:"missing"`
}

// MissingVectors counts rows without a vector. Episodes that wait to be read
// are not counted: they get theirs when they are.
type MissingVectors struct {
	Episodes    int64 `json:"episodes"`
	Entities    int64 `json:"entities"`
	Facts       int64 `json:"facts"`
	Communities int64 `json:"communities"`
}

// Total is how many rows lack a vector.
func (m MissingVectors) Total() int64 { return m.Episodes + m.Entities + m.Facts + m.Communities }

// Vectors looks at the vectors of a group. It reads all their keys.
func (s *Service) Vectors(ctx context.Context, groupID string) (Vectors, error) {
	if err := s.admit(groupID); err != nil {
		return Vectors{}, err
	}
	q := db.New(s.pool)
	embedders, err := q.Embedders(ctx)
	if err != nil {
		return Vectors{}, fmt.Errorf("ask which embedder is in force: %w", err)
	}
	missing, err := q.VectorsMissing(ctx, db.VectorsMissingParams{GroupID: groupID, Model: s.embedder.Name()})
	if err != nil {
		return Vectors{}, fmt.Errorf("count the vectors of %s: %w", groupID, err)
	}
	return Vectors{Embedder: embedders.Embedder, Next: embedders.NextEmbedder, Missing: MissingVectors(missing)}, nil
}
