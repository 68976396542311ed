package db

import (
	"context"
	"fmt"
)

// VacuumSearch brings the tables that search reads into the state in which
// autovacuum leaves them in a while: rows known to be visible, which the
// indexes that hold what is read need, and statistics for the planner. After loading much at once it
// saves that while.
func VacuumSearch(ctx context.Context, pool Pool) error {
	_, err := pool.Exec(ctx, `VACUUM (ANALYZE) annals.postings, annals.posting_blocks, annals.episodes, annals.entities, annals.facts,
		annals.mentions, annals.fact_episodes, annals.episode_embeddings, annals.entity_embeddings, annals.fact_embeddings, annals.community_embeddings`)
	if err != nil {
		return fmt.Errorf("vacuum the tables of search: %w", err)
	}
	return nil
}

// VacuumVectors is [VacuumSearch] for the vectors alone.
func VacuumVectors(ctx context.Context, pool Pool) error {
	_, err := pool.Exec(ctx, `VACUUM (ANALYZE) annals.episode_embeddings, annals.entity_embeddings, annals.fact_embeddings,
		annals.community_embeddings`)
	if err != nil {
		return fmt.Errorf("vacuum the vectors: %w", err)
	}
	return nil
}
