package service

import (
	"context"
	"fmt"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/upkeep"
)

// Embed computes the vectors that a group's rows lack, with the Client's embedder, and returns
// their number. Processing does so by itself; call Embed for rows that came another way. report, if
// not nil, is called with the number of each batch.
func (s *Service) Embed(ctx context.Context, groupID string, report func(made int)) (int, error) {
	if err := s.admit(groupID); err != nil {
		return 0, err
	}
	defer s.wrote(groupID)
	return upkeep.FillVectors(ctx, s.pool, s.embedder, groupID, report)
}

// Vectors says which embedders the database uses, and which vectors a group lacks.
type Vectors struct {
	Embedder string `json:"embedder"` // the embedder since the last re-embedding; empty: there was none
	Next     string `json:"next"`     // the embedder of a re-embedding that runs or was interrupted; empty: none

	// Missing counts rows of the group without a vector of the Client's embedder.
	Missing MissingVectors `json:"missing"`
}

// MissingVectors counts rows without a vector. It leaves out episodes that wait to be read: they
// get their vectors then.
type MissingVectors struct {
	Episodes    int64 `json:"episodes"`
	Entities    int64 `json:"entities"`
	Facts       int64 `json:"facts"`
	Communities int64 `json:"communities"`
}

// Total is how many rows lack a vector.
func (m MissingVectors) Total() int64 { return m.Episodes + m.Entities + m.Facts + m.Communities }

// Vectors returns the state of a group's vectors. It reads all their keys.
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
