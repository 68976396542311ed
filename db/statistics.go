package db

import (
	"context"
	"fmt"
)

// RefreshStatistics counts the documents and the frequent terms of a group,
// which searching by words weighs with.
func RefreshStatistics(ctx context.Context, pool Pool, groupID string) error {
	queries := New(pool)
	if err := queries.StatisticsRefresh(ctx, groupID); err != nil {
		return fmt.Errorf("count the documents of %s: %w", groupID, err)
	}
	if err := queries.FrequentTermsRefresh(ctx, groupID); err != nil {
		return fmt.Errorf("count the frequent terms of %s: %w", groupID, err)
	}
	return nil
}
