package db

import (
	"context"
	"fmt"
)

// VacuumVectors brings the tables of vectors into the state in which autovacuum leaves
// them in a while: rows known to be visible, which indexes that hold what is read need,
// and statistics for the planner.
func VacuumVectors(ctx context.Context, pool Pool) error {
	_, err := pool.Exec(ctx, `VACUUM (ANALYZE) annals.episode_embeddings, annals.entity_embeddings, annals.fact_embeddings,
		annals.community_embeddings`)
	if err != nil {
		return fmt.Errorf("vacuum the vectors: %w", err)
	}
	return nil
}
