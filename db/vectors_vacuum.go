package db

import (
	"context"
	"fmt"
)

// VacuumVectors brings the tables of vectors into the state in which autovacuum leaves
// them in a while: rows known to be visible, which indexes that hold what is read need,
// and statistics for the planner.
func VacuumVectors(ctx context.Context, pool Pool) error {
	_, err := pool.Exec(ctx, `VACUUM (ANALYZE) annals_internal.episode_embeddings, annals_internal.entity_embeddings, annals_internal.fact_embeddings,
		annals_internal.community_embeddings`)
	if err != nil {
		return fmt.Errorf("vacuum the vectors: %w", err)
	}
	return nil
}
